import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import {
  ForecastAccuracy,
  type ForecastAccuracyFilter,
  ForecastAccuracyTotal,
  type ForecastAccuracyTotalFilter,
} from '../../../schemas/forecasts.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { horizonWeeks } from '../../planning/forecasts/weeks.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'

const days = horizonWeeks * 7
/** The rule of a single week, at least 4 of 7 days in stock, for 28 days. */
const minDaysInStock = 16
/** Forecasts with a smaller bias are neither too high nor too low. */
const evenBias = 0.05

/**
 * SQL: the newest four weeks that are over and rolled up, with what was forecast for them when they began, and what was sold. Days
 * without stock are no demand of zero: units are raised to 28 days in stock. Units are worth the price, without one the cost.
 *
 * Example: 10 forecast at a price of 5, 6 sold on 21 days in stock: actual 6 · 28 / 21 = 8, error +2 units, +10 in money.
 */
const judged = (shopId: number, filter: ForecastAccuracyTotalFilter) => sql.fragment`
  period as materialized (
    select max(w.week) as week
    from forecast_week w
    where w.shop_id = ${shopId} and w.week + ${days - 1}::int <= (
      select r.rolled_until from demand_roll_up r where r.shop_id = ${shopId}
    )
  ),
  outcome as materialized (
    select w.variant_id, w.week, w.units as forecast, v.gid, v.sku, ${variantTitle('v', 'p')} as title,
      coalesce(v.price, v.unit_cost)::float8 as worth, ${days}::int - sold.empty_days as days_in_stock,
      sold.units * ${days}::float8 / nullif(${days}::int - sold.empty_days, 0) as actual
    from period
    join forecast_week w on w.shop_id = ${shopId} and w.week = period.week
    join variant v on v.shop_id = ${shopId} and v.id = w.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    cross join lateral (
      select coalesce(sum(d.units), 0)::float8 as units,
        count(distinct d.day) filter (where d.is_sold_out)::int as empty_days
      from demand_day d
      where d.shop_id = ${shopId} and d.variant_id = w.variant_id
        and d.day >= w.week and d.day < w.week + ${days}::int
    ) sold
    where ${sql.and([
      sql.fragment`v.deleted_at is null`,
      matchesSearch('v', filter.search),
      ...matchesProduct('p', filter),
    ])}
  )
`

const AccuracyRow = Type.Composite([ForecastAccuracy, PairKey])

/** Ranks are whole numbers from 0: the largest error in money first, then what has neither a price nor a cost. */
const rankOf = sql.fragment`(
  case when o.worth is null then 4000000000000000
  else greatest(0, 1000000000000000 - abs(o.forecast - o.actual) * o.worth * 1000) end
)::bigint`

/** Lists the forecast error of each variant that was in stock most of the time. */
export async function listForecastAccuracy(
  db: Db,
  shopId: number,
  filter: ForecastAccuracyFilter,
): Promise<Page<ForecastAccuracy>> {
  const after = readPair(filter.cursor)
  const rows = await db.any(sql.type(row(AccuracyRow))`
    with ${judged(shopId, filter)},
    ranked as (
      select o.*, ${rankOf} as rank from outcome o where o.days_in_stock >= ${minDaysInStock}
    )
    select gid as variant_id, sku, title, week::text as week, round(forecast::numeric, 1) as forecast_units,
      round(actual::numeric, 1) as actual_units, days_in_stock, round((forecast - actual)::numeric, 1) as error_units,
      round(((forecast - actual) * worth)::numeric, minor_digits(${currencyOf(shopId)})) as error_value,
      round((abs(forecast - actual) / nullif(actual, 0))::numeric, 4) as wape, rank, ranked.variant_id as row_id
    from ranked
    ${after ? sql.fragment`where (rank, ranked.variant_id) > (${after.rank}::bigint, ${after.rowId}::bigint)` : sql.fragment``}
    order by rank, ranked.variant_id
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}

const Total = Type.Omit(ForecastAccuracyTotal, ['trend'])

/** The error of all forecasts of the last four complete weeks together, weighted by the price. */
export async function getForecastAccuracyTotal(
  db: Db,
  shopId: number,
  filter: ForecastAccuracyTotalFilter,
): Promise<ForecastAccuracyTotal> {
  const total = await db.one(sql.type(row(Total))`
    with ${judged(shopId, filter)},
    summed as (
      select count(*) as variant_count, coalesce(sum(forecast * worth), 0) as forecast_value,
        coalesce(sum(actual * worth), 0) as actual_value, coalesce(sum(abs(forecast - actual) * worth), 0) as error_value
      from outcome
      where days_in_stock >= ${minDaysInStock}
    )
    select period.week::text as from, (period.week + ${days - 1}::int)::text as to,
      (
        select (min(w.week) + ${days}::int)::text from forecast_week w where w.shop_id = ${shopId}
      ) as ready_on,
      round((s.error_value / nullif(s.actual_value, 0))::numeric, 4) as wape,
      round(((s.forecast_value - s.actual_value) / nullif(s.actual_value, 0))::numeric, 4) as bias,
      round(s.forecast_value::numeric, minor_digits(${currencyOf(shopId)})) as forecast_value,
      round(s.actual_value::numeric, minor_digits(${currencyOf(shopId)})) as actual_value,
      s.variant_count, (select count(*) from outcome where days_in_stock < ${minDaysInStock}) as out_of_stock_count,
      ${currencyOf(shopId)} as currency
    from period
    cross join summed s
  `)
  const { bias } = total
  const trend = bias === null ? null : bias > evenBias ? 'too_high' : bias < -evenBias ? 'too_low' : 'even'
  return { ...total, trend }
}
