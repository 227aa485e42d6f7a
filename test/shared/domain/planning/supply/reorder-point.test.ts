import fc from 'fast-check'
import t from 'tap'
import {
  leadTimeOf,
  normalQuantile,
  reorderPointOf,
} from '../../../../../shared/domain/planning/supply/reorder-point.ts'

const unmeasured = { orders: 0, mean: null, deviation: null }
const rule = { supplierDays: 10, serviceLevel: 95, reviewDays: 7 }

/** The demand over days with the given units sold. */
const demandOf = (days: number[]) => ({
  units: days.reduce((sum, units) => sum + units, 0),
  squares: days.reduce((sum, units) => sum + units * units, 0),
  inStockDays: days.length,
  knownDays: 90,
})

t.test('quantiles of the normal distribution match published tables', async (t) => {
  for (const [probability, quantile] of [
    [0.5, 0],
    [0.9, 1.2815515655446],
    [0.95, 1.6448536269515],
    [0.975, 1.95996398454],
    [0.98, 2.0537489106318],
    [0.99, 2.3263478740408],
    [0.999, 3.0902323061678],
  ] as const) {
    const error = Math.abs(normalQuantile(probability) - quantile)
    t.ok(error <= 1.15e-9 * quantile, `${probability} is off by ${error}`)
  }
})

t.test('a reorder point is the demand until the next delivery plus the safety stock', async (t) => {
  // 45 days with 1 sale and 45 with 3: mean 2 a day, standard deviation sqrt(90 / 89).
  const days = Array.from({ length: 90 }, (_, at) => (at % 2 === 0 ? 1 : 3))
  const fixed = reorderPointOf(demandOf(days), unmeasured, rule)
  // Over 10 + 7 days: 2 * 17 + 1.644853627 * sqrt(17 * 90 / 89) = 34 + 6.82, rounded up to 41.
  t.match(fixed, { reorderPoint: 41, reorderQuantity: 14 })
  t.match(fixed.inputs, {
    avgDailySales: 2,
    unitsSold: 180,
    countedDays: 90,
    inStockDays: 90,
    confidence: 'normal',
    leadTimeDays: 10,
    leadTimeDeviation: 0,
    leadTimeSource: 'supplier',
    measuredOrders: 0,
    serviceLevel: 95,
    reviewDays: 7,
  })
  t.ok(Math.abs(fixed.inputs.dailyDeviation - Math.sqrt(90 / 89)) < 1e-12)
  t.ok(Math.abs(fixed.inputs.safetyStock - 6.8197) < 0.001)

  // With a lead time of 12 days and a deviation of 3: 38 + 1.644853627 * sqrt(19 * 90 / 89 + 36) = 38 + 12.22.
  const measured = { orders: 3, mean: 12, deviation: 3 }
  t.match(reorderPointOf(demandOf(days), measured, rule), {
    reorderPoint: 51,
    inputs: { leadTimeDays: 12, leadTimeDeviation: 3, leadTimeSource: 'measured', measuredOrders: 3 },
  })
})

t.test('days without stock are excluded, unless fewer than 14 days remain', async (t) => {
  for (const [inStockDays, countedDays, confidence] of [
    [90, 90, 'normal'],
    [14, 14, 'normal'],
    [13, 90, 'low'],
    [0, 90, 'low'],
  ] as const) {
    const demand = demandOf(Array.from({ length: inStockDays }, () => 3))
    const { inputs } = reorderPointOf(demand, unmeasured, rule)
    t.match(inputs, { inStockDays, countedDays, confidence, avgDailySales: (3 * inStockDays) / countedDays })
  }
})

t.test('days before the sales are known do not count', async (t) => {
  // 30 sold in the 10 days of a product: 3 a day, although it was in stock on fewer than 14 days
  const demand = { ...demandOf(Array.from({ length: 10 }, () => 3)), knownDays: 10 }
  t.match(reorderPointOf(demand, unmeasured, rule), {
    reorderQuantity: 21,
    inputs: { avgDailySales: 3, countedDays: 10, periodDays: 10, confidence: 'low' },
  })
})

t.test('a floating-point error does not round a whole number up', async (t) => {
  // A third of a unit a day for 21 days, without deviation: 7.
  const steady = { units: 30, squares: 10, inStockDays: 90, knownDays: 90 }
  t.match(reorderPointOf(steady, unmeasured, { ...rule, supplierDays: 14 }), {
    reorderPoint: 7,
    reorderQuantity: 3,
  })
  const unsold = { units: 0, squares: 0, inStockDays: 90, knownDays: 90 }
  t.match(reorderPointOf(unsold, unmeasured, rule), { reorderPoint: 0, reorderQuantity: 1 })
  const huge = { units: 1e12, squares: 1e24, inStockDays: 90, knownDays: 90 }
  t.match(reorderPointOf(huge, unmeasured, rule), {
    reorderPoint: 1_000_000_000,
    reorderQuantity: 1_000_000_000,
  })
})

t.test('a lead time is measured, else that of the supplier, else assumed', async (t) => {
  const measured = { orders: 3, mean: 6.5, deviation: 1.5 }
  t.strictSame(leadTimeOf(measured, 10), { days: 6.5, deviation: 1.5, source: 'measured' })
  t.strictSame(leadTimeOf({ ...measured, orders: 2 }, 10), { days: 10, deviation: 0, source: 'supplier' })
  t.strictSame(leadTimeOf({ ...measured, orders: 2 }, 0), { days: 0, deviation: 0, source: 'supplier' })
  t.strictSame(leadTimeOf(unmeasured, null), { days: 14, deviation: 0, source: 'assumed' })
})

t.test('a higher service level or a longer wait never lowers the reorder point', async () => {
  const days = fc.array(fc.nat({ max: 1000 }), { minLength: 14, maxLength: 90 })
  const levels = fc.integer({ min: 90, max: 98 })
  fc.assert(
    fc.property(
      days,
      levels,
      fc.integer({ min: 1, max: 89 }),
      fc.nat({ max: 700 }),
      (sold, level, review, lead) => {
        const point = (changes: object) =>
          reorderPointOf(demandOf(sold), unmeasured, {
            serviceLevel: level,
            reviewDays: review,
            supplierDays: lead,
            ...changes,
          }).reorderPoint
        const usual = point({})
        return (
          Number.isInteger(usual) &&
          point({ serviceLevel: level + 1 }) >= usual &&
          point({ reviewDays: review + 1 }) >= usual &&
          point({ supplierDays: lead + 1 }) >= usual
        )
      },
    ),
  )
})
