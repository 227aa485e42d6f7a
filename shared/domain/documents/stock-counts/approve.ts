import { type Db, sql } from '../../../db/db.ts'
import { conflict } from '../../../errors.ts'
import type { CountApproval, StockCount } from '../../../schemas/stock-counts.ts'
import { ended, lockCount, notFinished } from './lock.ts'
import { isApproved, variancesChanged, variancesOf } from './result.ts'
import { getStockCount } from './stock-counts.ts'
import { countUnread } from './unread.ts'

/**
 * Approves the variances of a count in review. A person with a number in the count cannot approve; repeating it changes nothing, unless
 * a correction has changed the variances since. Throws counting_not_finished, levels_not_read, same_person, and stale_version when
 * `variancesVersion` is that of other variances.
 */
export function approveCount(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { variancesVersion }: NonNullable<CountApproval> = {},
): Promise<StockCount> {
  return db.transaction(async (tx) => {
    const { status, phase } = await lockCount(tx, shopId, id)
    if (status !== 'draft') throw ended(status)
    if (phase !== 'review') throw notFinished()
    await countUnread(tx, shopId, id, true)
    if (await hasCounted(tx, shopId, id, actor))
      throw conflict('You counted products of this count. Another user must approve it.', 'same_person')
    const isAsSeen = sql.fragment`coalesce(${variancesVersion ?? null} = ${variancesOf(shopId, 'c')}, true)`
    const approved = await tx.maybeOne(sql.typeAlias('id')`
      update stock_count c
      set approved_at = now(), approved_by = ${actor}, approved_variances = ${variancesOf(shopId, 'c')}, updated_at = now()
      where c.shop_id = ${shopId} and c.id = ${id} and c.status = 'draft' and c.finished_at is not null
        and not ${isApproved(shopId, 'c')} and ${isAsSeen}
      returning c.id
    `)
    const isDone = sql.typeAlias('void')`
      select from stock_count c where c.shop_id = ${shopId} and c.id = ${id} and ${isApproved(shopId, 'c')} and ${isAsSeen}
    `
    if (!approved && !(await tx.exists(isDone))) throw variancesChanged()
    return getStockCount(tx, shopId, id, actor)
  })
}

/**
 * A number without an entry was stored by the previous release, which recorded no counter: it counts as that of the person who created the
 * count.
 */
const hasCounted = (tx: Db, shopId: number, id: number, actor: string) =>
  tx.exists(sql.typeAlias('void')`
    select from stock_count_entry where shop_id = ${shopId} and count_id = ${id} and person = ${actor}
    union all
    select
    from stock_count c
    join stock_count_item i on i.shop_id = ${shopId} and i.count_id = c.id and i.counted_quantity is not null
    where c.shop_id = ${shopId} and c.id = ${id} and c.created_by = ${actor} and not exists (
      select from stock_count_entry e
      where e.shop_id = ${shopId} and e.count_id = c.id and e.variant_id = i.variant_id
    )
  `)
