import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import { todayOf } from '../../kit/date-range.ts'

/**
 * SQL: the units that a location (row id) sold of a variant (row id) in the `days` days before today, as the roll-up of demand
 * puts sales to locations; 0 before the shop's first roll-up.
 */
export const soldAtLocation = (
  shopId: number,
  variant: FragmentSqlToken,
  location: FragmentSqlToken,
  days: number,
) => sql.fragment`
  (
    select coalesce(sum(sold.units), 0)::int
    from demand_day sold
    where sold.shop_id = ${shopId} and sold.variant_id = ${variant} and sold.location_id = ${location}
      and sold.day >= ${todayOf(shopId)} - ${days}::int and sold.day < ${todayOf(shopId)}
  )
`

/**
 * SQL: on how many of the `days` days before today a variant (row id) had no stock, at a location (row id) or, when that is
 * null, at any.
 */
export const emptyDaysOf = (
  shopId: number,
  variant: FragmentSqlToken,
  location: FragmentSqlToken,
  days: number,
) => sql.fragment`
  (
    select count(distinct empty.day)::int
    from demand_day empty
    where empty.shop_id = ${shopId} and empty.variant_id = ${variant}
      and empty.day >= ${todayOf(shopId)} - ${days}::int and empty.day < ${todayOf(shopId)}
      and case when ${location} is null then empty.is_sold_out else empty.location_id = ${location} and not empty.in_stock end
  )
`

/** SQL: the last day whose demand is put to locations; null before the shop's first roll-up. */
export const rolledUntil = (shopId: number) => sql.fragment`
  (select rolled_until from demand_roll_up where shop_id = ${shopId})
`
