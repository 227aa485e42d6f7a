import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { meanOf } from '../../../forecast/series.ts'
import type { StoredForecast } from './forecast-of.ts'

const Entry = Type.Object({ variantId: Type.Integer(), unitsPerWeek: Type.Number() })

/** Returns the weekly number that a person entered for a variant. */
export async function readEntries(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const entries = await db.any(sql.type(row(Entry))`
    select variant_id, units_per_week
    from forecast_entry
    where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
      and units_per_week is not null
  `)
  return new Map(entries.map(({ variantId, unitsPerWeek }) => [variantId, unitsPerWeek]))
}

/**
 * Replaces computed forecasts by what a person entered: the same number each week, also during events. A location gets its
 * share: its computed part of all locations; of a computed 0, or when the type of a new product says nothing about its
 * locations, an equal one. The error stays that of the computed
 * forecast, so safety stock stays.
 *
 * Example: computed 10 a week, of it 4 at a location; entered 20: the location gets 8. Computed 0 at two locations: 10 each.
 */
export function withEntries(
  forecasts: readonly StoredForecast[],
  entries: ReadonlyMap<number, number>,
): readonly StoredForecast[] {
  const computed = new Map(
    forecasts.filter(({ location_id }) => location_id === null).map((whole) => [whole.variant_id, whole]),
  )
  const places = Map.groupBy(
    forecasts.filter(({ location_id }) => location_id !== null),
    ({ variant_id }) => variant_id,
  )
  return forecasts.map((forecast) => {
    const entered = entries.get(forecast.variant_id)
    if (entered === undefined) return forecast
    const all = computed.get(forecast.variant_id)
    const whole = meanOf(all?.units ?? [])
    const own = places.get(forecast.variant_id) ?? [forecast]
    const isUnknown = all?.is_of_type === true && own.every(({ units }) => meanOf(units) === 0)
    const placeShare = whole > 0 && !isUnknown ? meanOf(forecast.units) / whole : 1 / own.length
    const share = forecast.location_id === null ? 1 : placeShare
    const units = Math.round(entered * share * 1e4) / 1e4
    return {
      ...forecast,
      model: 'manual',
      weights: {},
      parameters: { unitsPerWeek: entered },
      wape: null,
      bias: null,
      units: forecast.units.map(() => units),
      is_of_type: false,
    }
  })
}
