import t from 'tap'
import { type Outcome, wapeOf } from '../../../bench/forecast/accuracy.ts'
import { type ModelName, patternOf } from '../../../shared/forecast/candidates.ts'
import {
  errorsOf,
  forecastSeries,
  type TestedSeries,
  testSeries,
} from '../../../shared/forecast/forecast-series.ts'
import { croston } from '../../../shared/forecast/models/croston.ts'
import { addErrors, type PooledErrors, pooledFactor, poolOf } from '../../../shared/forecast/pooled-errors.ts'
import { type Series, sumOf } from '../../../shared/forecast/series.ts'
import { poisson, seeded } from '../../support/make/series.ts'

const weeks = 104
const horizon = 4
const season = { length: 52, phase: 0, profile: null }

/** Series of two years and four weeks, from one generator. */
function makeSeries(
  demandOf: (random: () => number, number: number) => (week: number) => number,
  length = 60,
): number[][] {
  const random = seeded(11)
  return Array.from({ length }, (_, number) => {
    const demand = demandOf(random, number)
    return Array.from({ length: weeks + horizon }, (_, week) => demand(week))
  })
}

/** Backtests together what a shop has of one kind, and forecasts the last four weeks of each. */
function forecastAll(all: readonly Series[]) {
  const known = all.map((series) => series.slice(0, weeks))
  const pool: PooledErrors = {}
  const tested = known.map((series) => testSeries(series, { season, horizon }))
  for (const test of tested) addErrors(pool, test.pattern, errorsOf(test))
  const forecasts = known.map((series) => forecastSeries(series, { season, horizon, rows: 26, pool }))
  const outcomes: Outcome[] = forecasts.map(({ ahead }, at) => ({
    forecast: sumOf(ahead.slice(0, horizon)),
    actual: sumOf((all[at] ?? []).slice(weeks).map((value) => value ?? 0)),
  }))
  return { forecasts, wape: wapeOf(outcomes) ?? Number.NaN }
}

/** The WAPE of the last four weeks with one forecast for each series. */
function wapeWith(all: readonly number[][], forecast: (known: readonly number[]) => number): number {
  const outcomes = all.map((series) => ({
    forecast: forecast(series.slice(0, weeks)),
    actual: sumOf(series.slice(weeks)),
  }))
  return wapeOf(outcomes) ?? Number.NaN
}

const share = (forecasts: readonly { model: ModelName }[], models: readonly ModelName[]) =>
  forecasts.filter(({ model }) => models.includes(model)).length / forecasts.length

const lastMean = (rows: number) => (known: readonly number[]) =>
  (horizon * sumOf(known.slice(-rows))) / Math.min(rows, known.length)

t.test('on two years of season a seasonal model wins', async (t) => {
  const all = makeSeries((random) => {
    const [level, start] = [40 + 40 * random(), Math.floor(52 * random())]
    return (week) => poisson(random, level * (1 + 0.6 * Math.sin((2 * Math.PI * (week + start)) / 52)))
  })
  const { forecasts, wape } = forecastAll(all)
  const seasonal = ['seasonal_naive', 'seasonal_mean', 'seasonal_smoothing', 'seasonal_holt'] as const
  t.ok(share(forecasts, seasonal) > 0.95, `${share(forecasts, seasonal)}`)
  t.ok(wape < 0.8 * wapeWith(all, lastMean(12)), 'it is less wrong than the average')
  t.ok(wape < wapeWith(all, (known) => sumOf(known.slice(-52, -48))), 'and than the same weeks of last year')
})

t.test(
  'on random intermittent demand averages of a year or more win, and the blend is as good',
  async (t) => {
    const all = makeSeries((random) => {
      const [rate, size] = [0.1 + 0.3 * random(), 3 + 4 * random()]
      return () => (random() < rate ? 1 + poisson(random, size) : 0)
    }, 200)
    const { forecasts, wape } = forecastAll(all)
    const crostonAlone = wapeWith(all, (known) => sumOf(croston(known, horizon).ahead))
    const found = JSON.stringify({ wape, crostonAlone, year: wapeWith(all, lastMean(52)) })
    t.ok(
      wape < 0.95 * wapeWith(all, lastMean(12)),
      `it is less wrong than the average of twelve weeks: ${found}`,
    )
    t.ok(wape < 1.02 * crostonAlone && wape < 1.03 * wapeWith(all, lastMean(52)), found)
    t.ok(share(forecasts, ['mean', 'long_mean']) > 0.5 && share(forecasts, ['croston']) > 0)
  },
)

