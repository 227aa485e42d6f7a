import t from 'tap'
import { type Outcome, wapeOf } from '../../../shared/forecast/accuracy.ts'
import { type ModelName, patternOf } from '../../../shared/forecast/candidates.ts'
import { errorsOf, forecastSeries, testSeries } from '../../../shared/forecast/forecast-series.ts'
import { addErrors, joinErrors, type PooledErrors, pooledFactor } from '../../../shared/forecast/pooled-errors.ts'
import { type Series, sumOf } from '../../../shared/forecast/series.ts'
import { poisson, seeded } from '../../support/make/series.ts'

const weeks = 104
const horizon = 4
const season = { length: 52, phase: 0, profile: null }

/** 60 series of two years and four weeks, from one generator. */
function makeSeries(demandOf: (random: () => number, number: number) => (week: number) => number): number[][] {
  const random = seeded(11)
  return Array.from({ length: 60 }, (_, number) => {
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

t.test("on intermittent demand Croston's method wins", async (t) => {
  const all = makeSeries((random) => {
    const [rate, size] = [0.1 + 0.3 * random(), 3 + 4 * random()]
    // a demand comes back at nearly even intervals, so that its rate is known from many of them
    const interval = Math.round(1 / rate)
    const start = Math.floor(interval * random())
    return (week) => ((week + start) % interval === 0 ? 1 + poisson(random, size) : 0)
  })
  const { forecasts, wape } = forecastAll(all)
  console.log(Object.groupBy(forecasts, (f) => f.model).croston?.length, wape, wapeWith(all, lastMean(12)))
  t.ok(share(forecasts, ['croston']) > 0.5, `${share(forecasts, ['croston'])}`)
  t.ok(wape <= wapeWith(all, lastMean(12)), 'it is less wrong than the average of twelve weeks')
})

t.test('on noise an average wins', async (t) => {
  const all = makeSeries((random) => {
    const level = 20 + 30 * random()
    return () => poisson(random, level)
  })
  const { forecasts, wape } = forecastAll(all)
  console.log(Object.entries(Object.groupBy(forecasts, (f) => f.model)).map(([k, v]) => [k, v?.length]), wape)
  t.ok(share(forecasts, ['mean', 'moving_average', 'long_mean']) > 0.5)
  t.ok(wape <= 1.02 * wapeWith(all, lastMean(12)))
})
