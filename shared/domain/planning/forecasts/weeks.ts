import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import type { Series } from '../../../forecast/series.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'
import { keptDays } from '../../ledgers/demand/day-steps.ts'
import { type DemandEvent, eventFactor, eventsOf } from '../../ledgers/demand/events.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'

/** The season of demand: 52 weeks are 364 days. */
export const seasonWeeks = 52
/** The backtest compares totals of four weeks, and the accuracy report too. */
export const horizonWeeks = 4
/** A stored forecast has one number more, the mean of the weeks after these, which continues. */
export const weeksAhead = 26
/** A week with fewer days in stock says too little. */
const minDaysInStock = 4

/** SQL: the Monday of the current week of the shop, which is the first week ahead: its demand is not complete. */
export const thisWeekOf = (shopId: number) => sql.fragment`date_trunc('week', ${todayOf(shopId)})::date`

/** SQL: the number of the week of a Monday since 5 January 1970. Its remainder by 52 is the place in the season. */
export const weekNumber = (monday: ReturnType<typeof sql.fragment>) =>
  sql.fragment`((${monday} - date '1970-01-05') / 7)`

/** The Monday of a week number, as in 2026-03-02. */
export const mondayOf = (week: number) => new Date((week * 7 + 4) * 86_400_000).toISOString().slice(0, 10)

/** What to forecast: a variant at all locations (null), or at one. */
export type ForecastKey = { variantId: number; locationId: number | null }

const WeeklyDemand = Type.Object({
  variantId: Id,
  locationId: Nullable(Id),
  productType: Type.String(),
  vendor: Type.String(),
  /** The first complete week of the series, and the first week ahead. */
  firstWeek: Type.Integer(),
  thisWeek: Type.Integer(),
  /** The day of the variant's first stock or sale, at all locations; null: before the sales are known. */
  firstDay: Nullable(Type.String()),
  /** Of the weeks with sales or days without stock. */
  weeks: Type.Array(Type.Integer()),
  units: Type.Array(Type.Number()),
  emptyDays: Type.Array(Type.Integer()),
})
export type WeeklyDemand = Static<typeof WeeklyDemand>

/**
 * Reads the demand of complete weeks. The series of a location begins with its first stock movement or sale: before, the
 * variant was not sold there, or the ledger does not say where it was sold. A day counts as without stock when no location of the key
 * had any.
 */
export function readWeeks(
  db: Db,
  shopId: number,
  keys: readonly ForecastKey[],
): Promise<readonly WeeklyDemand[]> {
  const rows = keys.map(({ variantId, locationId }) => [variantId, locationId])
  return db.any(sql.type(row(WeeklyDemand))`
    with known as materialized (${knownDaysOf(shopId)}),
    key as materialized (
      select k.variant_id, k.location_id, coalesce(p.product_type, '') as product_type, coalesce(p.vendor, '') as vendor,
        y.first_day, ${thisWeekOf(shopId)} as this_week,
        date_trunc('week', greatest(
          known.known_day, y.first_day, opened.day, ${thisWeekOf(shopId)} - ${Math.floor(keptDays / 7) * 7}::int
        ) + 6)::date as first_week
      from known
      cross join ${sql.unnest(rows, ['int8', 'int8'])} as k (variant_id, location_id)
      join variant v on v.shop_id = ${shopId} and v.id = k.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = v.id
      left join lateral (
        select least(
          (
            select (m.occurred_at at time zone ${timeZoneOf(shopId)})::date
            from stock_movement m
            where m.shop_id = ${shopId} and m.variant_id = k.variant_id and m.location_id = k.location_id
            order by m.id
            limit 1
          ),
          (
            select d.day
            from demand_day d
            where d.shop_id = ${shopId} and d.variant_id = k.variant_id and d.location_id = k.location_id and d.units > 0
            order by d.day
            limit 1
          )
        ) as day
      ) opened on k.location_id is not null
    )
    select k.variant_id, k.location_id, k.product_type, k.vendor, k.first_day::text as first_day,
      ${weekNumber(sql.fragment`k.first_week`)} as first_week, ${weekNumber(sql.fragment`k.this_week`)} as this_week,
      coalesce(w.weeks, '{}') as weeks, coalesce(w.units, '{}') as units, coalesce(w.empty_days, '{}') as empty_days
    from key k
    left join lateral (
      select array_agg(week::int order by week) as weeks, array_agg(units::float8 order by week) as units,
        array_agg(empty_days::int order by week) as empty_days
      from (
        select ${weekNumber(sql.fragment`d.day`)} as week, sum(d.units) as units,
          count(distinct d.day) filter (
            where d.is_sold_out or (k.location_id is not null and not d.in_stock)
          ) as empty_days
        from demand_day d
        where d.shop_id = ${shopId} and d.variant_id = k.variant_id
          and (k.location_id is null or d.location_id = k.location_id)
          and d.day >= k.first_week and d.day < k.this_week
        group by 1
      ) week
    ) w on true
    order by k.variant_id, k.location_id nulls first
  `)
}

/** The demand of a week with days without stock, raised to seven days; null: too few days in stock to say it. */
export function knownWeek(units: number, emptyDays: number): number | null {
  const daysInStock = 7 - emptyDays
  return daysInStock < minDaysInStock ? null : (units * 7) / daysInStock
}

/**
 * The series of a key, a row for each complete week. Of a week with 4 to 6 days in stock the units are raised to seven
 * days; with fewer days it is unknown. Demand during events and growth is divided by their factor, which multiplies the
 * weeks ahead.
 *
 * Example: 8 units in a week with 3 empty days: 8 · 7 / 4 = 14. In a week of an event with factor 2 on all days: 7.
 */
export function seriesOf(demand: WeeklyDemand, events: readonly DemandEvent[]): Series {
  const series = new Array<number | null>(Math.max(0, demand.thisWeek - demand.firstWeek)).fill(0)
  for (const [at, week] of demand.weeks.entries()) {
    series[week - demand.firstWeek] = knownWeek(demand.units[at] ?? 0, demand.emptyDays[at] ?? 0)
  }
  const own = eventsOf(events, demand)
  if (own.length === 0) return series
  return series.map((units, at) => {
    if (units === null) return null
    const factor = eventFactor(own, demand.firstWeek + at)
    return factor > 0 ? units / factor : null
  })
}