t.test("where demand comes back at even intervals, Croston's method wins", async (t) => {
  const all = makeSeries((random) => {
    const [rate, size] = [0.1 + 0.3 * random(), 3 + 4 * random()]
    const interval = Math.round(1 / rate)
    const start = Math.floor(interval * random())
    return (week) => ((week + start) % interval === 0 ? 1 + poisson(random, size) : 0)
  })
  const { forecasts, wape } = forecastAll(all)
  t.ok(share(forecasts, ['croston']) > 0.5, `${share(forecasts, ['croston'])}`)
  t.ok(wape <= wapeWith(all, lastMean(12)), 'it is less wrong than the average of twelve weeks')
})

t.test('on noise an average wins', async (t) => {
  const all = makeSeries((random) => {
    const level = 20 + 30 * random()
    return () => poisson(random, level)
  })
  const { forecasts, wape } = forecastAll(all)
  t.ok(share(forecasts, ['mean']) > 0.5, `${share(forecasts, ['mean'])}`)
  t.ok(wape <= 1.02 * wapeWith(all, lastMean(12)))
})

t.test('without a season in the data, the seasonal models count for little', async (t) => {
  const all = makeSeries((random) => {
    const level = 20 + 30 * random()
    return () => poisson(random, level)
  })
  const { forecasts } = forecastAll(all)
  const seasonal = forecasts.map(
    ({ weights }) => (weights.seasonal_naive ?? 0) + (weights.seasonal_mean ?? 0),
  )
  t.ok(sumOf(seasonal) / seasonal.length < 0.3, `${sumOf(seasonal) / seasonal.length}`)
})

t.test('a product of three weeks has the plain average of its known weeks', async (t) => {
  const { model, wape, ahead, standardError } = forecastSeries([4, null, 8], {
    season,
    horizon,
    rows: 2,
    pool: {},
  })
  t.strictSame({ model, wape, ahead }, { model: 'mean', wape: null, ahead: [6, 6] })
  t.equal(Number(standardError.toFixed(3)), 2.828, 'the deviation of 4 and 8')
  t.strictSame(forecastSeries([], { season, horizon, rows: 2, pool: {} }).ahead, [0, 0])
})

t.test('weeks without stock are unknown, not without demand', async (t) => {
  const random = seeded(3)
  const sold = Array.from({ length: weeks }, () => poisson(random, 30))
  const emptyJuly = sold.map((units, week) => (week % 52 >= 26 && week % 52 < 31 ? null : units))
  const asZero = emptyJuly.map((units) => units ?? 0)
  const total = (series: Series) =>
    sumOf(forecastSeries(series, { season, horizon, rows: 30, pool: {} }).ahead)
  const [full, unknown, zero] = [total(sold), total(emptyJuly), total(asZero)]
  t.ok(Math.abs(unknown - full) < 0.05 * full, `${unknown} instead of ${full}`)
  t.ok(zero < 0.95 * full, 'a demand of zero would lower the forecast')
})

t.test('the standard error is that of one week, also where weeks are unknown', async (t) => {
  const random = seeded(7)
  const noise = () => 5 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const all = Array.from({ length: 200 }, () => Array.from({ length: weeks }, () => 50 + noise()))
  const errorOf = (isKnown: (week: number) => boolean) => {
    const errors = all.map((series) => {
      const rows = series.map((value, week) => (isKnown(week) ? value : null))
      return forecastSeries(rows, { season, horizon, rows: 1, pool: {} }).standardError
    })
    return Math.sqrt(sumOf(errors.map((error) => error ** 2)) / errors.length)
  }
  for (const [name, error] of [
    ['all', errorOf(() => true)],
    ['two of three', errorOf((week) => week % 3 > 0)],
  ] as const)
    t.ok(error > 4.6 && error < 5.6, `${name} known: ${error}`)
})

t.test('the same series gives the same forecast, and the future changes nothing', async (t) => {
  const random = seeded(5)
  const series = Array.from({ length: weeks }, () => poisson(random, 10))
  const first = forecastSeries(series, { season, horizon, rows: 26, pool: {} })
  t.strictSame(forecastSeries([...series], { season, horizon, rows: 26, pool: {} }), first)
  const { totals } = testSeries(series, { season, horizon })
  const { totals: changed } = testSeries([...series.slice(0, -1), 1_000], { season, horizon })
  t.strictSame(
    changed?.forecasts.map(([, forecasts]) => forecasts),
    totals?.forecasts.map(([, forecasts]) => forecasts),
    'a forecast of the backtest sees only the weeks before its origin',
  )
})

