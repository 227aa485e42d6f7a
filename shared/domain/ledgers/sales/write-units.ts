import { type Static, Type } from '@sinclair/typebox'
import { type Db, sql } from '../../../db/db.ts'
import { Timestamp } from '../../../schemas/common.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { keptYears } from './record.ts'

/** The starts of the periods. */
export const Starts = Type.Object({ from7d: Timestamp, from30d: Timestamp, from90d: Timestamp })
type Starts = Static<typeof Starts>

/**
 * Writes the units, revenue and first day of variants. `variants`: the condition on variant `v`. A new row has class C until the
 * classes are computed. The first day of a variant, whichever is earlier: its first stock above zero or its first sale.
 *
 * 1. A stored first day before the 90 days stays: it limits no period any more.
 * 2. A variant that existed at the shop's first catalogue sync has had stock for an unknown time: its sales are
 *    known as long as those of the shop, unless the platform created it within the 90 days.
 * 3. A later variant without stock and sales has the day when it appeared.
 */
export async function writeUnits(
  tx: Db,
  shopId: number,
  starts: Starts,
  variants: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with shop as materialized (
      select ${timeZoneOf(shopId)} as time_zone, ${todayOf(shopId)} - 90 as from_day,
        minor_digits(${currencyOf(shopId)}) as digits,
        (
          select min(finished_at) from catalog_sync where shop_id = ${shopId} and state = 'done'
        ) as first_synced_at
    ),
    chosen as (
      select v.id, v.gid, v.price, v.platform_created_at,
        least(v.platform_created_at, v.created_at) as appeared_at
      from variant v
      where v.shop_id = ${shopId} and v.deleted_at is null and ${variants}
    ),
    ${soldUnits(shopId, starts)},
    fresh as (
      select c.id as variant_id, coalesce(s.units_7d, 0) as units_7d, coalesce(s.units_30d, 0) as units_30d,
        coalesce(s.units_90d, 0) as units_90d, coalesce(s.returned_7d, 0) as returned_7d,
        coalesce(s.returned_30d, 0) as returned_30d, coalesce(s.returned_90d, 0) as returned_90d,
        coalesce(s.revenue, 0) + coalesce(round(s.units_without_revenue * c.price, shop.digits), 0) as revenue_90d,
        coalesce(s.last_sold_at, (
          select max(ordered_at) from sale
          where shop_id = ${shopId} and variant_gid = c.gid and quantity > cancelled
        ), case
          when y.last_sold_at < now() - make_interval(years => ${keptYears}) then y.last_sold_at
        end) as last_sold_at,
        ${firstDay(shopId)} as first_day,
        y.variant_id is null as is_new,
        row(
          y.units_7d, y.units_30d, y.units_90d, y.returned_7d, y.returned_30d, y.returned_90d, y.revenue_90d,
          y.last_sold_at, y.first_day
        ) as before
      from chosen c
      cross join shop
      left join sold s on s.variant_gid = c.gid
      left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = c.id
    )
    insert into variant_velocity (
      shop_id, variant_id, units_7d, units_30d, units_90d, returned_7d, returned_30d, returned_90d, revenue_90d,
      abc_class, last_sold_at, first_day
    )
    select ${shopId}::bigint, f.variant_id, f.units_7d, f.units_30d, f.units_90d, f.returned_7d, f.returned_30d,
      f.returned_90d, f.revenue_90d, 'C', f.last_sold_at, f.first_day
    from fresh f
    where f.is_new
      or f.before is distinct from row(
        f.units_7d, f.units_30d, f.units_90d, f.returned_7d, f.returned_30d, f.returned_90d, f.revenue_90d,
        f.last_sold_at, f.first_day
      )
    on conflict (shop_id, variant_id) do update
    set units_7d = excluded.units_7d,
      units_30d = excluded.units_30d,
      units_90d = excluded.units_90d,
      returned_7d = excluded.returned_7d,
      returned_30d = excluded.returned_30d,
      returned_90d = excluded.returned_90d,
      revenue_90d = excluded.revenue_90d,
      last_sold_at = excluded.last_sold_at,
      first_day = excluded.first_day,
      computed_at = excluded.computed_at
  `)
}

/** SQL: the units and the revenue of the `chosen` variants in each period (`sold`). */
const soldUnits = (shopId: number, starts: Starts) => sql.fragment`
  sold as (
    select variant_gid, sum(quantity - cancelled) as units_90d, sum(returned) as returned_90d,
      max(ordered_at) filter (where quantity > cancelled) as last_sold_at,
      sum(revenue) as revenue, sum(quantity - cancelled) filter (where revenue is null) as units_without_revenue,
      coalesce(sum(quantity - cancelled) filter (where ordered_at >= ${starts.from7d}::timestamptz), 0) as units_7d,
      coalesce(sum(quantity - cancelled) filter (where ordered_at >= ${starts.from30d}::timestamptz), 0) as units_30d,
      coalesce(sum(returned) filter (where ordered_at >= ${starts.from7d}::timestamptz), 0) as returned_7d,
      coalesce(sum(returned) filter (where ordered_at >= ${starts.from30d}::timestamptz), 0) as returned_30d
    from sale
    where shop_id = ${shopId} and ordered_at >= ${starts.from90d}::timestamptz
      and variant_gid in (select gid from chosen)
    group by variant_gid
  )
`

/** SQL: the first day of variant `c` by the steps of `writeUnits`; null for one that limits no period. */
const firstDay = (shopId: number) => sql.fragment`
  case
    when y.first_day <= shop.from_day then y.first_day
    when coalesce(c.appeared_at <= shop.first_synced_at, true)
      and coalesce(
        (c.platform_created_at at time zone shop.time_zone)::date <= shop.from_day, true
      ) then null
    else (
      coalesce(
        least(
          case when coalesce(c.appeared_at <= shop.first_synced_at, true) then c.platform_created_at end,
          (
            select min(occurred_at) from stock_movement
            where shop_id = ${shopId} and variant_id = c.id and new_quantity > 0
          ),
          (
            select min(ordered_at) from sale
            where shop_id = ${shopId} and variant_gid = c.gid and quantity > cancelled
          )
        ),
        c.appeared_at
      ) at time zone shop.time_zone
    )::date
  end
`
