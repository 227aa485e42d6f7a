import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import { Id } from '../../../schemas/common.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { horizonWeeks } from '../forecasts/weeks.ts'

/** The periods of the report, in days before today. */
const lostSalePeriods = [30, 90, 365] as const

/** With fewer days in stock, the mean of the period says too little. */
const minDaysInStock = 7

const SoldOut = Type.Object({
  variantId: Id,
  periodDays: Type.Integer(),
  daysKnown: Type.Integer(),
  emptyDays: Type.Integer(),
  /** Days without stock in weeks that had a forecast when they began, and what it expected on them. */
  forecastDays: Type.Integer(),
  forecastUnits: Type.Number(),
  soldUnits: Type.Integer(),
})
export type SoldOut = typeof SoldOut.static

/** Reads the days on which these variants had no stock at any location, by period. Days before the sales are known do not count. */
export function readSoldOut(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly SoldOut[]> {
  const periods = sql.fragment`unnest(${sql.array([...lostSalePeriods], 'int4')}) as p (days)`
  return db.any(sql.type(row(SoldOut))`
    with shop as materialized (${knownDaysOf(shopId)}),
    empty as materialized (
      select d.variant_id, d.day, w.units / ${horizonWeeks * 7}::float8 as expected
      from shop
      cross join (
        select distinct variant_id, day
        from demand_day
        where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')}) and is_sold_out
      ) d
      left join forecast_week w on w.shop_id = ${shopId} and w.variant_id = d.variant_id
        and w.week = date_trunc('week', d.day)::date
      where d.day >= shop.today - ${Math.max(...lostSalePeriods)}::int and d.day < shop.today
    )
    select e.variant_id, p.days as period_days,
      least(p.days, shop.today - greatest(shop.known_day, y.first_day, shop.today - p.days))::int as days_known,
      count(*)::int as empty_days, count(e.expected)::int as forecast_days,
      coalesce(sum(e.expected), 0)::float8 as forecast_units, sold.units as sold_units
    from shop
    cross join ${periods}
    join empty e on e.day >= shop.today - p.days
    left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = e.variant_id
    cross join lateral (
      select coalesce(sum(d.units), 0)::int as units
      from demand_day d
      where d.shop_id = ${shopId} and d.variant_id = e.variant_id and d.day >= shop.today - p.days and d.day < shop.today
    ) sold
    group by e.variant_id, p.days, shop.today, shop.known_day, y.first_day, sold.units
    order by e.variant_id, p.days
  `)
}

/**
 * What was not sold on the days without stock: what the forecast expected when the week of the day began; on other days the mean of the
 * period's days in stock, with fewer than seven of those the current forecast.
 *
 * Example: 30 days, 10 of them without stock, 40 sold on the other 20: 2 a day. Six of the ten are in weeks with a forecast of 84 in four
 * weeks, 3 a day: 6 × 3 + 4 × 2 = 26 lost.
 */
export function lostUnits(
  { daysKnown, emptyDays, forecastDays, forecastUnits, soldUnits }: SoldOut,
  currentPerDay: number,
): number {
  const daysInStock = daysKnown - emptyDays
  const perDay = daysInStock >= minDaysInStock ? soldUnits / daysInStock : currentPerDay
  return oneDecimal(forecastUnits + (emptyDays - forecastDays) * perDay)
}
