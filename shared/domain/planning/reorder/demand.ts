import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { timeZoneOf } from '../../kit/date-range.ts'
import { knownSinceOf } from '../../ledgers/demand/known-days.ts'
import { rolledUntil } from '../../ledgers/demand/sold-at-location.ts'
import { forecastColumns, selectedForecast, usableForecast } from '../forecasts/usable.ts'
import { leadTimeColumns, measuredLeadTime } from '../supply/lead-times.ts'
import { demandDays } from '../supply/reorder-point.ts'
import { productOfRule } from '../supply/rule-supplier.ts'
import { chosenServiceLevel, knownClass } from '../supply/service-level.ts'

/** The inputs for the reorder point of an automatic rule. */
export const RuleDemand = Type.Object({
  id: Id,
  variantId: Id,
  /** Null: that of the ABC class. */
  chosenServiceLevel: Nullable(Type.Integer()),
  abcClass: Nullable(Type.String()),
  reviewDays: Type.Integer(),
  units: Type.Integer(),
  squares: Type.Number(),
  inStockDays: Type.Integer(),
  knownDays: Type.Integer(),
  today: Type.String(),
  orderCycleDays: Nullable(Type.Integer()),
  ...forecastColumns,
  ...leadTimeColumns,
})
export type RuleDemand = Static<typeof RuleDemand>

/**
 * Locks the automatic ones among these rules, in the order of their ids, and reads their sales and days in stock of the
 * 90 days before today, in the shop's time zone. Days before the sales of the shop are known, and before the variant's
 * first day, are left out (`knownDays` remain). Units that were cancelled before they were shipped are no sales.
 *
 * A rule for all locations counts all sales of its variant. A rule of one location counts what the roll-up of demand puts
 * to its location, and only the days that are rolled up: none before the shop's first roll-up. A day counts as in stock if
 *
 * 1. the variant was sold on it, or
 * 2. it is after the day of the variant's first movement, and the stock at its beginning (today's level minus all later
 *    movements) was above 0, or
 * 3. it is not after that day, so the stock is unknown, and the variant existed at the shop's first catalogue sync.
 *
 * Stock and forecast are those of the rule's own location, or of all.
 */
export function readDemand(
  tx: Db,
  shopId: number,
  ruleIds: readonly number[],
): Promise<readonly RuleDemand[]> {
  return tx.any(sql.type(row(RuleDemand))`
    with ${lockedRules(shopId, ruleIds)},
    ${soldUnits(shopId)},
    ${dailyDemand(shopId)},
    demand as (
      select r.id, coalesce(sum(d.units), 0) as units, coalesce(sum(d.units * d.units), 0) as squares,
        count(*) filter (where d.is_in_stock) as in_stock_days, count(d.id) as known_days
      from r
      join ledger on ledger.id = r.id
      left join daily d on d.id = r.id and d.day >= ledger.from_day and d.day < ledger.end_day
      group by r.id
    )
    select r.id, r.variant_id, r.chosen_service_level, ${knownClass('shop', 'y')} as abc_class, r.review_days, demand.units, demand.squares, demand.in_stock_days,
      demand.known_days, to_char(shop.today, 'YYYY-MM-DD') as today, s.order_cycle_days, ${selectedForecast},
      lead.measured_orders, lead.mean_days, lead.deviation_days, coalesce(product.lead_time_days, s.lead_time_days) as supplier_days
    from r
    cross join shop
    join demand on demand.id = r.id
    left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = r.variant_id
    left join lateral (${usableForecast(shopId, 'r')}) f on true
    left join lateral (${productOfRule(shopId, 'r')}) product on true
    cross join lateral (select coalesce(r.supplier_id, product.supplier_id) as supplier_id) chosen
    left join supplier s on s.shop_id = ${shopId} and s.id = chosen.supplier_id
    cross join lateral (${measuredLeadTime(shopId, 'chosen')}) lead
    order by r.id
  `)
}

