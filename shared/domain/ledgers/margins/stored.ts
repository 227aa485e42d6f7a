import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { endOfToday, type Period } from '../../kit/date-range.ts'

const Days = Type.Object({ days: Type.Integer() })

/** The days of the stored period that is this one; null when there is none, as between midnight and the job of the night. */
export function findStoredPeriod(db: Db, shopId: number, { from, to }: Period): Promise<number | null> {
  return db.maybeOneFirst(sql.type(row(Days))`
    select days
    from margin_period
    where shop_id = ${shopId} and starts_at = ${from}::timestamptz
      and coalesce(${to}::timestamptz >= ${endOfToday(shopId)}, true)
  `)
}

/** SQL: the columns of `sumsOfSales`, and the rank, as `recompute.ts` stored them. */
export const storedSums = (shopId: number, days: number, variants: FragmentSqlToken) => sql.fragment`
  select m.variant_id, v.product_id, m.units, m.revenue, m.cost, m.costed_units, m.costed_revenue, m.rank
  from variant_margin m
  join variant v on v.shop_id = ${shopId} and v.id = m.variant_id
  where m.shop_id = ${shopId} and m.days = ${days} and ${variants}
`
