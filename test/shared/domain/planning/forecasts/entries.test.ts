import t from 'tap'
import { withEntries } from '../../../../../shared/domain/planning/forecasts/entries.ts'
import type { StoredForecast } from '../../../../../shared/domain/planning/forecasts/forecast-of.ts'

const forecast = (location: number | null, units: number): StoredForecast => ({
  ...{ variant_id: 1, location_id: location, week: '2026-03-02', model: 'mean', weights: {}, parameters: {} },
  ...{ wape: null, bias: null, units: [units, units], standard_error: 1, is_of_type: false },
})

const unitsOf = (forecasts: readonly StoredForecast[]) =>
  withEntries(forecasts, new Map([[1, 20]])).map(({ units }) => units[0])

t.test('a location gets its computed part of a number by hand', async (t) => {
  t.strictSame(unitsOf([forecast(null, 10), forecast(1, 4), forecast(2, 6)]), [20, 8, 12])
})

t.test('of a computed forecast of 0 each location gets an equal part', async (t) => {
  t.strictSame(unitsOf([forecast(null, 0), forecast(1, 0), forecast(2, 0)]), [20, 10, 10])
})

t.test(
  'where the type of a new product says nothing about its locations, each gets an equal part',
  async (t) => {
    const ofType = [forecast(null, 10), forecast(1, 0), forecast(2, 0)].map((each) => ({
      ...each,
      is_of_type: each.location_id === null,
    }))
    t.strictSame(unitsOf(ofType), [20, 10, 10])
    t.strictSame(
      unitsOf([forecast(null, 10), forecast(1, 0)]),
      [20, 0],
      'a product that sells elsewhere only has no demand there',
    )
  },
)