/** SQL: the rules (`r`), locked, and the days of the shop (`shop`). */
const lockedRules = (shopId: number, ruleIds: readonly number[]) => sql.fragment`
  r as materialized (
    select r.shop_id, r.id, r.variant_id, r.location_id, r.supplier_id, r.review_days,
      ${chosenServiceLevel('r')} as chosen_service_level
    from reorder_rule r
    where r.shop_id = ${shopId} and r.mode = 'auto' and r.id = any(${sql.array([...ruleIds], 'int8')})
    order by r.id
    for no key update
  ),
  shop as materialized (
    select zone.name as time_zone, (${knownSinceOf(shopId)} at time zone zone.name)::date as known_day, (now() at time zone zone.name)::date as today,
      (
        select min(finished_at) from catalog_sync where shop_id = ${shopId} and state = 'done'
      ) as first_synced_at,
      ${rolledUntil(shopId)} as rolled_until
    from (
      select ${timeZoneOf(shopId)} as name
    ) zone
  )
`

/** SQL: the units of a rule by day (`sold`); those of one location are from the roll-up of demand. */
const soldUnits = (shopId: number) => sql.fragment`
  sold as (
    select r.id, s.day, sum(s.units) as units
    from shop
    cross join r
    join variant v on v.shop_id = ${shopId} and v.id = r.variant_id
    cross join lateral (
      select (ordered_at at time zone shop.time_zone)::date as day, quantity - cancelled as units
      from sale
      where shop_id = ${shopId} and variant_gid = v.gid
        and ordered_at >= now() - (${demandDays + 2} * interval '1 day') and quantity > cancelled
    ) s
    where r.location_id is null and s.day >= shop.today - ${demandDays}::int and s.day < shop.today
    group by r.id, s.day
    union all
    select r.id, d.day, d.units
    from shop
    cross join r
    join demand_day d on d.shop_id = ${shopId} and d.variant_id = r.variant_id and d.location_id = r.location_id
    where d.day >= shop.today - ${demandDays}::int and d.day < shop.today and d.units > 0
  )
`

/** SQL: the units of a rule and whether it was in stock, by the steps of `readDemand` (`daily`), and which days count (`ledger`). */
const dailyDemand = (shopId: number) => sql.fragment`
  movement as materialized (
    select r.id, least((m.occurred_at at time zone shop.time_zone)::date, shop.today) as day, m.delta
    from shop
    cross join r
    join stock_movement m on m.shop_id = ${shopId} and m.variant_id = r.variant_id
      and (r.location_id is null or m.location_id = r.location_id)
      and m.occurred_at >= now() - (${demandDays + 2} * interval '1 day')
  ),
  moved as (
    select id, day, sum(delta) as delta from movement group by id, day
  ),
  ledger as (
    select r.id, coalesce(v.created_at <= shop.first_synced_at, true) as existed_at_first_sync,
      greatest(shop.today - ${demandDays}::int, shop.known_day, y.first_day) as from_day,
      case
        when r.location_id is null then shop.today
        when shop.rolled_until is not null then least(shop.today, shop.rolled_until + 1)
      end as end_day,
      (
        select (min(m.occurred_at) at time zone shop.time_zone)::date
        from stock_movement m
        where m.shop_id = ${shopId} and m.variant_id = r.variant_id
      ) as first_day
    from shop
    cross join r
    join variant v on v.shop_id = ${shopId} and v.id = r.variant_id
    left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = r.variant_id
  ),
  daily as (
    select r.id, days.day::date as day, coalesce(sold.units, 0) as units,
      coalesce(sold.units, 0) > 0 or case
        when coalesce(days.day::date <= ledger.first_day, true) then ledger.existed_at_first_sync
        else level.sum - sum(coalesce(moved.delta, 0)) over (partition by r.id order by days.day desc) > 0
      end as is_in_stock
    from r
    cross join shop
    cross join lateral (
      select coalesce(sum(l.quantity), 0) as sum
      from stock_level l
      where l.shop_id = ${shopId} and l.variant_id = r.variant_id
        and (r.location_id is null or l.location_id = r.location_id)
    ) level
    cross join lateral generate_series(
      (shop.today - ${demandDays}::int)::timestamp, shop.today::timestamp, interval '1 day'
    ) as days (day)
    join ledger on ledger.id = r.id
    left join sold on sold.id = r.id and sold.day = days.day::date
    left join moved on moved.id = r.id and moved.day = days.day::date
  )
`
