import { Kind, type Static, Type } from '@sinclair/typebox'
import { choices, Day, Gid, Id, Nullable, pairFields, Strict, Timestamp } from './common.ts'
import { VariantStockGap } from './planning.ts'
import { productSearch } from './products.ts'

const ForecastArrival = Type.Object({
  purchaseOrderId: Id,
  poNumber: Type.String(),
  supplierName: Type.String(),
  promisedAt: Type.Union([Timestamp, Type.Null()], {
    description: "The order's expected date, else the date of sending plus the supplier's lead time",
  }),
  expectedAt: Type.Union([Timestamp, Type.Null()], {
    description:
      'The promised date moved by `lateDays`; tomorrow when that has passed; null: no date is known',
  }),
  quantity: Type.Integer({ description: 'Outstanding pieces' }),
  lateDays: Type.Integer({
    description:
      'How many days after the promised date this supplier delivers, in the mean; below 0: before it',
  }),
  lateOrders: Type.Integer({
    description: 'Of how many received orders, at most the last ten; 0: fewer than three, so no correction',
  }),
})

const Units = Type.Number({ description: 'With one decimal' })

export const VariantForecast = Type.Object({
  variantId: Gid('ProductVariant'),
  history: Type.Array(
    Type.Object({
      week: Type.Unsafe<string>({ ...Day, description: 'Its Monday' }),
      units: Type.Integer(),
      inStock: Type.Boolean({ description: 'False: at least one day without stock' }),
      daysInStock: Type.Integer({ description: 'From 0 to 7' }),
    }),
    { description: 'The complete weeks of the last 52, the oldest first' },
  ),
  model: Nullable(Type.String({ description: '`manual`: entered by hand; null: no forecast yet' })),
  isOfType: Type.Boolean({ description: 'A new product: the first weeks of its type' }),
  isStale: Type.Boolean({ description: 'Demand or events changed; the worker computes a new forecast' }),
  wape: Nullable(
    Type.Number({ description: 'Mean error of four-week totals in the past: 0.18 is off by 18 %' }),
  ),
  bias: Nullable(Type.Number({ description: 'Above 0: forecasts were too high' })),
  weeks: Type.Array(
    Type.Object({
      week: Type.Unsafe<string>({ ...Day, description: 'Its Monday' }),
      units: Units,
      low: Units,
      high: Units,
    }),
    { description: 'The current week and those after it; four of five weeks should be from `low` to `high`' },
  ),
  arrivals: Type.Array(ForecastArrival),
  available: Type.Integer({ description: 'What can be sold now, at all locations' }),
  projected: Type.Array(Type.Object({ day: Day, quantity: Units }), {
    description: 'What is left at the end of each day, with the arrivals',
  }),
  gapOn: Nullable(
    Type.Unsafe<string>({ ...Day, description: 'The first day that does not meet its demand' }),
  ),
  nextArrivalOn: Nullable(
    Type.Unsafe<string>({ ...Day, description: 'The day of the first arrival after `gapOn`' }),
  ),
  missingUnits: Type.Number({ description: 'Demand that is not met from `gapOn` until the next arrival' }),
  gaps: Type.Array(VariantStockGap, {
    description: 'In total and by location, with their cures, as `GET /api/reports/stock-gaps` lists them',
  }),
  unitsPerWeek: Nullable(Type.Number({ description: 'Entered by hand; replaces the computed forecast' })),
  enteredBy: Nullable(Type.String()),
  enteredAt: Nullable(Timestamp),
  version: Type.Integer({ description: 'Of the number entered by hand; 0: never entered' }),
})
export type VariantForecast = Static<typeof VariantForecast>

/** With `version`, the update fails with `stale_version` when another request has changed the number since. */
export const ForecastEntry = Strict({
  unitsPerWeek: Type.Optional(
    Nullable(
      Type.Unsafe<number>({
        [Kind]: 'Decimal',
        type: 'number',
        decimals: 2,
        minimum: 0,
        maximum: 1_000_000,
        rule: 'must be a number from 0 to 1 000 000 with at most 2 decimals, or null for the computed forecast',
      }),
    ),
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, rule: 'must be the version that was read' }),
  ),
})
export type ForecastEntry = Static<typeof ForecastEntry>

export const ForecastAccuracyFilter = Strict({
  ...productSearch,
  ...pairFields,
})
export type ForecastAccuracyFilter = Static<typeof ForecastAccuracyFilter>

export const ForecastAccuracyTotalFilter = Strict(productSearch)
export type ForecastAccuracyTotalFilter = Static<typeof ForecastAccuracyTotalFilter>

/** A variant whose four weeks are over, the largest error in money first. */
export const ForecastAccuracy = Type.Object({
  variantId: Gid('ProductVariant'),
  sku: Type.String(),
  title: Type.String(),
  week: Type.Unsafe<string>({ ...Day, description: 'The Monday of the four weeks' }),
  forecastUnits: Type.Number(),
  actualUnits: Type.Number({ description: 'Sold, raised to 28 days in stock' }),
  daysInStock: Type.Integer({ description: 'Of 28' }),
  errorUnits: Type.Number({ description: 'Forecast minus actual; above 0: too high' }),
  errorValue: Nullable(
    Type.Number({ description: 'errorUnits at the price; null without a price and a cost' }),
  ),
  wape: Nullable(Type.Number({ description: '|errorUnits| / actualUnits; null when nothing was sold' })),
})
export type ForecastAccuracy = Static<typeof ForecastAccuracy>

const Days = Nullable(Day)

export const ForecastAccuracyTotal = Type.Object({
  from: Type.Unsafe<string | null>({
    ...Days,
    description: 'The first day of the four weeks; null: none are over yet',
  }),
  to: Type.Unsafe<string | null>({ ...Days, description: 'Their last day' }),
  readyOn: Type.Unsafe<string | null>({
    ...Days,
    description: 'When the first four weeks can be compared; null: no forecast yet',
  }),
  wape: Nullable(
    Type.Number({ description: 'Sum of |forecast - actual| / sum of actual, both at the price' }),
  ),
  bias: Nullable(Type.Number({ description: 'Above 0: forecasts were too high' })),
  forecastValue: Type.Number(),
  actualValue: Type.Number(),
  variantCount: Type.Integer({ description: 'Variants that were compared' }),
  outOfStockCount: Type.Integer({ description: 'Left out: in stock on fewer than 16 of the 28 days' }),
  currency: Type.String(),
  trend: Type.Unsafe<'too_high' | 'too_low' | 'even' | null>({
    ...Nullable(choices('too_high', 'too_low', 'even')),
    description: '`even`: the bias is at most 5 %',
  }),
})
export type ForecastAccuracyTotal = Static<typeof ForecastAccuracyTotal>
