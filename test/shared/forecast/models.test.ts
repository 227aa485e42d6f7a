import t from 'tap'
import { croston, smoothDemands } from '../../../shared/forecast/models/croston.ts'
import { dampedHolt, trend } from '../../../shared/forecast/models/damped-holt.ts'
import { exponentialSmoothing, smooth } from '../../../shared/forecast/models/exponential-smoothing.ts'
import { mean } from '../../../shared/forecast/models/mean.ts'
import { naive, seasonalNaive } from '../../../shared/forecast/models/naive.ts'
import { demandInterval, sumOf } from '../../../shared/forecast/series.ts'

const rounded = (value: number, digits = 3) => Number(value.toFixed(digits))

t.test('the naive model continues the last known demand', async (t) => {
  t.strictSame(naive([3, 5, null], 2).ahead, [5, 5])
  t.strictSame(naive([], 2).ahead, [0, 0])
})

t.test('the seasonal naive model repeats the same weeks of the year before, 364 days earlier', async (t) => {
  const weeks = Array.from({ length: 60 }, (_, at) => at)
  t.strictSame(seasonalNaive(weeks, 3, 52).ahead, [8, 9, 10])
  // 52 weeks are 364 days: from Monday 2 March 2026 to Monday 3 March 2025
  t.equal((Date.parse('2026-03-02') - Date.parse('2025-03-03')) / 86_400_000, 52 * 7)
  t.strictSame(
    seasonalNaive([1, 2, 3, 4, null, 6], 3, 4).ahead,
    [3, 4, 1],
    'an unknown week: the year before it',
  )
  t.strictSame(seasonalNaive([1, 2], 3, 4).ahead, [2, 2, 1], 'a place that was never known: the last demand')
})

t.test('a mean takes the last known rows', async (t) => {
  t.strictSame(mean([9, 2, null, 4, 6], 2, 3).ahead, [4, 4])
  t.strictSame(mean([1, 3], 1, 12).ahead, [2])
})

t.test(
  'exponential smoothing gives the levels of the oil example of Hyndman and Athanasopoulos',
  async (t) => {
    // "Forecasting: Principles and Practice", 2nd edition, 7.1: alpha 0.8339, first level 446.5868
    const oil = [
      445.36, 453.2, 454.41, 422.38, 456.04, 440.39, 425.19, 486.21, 500.43, 521.28, 508.95, 488.89, 509.87,
      456.72, 473.82, 525.95, 549.83, 542.34,
    ]
    t.equal(rounded(smooth(oil.slice(0, 1), 0.8339, 446.5868).level, 2), 445.56)
    t.equal(rounded(smooth(oil, 0.8339, 446.5868).level, 1), 542.7)
  },
)

t.test('exponential smoothing chooses the alpha with the smallest squared error', async (t) => {
  const step = [...Array<number>(20).fill(10), ...Array<number>(20).fill(30)]
  const { ahead, parameters } = exponentialSmoothing(step, 2)
  t.strictSame(parameters, { alpha: 1 })
  t.strictSame(ahead, [30, 30])
  t.strictSame(
    exponentialSmoothing([7, 7, 7, 7], 1),
    { ahead: [7], parameters: { alpha: 0.05 } },
    'the simplest',
  )
})

t.test('damped Holt follows the recurrences of Hyndman and Athanasopoulos, 8.2', async (t) => {
  // start 10, alpha 0.5, beta 0.2, phi 0.9; rows 12 and 14:
  // e = 12 - 10 = 2, l = 11, b = 0.2; e = 14 - 11.18 = 2.82, l = 12.59, b = 0.18 + 0.1 * 2.82 = 0.462
  const { level, slope, squares } = trend([12, 14], 0.5, 0.2, 10)
  t.same([rounded(level), rounded(slope), rounded(squares, 4)], [12.59, 0.462, 11.9524])
  const { ahead, parameters } = dampedHolt(
    Array.from({ length: 40 }, (_, at) => 100 + 5 * at),
    3,
  )
  t.equal(parameters.phi, 0.9)
  const [first = 0, second = 0, third = 0] = ahead
  t.ok(first > 290 && second > first, 'the trend continues')
  t.equal(rounded((third - second) / (second - first)), 0.9, 'and each row has 0.9 of the step before')
})

t.test(
  "Croston's method gives the sizes and intervals of the example of Hyndman and Athanasopoulos",
  async (t) => {
    // "Forecasting: Principles and Practice", 3rd edition, 13.8: 2.750 / 2.793 = 0.985
    const demand = [
      0, 2, 0, 1, 0, 11, 0, 0, 0, 0, 2, 0, 6, 3, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 1, 0, 1,
      0, 0,
    ]
    const { size, interval } = smoothDemands(demand)
    t.same([rounded(size), rounded(interval)], [2.75, 2.793])
    t.equal(rounded(size / interval), 0.985)
    // the correction of Syntetos and Boylan for alpha 0.1: 0.95 * 0.985
    t.same(
      croston(demand, 2).ahead.map((value) => rounded(value)),
      [0.935, 0.935],
    )
    t.strictSame(croston([0, 0, null], 1).ahead, [0])
  },
)

t.test('the average demand interval counts known rows only', async (t) => {
  t.equal(demandInterval([3, 0, 0, 2, 0, 1]), 2)
  t.equal(demandInterval([3, null, null, 2, 1]), 1)
  t.equal(demandInterval([0, 0]), Number.POSITIVE_INFINITY)
})

t.test('no model forecasts a negative demand', async (t) => {
  const falling = Array.from({ length: 20 }, (_, at) => Math.max(0, 60 - 6 * at))
  t.ok(sumOf(dampedHolt(falling, 30).ahead.filter((value) => value < 0)) === 0)
})
