import { Type } from '@sinclair/typebox'
import { sql } from '../../db/db.ts'
import { Nullable } from '../../schemas/common.ts'
import { thisWeekOf } from './weeks.ts'

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

/**
 * SQL for a lateral join to a reorder rule: the forecast for its variant and location that a reorder point may trust, or
 * no row. It is of this week or the last one, and its error was measured, or it is that of the type of a new product, or
 * a person entered it. A plain average of a few weeks says no more than the sales of 90 days.
 */
export function usableForecast(shopId: number, rule: string) {
  const r = sql.identifier([rule])
  return sql.fragment`
    select f.week, f.model, f.wape, f.units, f.standard_error, f.is_of_type
    from variant_forecast f
    where f.shop_id = ${shopId} and f.variant_id = ${r}.variant_id and f.location_id is not distinct from ${r}.location_id
      and f.week >= ${thisWeekOf(shopId)} - 7 and (f.wape is not null or f.is_of_type or f.model = 'manual')
    offset 0
  `
}