t.test('unknown weeks do not end the backtest: the known ones of a total are compared', async (t) => {
  const random = seeded(13)
  const series = Array.from({ length: 30 }, (_, week) => (week % 3 === 0 ? null : poisson(random, 20)))
  const { totals } = testSeries(series, { season, horizon })
  t.equal(totals?.actual.length, 8)
  // rows 22 to 25 have two known ones, 24 is unknown
  const known = series.slice(22, 26).filter((units) => units !== null)
  t.equal(totals?.actual[3], sumOf(known))
  const mean = totals?.forecasts.find(([name]) => name === 'mean')?.[1][3] ?? 0
  t.ok(Math.abs(mean - 20 * known.length) < 10 * known.length, 'so are those of the forecast')
  const rare = series.map((units, week) => (week % 4 === 0 ? units : null))
  t.equal(testSeries(rare, { season, horizon }).totals, null, 'one known week of four says too little')
})

t.test('a series that is too short for a backtest has the weights of similar ones', async (t) => {
  const errors = { naive: 1, recent_mean: 100, moving_average: 100, mean: 100, long_mean: 100 }
  const pool: PooledErrors = {
    regular: { series: 50, errors: { ...errors, exponential_smoothing: 100, damped_holt: 100 } },
  }
  const short = [5, 9, 2, 20]
  const { model, wape, ahead } = forecastSeries(short, { season, horizon, rows: 2, pool })
  t.match({ model, wape }, { model: 'naive', wape: null })
  t.ok(ahead.every((units) => Math.abs(units - 20) < 0.1))
  t.equal(forecastSeries(short, { season, horizon, rows: 2, pool: {} }).model, 'mean')
  t.equal(forecastSeries([5, 9, 20], { season, horizon, rows: 2, pool }).model, 'mean', 'three weeks')
})

t.test('later origins count more', async (t) => {
  const totals = {
    actual: [10, 10],
    ages: [1, 0],
    forecasts: [
      ['naive', [0, 10]],
      ['mean', [10, 0]],
    ],
  }
  t.strictSame(errorsOf({ pattern: 'regular', totals } as TestedSeries), [
    ['naive', 9],
    ['mean', 10],
  ])
})

t.test('weights add up to 1, and the chosen model has one of the largest', async (t) => {
  const random = seeded(7)
  for (let round = 0; round < 50; round += 1) {
    const series = Array.from({ length: 12 + 2 * round }, () => (random() < 0.8 ? poisson(random, 5) : null))
    const { model, weights, ahead } = forecastSeries(series, { season, horizon, rows: 5, pool: {} })
    const all = Object.values(weights)
    t.ok(Math.abs(sumOf(all) - 1) < 1e-9)
    t.ok((weights[model] ?? 0) >= 0.9 * Math.max(...all))
    t.ok(ahead.every((units) => units >= 0 && Number.isFinite(units)))
  }
})

t.test('demand with long intervals has a season only when its years resemble each other', async (t) => {
  const summer = Array.from({ length: weeks }, (_, week) => (week % 52 < 20 ? 5 + (week % 3) : 0))
  const random = seeded(9)
  const rare = Array.from({ length: weeks }, () => (random() < 0.2 ? 4 : 0))
  t.equal(patternOf(summer, season), 'intermittent_seasonal')
  t.equal(patternOf(rare, season), 'intermittent')
  t.equal(patternOf(rare.slice(0, 30), season), 'intermittent')
  t.equal(patternOf(Array<number>(60).fill(3), season), 'regular_seasonal')
  t.equal(patternOf(Array<number>(55).fill(3), season), 'regular')
})

t.test('similar series change the weights, the more the more they are', async (t) => {
  const pool = (series: number): PooledErrors => ({
    intermittent: { series, errors: { mean: 100, croston: 50, damped_holt: 150 } },
  })
  // p = 12 * 10 / 20 = 6: (0.01 + 0.5)^-6 = 56.8
  t.equal(Number(pooledFactor(pool(10), 'intermittent', 'croston').toFixed(1)), 56.8)
  t.ok(pooledFactor(pool(1), 'intermittent', 'croston') < 2.1)
  t.equal(pooledFactor(pool(30), 'regular', 'croston'), 1, 'other patterns say nothing')
  t.strictSame(poolOf(pool(30), pool(500)), pool(30), 'a type with enough series has its own errors')
  t.strictSame(poolOf(pool(29), pool(500)), pool(500))
})
