import t from 'tap'
import { forecastPointOf } from '../../../../../shared/domain/planning/reorder/forecast-point.ts'

/** 10 a week from Monday 2 March 2026 on, with an error of 4. */
const forecast = {
  ...{ week: '2026-03-02', units: Array<number>(26).fill(10), standardError: 4 },
  ...{ model: 'seasonal_mean', wape: 0.18, isOfType: false },
}
const leadTime = { days: 21, deviation: 3.5, source: 'measured' } as const
const review = { today: '2026-03-02', serviceLevel: 95, reviewDays: 7, orderCycleDays: null }
const rounded = (value: number) => Number(value.toFixed(2))

// Silver, Pyke and Thomas, "Inventory and Production Management in Supply Chains", 4th edition, chapter 6
t.test('a point is the forecast over the lead time and the safety stock', async (t) => {
  const { reorderPoint, reorderQuantity, inputs } = forecastPointOf(forecast, leadTime, review)
  // L = 3 weeks, R = 1, σL = 0.5: SS = 1.6449 √(4 · 4² + 10² · 0.5²) = 1.6449 √89 = 15.52; 30 + 15.52 = 45.52
  t.equal(rounded(inputs.safetyStock), 15.52)
  t.equal(reorderPoint, 46)
  // up to 10 · (3 + 1) + 15.52; what the review sells after the arrival
  t.equal(rounded(inputs.orderUpTo), 55.52)
  t.equal(reorderQuantity, 10)
  t.match(inputs, {
    method: 'seasonal_mean',
    wape: 0.18,
    forecastUnits: 30,
    coverDays: 7,
    confidence: 'normal',
  })
  t.equal(rounded(inputs.avgDailySales), 1.43)
})

t.test('an order lasts for the order cycle of the supplier when that is longer', async (t) => {
  const cycle = forecastPointOf(forecast, leadTime, { ...review, orderCycleDays: 42 })
  // up to 10 · (3 + 6) + 15.52 = 105.52: 60 for six weeks; the point stays
  t.match(cycle, { reorderPoint: 46, reorderQuantity: 60, inputs: { coverDays: 42 } })
  t.equal(rounded(cycle.inputs.orderUpTo), 105.52)
})

t.test('a point follows the season of the weeks that it covers', async (t) => {
  // 4 of 7 days of the week with 7 are left on Thursday, then 14, then 28: 4 + 14 + 3 / 7 · 28 = 30 over 14 days
  const rising = { ...forecast, units: [7, 14, 28], standardError: 0 }
  const fixed = { days: 14, deviation: 0, source: 'supplier' } as const
  const computed = forecastPointOf(rising, fixed, { ...review, today: '2026-03-05' })
  // and 4 / 7 · 28 + 3 / 7 · 28 = 28 in the week after
  t.match(computed, { reorderPoint: 30, reorderQuantity: 28 })
})

t.test('without demand a point is 0, and the quantity 1', async (t) => {
  const none = { ...forecast, units: [0], standardError: 0 }
  t.match(forecastPointOf(none, leadTime, review), { reorderPoint: 0, reorderQuantity: 1 })
})

t.test('a forecast of the product type, or with an error above 100 %, is unsure', async (t) => {
  const confidenceOf = (fields: object) =>
    forecastPointOf({ ...forecast, ...fields }, leadTime, review).inputs.confidence
  t.equal(confidenceOf({ isOfType: true, wape: null }), 'low')
  t.equal(confidenceOf({ wape: 1.2 }), 'low')
  t.equal(confidenceOf({ model: 'manual', wape: null }), 'normal')
})
