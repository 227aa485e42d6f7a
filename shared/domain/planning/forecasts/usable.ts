import { Type } from '@sinclair/typebox'
import { sql } from '../../../db/db.ts'
import { Nullable } from '../../../schemas/common.ts'
import { timeZoneOf } from '../../kit/date-range.ts'
import { knownSinceOf } from '../../ledgers/demand/known-days.ts'
import { rolledUntil } from '../../ledgers/demand/sold-at-location.ts'
import { thisWeekOf } from './weeks.ts'

/** The weeks of a backtest: an error has no share of a demand that was zero in all of them. */
const backtestWeeks = 12

/** The columns of `usableForecast`; null without one. `ahead` are units by week, the first one starts on `week`. */
export const forecastColumns = {
  week: Nullable(Type.String()),
  model: Nullable(Type.String()),
  wape: Nullable(Type.Number()),
  ahead: Nullable(Type.Array(Type.Number())),
  standardError: Nullable(Type.Number()),
  isOfType: Type.Boolean(),
}

export const selectedForecast = sql.fragment`
  f.week::text as week, f.model, f.wape, f.units as ahead, f.standard_error, coalesce(f.is_of_type, false) as is_of_type
`

/** SQL: whether a forecast is of this week or the last one, from its alias. */
export const isCurrent = (shopId: number, forecast: string) =>
  sql.fragment`${sql.identifier([forecast, 'week'])} >= ${thisWeekOf(shopId)} - 7`

/**
 * SQL for a lateral join to a reorder rule: the forecast for its variant and location that a reorder point may trust, or
 * no row. It is current, and one of these holds:
 *
 * 1. Its error was measured.
 * 2. It is that of the type of a new product, or a person entered it.
 * 3. Nothing was sold in the 12 weeks of the backtest, which are all known: without demand the error has no share.
 *
 * A plain average of a few weeks says no more than the sales of 90 days.
 */
export function usableForecast(shopId: number, rule: string) {
  const r = sql.identifier([rule])
  return sql.fragment`
    select f.week, f.model, f.wape, f.units, f.standard_error, f.is_of_type
    from variant_forecast f
    where f.shop_id = ${shopId} and f.variant_id = ${r}.variant_id and f.location_id is not distinct from ${r}.location_id
      and ${isCurrent(shopId, 'f')}
      and (
        f.wape is not null or f.is_of_type or f.model = 'manual'
        or coalesce((${wasWithoutDemand(shopId)}), false)
      )
    offset 0
  `
}

/** SQL: whether forecast `f` is of 12 known weeks without demand. */
const wasWithoutDemand = (shopId: number) => sql.fragment`
  select greatest((${knownSinceOf(shopId)} at time zone ${timeZoneOf(shopId)})::date, y.first_day) <= f.week - ${backtestWeeks * 7}::int
    and f.week <= ${rolledUntil(shopId)} + 1
    and not exists (
      select from demand_day d
      where d.shop_id = ${shopId} and d.variant_id = f.variant_id
        and (f.location_id is null or d.location_id = f.location_id)
        and d.day >= f.week - ${backtestWeeks * 7}::int and d.units > 0
    )
  from (values (1)) as always (one)
  left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = f.variant_id
`
