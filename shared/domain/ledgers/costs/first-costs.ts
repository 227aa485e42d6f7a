import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { markVelocity } from '../demand/velocity-marks.ts'

/*
 * Sales before the first cost of a variant cost what its ledger begins with, so a first cost changes the margins that are stored. A
 * later cost changes no margin of the past.
 */

/**
 * SQL: marks the variants of a condition on `variant v` that have sales and no book cost yet, and returns them. For the
 * statement that writes their first cost. `functions/mark_uncosted.sql` does the same before receipts and late costs are booked.
 */
export const markUncosted = (shopId: number, variants: FragmentSqlToken) => sql.fragment`
  ${markVelocity(
    shopId,
    sql.fragment`
      select v.gid as variant_gid, false as is_past
      from variant v
      where v.shop_id = ${shopId} and ${variants}
        and exists (select from margin_period p where p.shop_id = ${shopId})
        and not exists (select from variant_cost c where c.shop_id = ${shopId} and c.variant_id = v.id)
        and exists (select from sale s where s.shop_id = ${shopId} and s.variant_gid = v.gid)
    `,
  )}
  returning variant_gid
`

/** Without a key, since this is not the last statement of its transaction. */
export async function requestMargins(tx: Db, shopId: number): Promise<void> {
  await enqueue(tx, jobs.recomputeSalesVelocity, { shopId })
}
