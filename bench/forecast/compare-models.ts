import { errorsOf, forecastSeries, testSeries } from '../../shared/forecast/forecast-series.ts'
import { croston } from '../../shared/forecast/models/croston.ts'
import { dampedHolt } from '../../shared/forecast/models/damped-holt.ts'
import { exponentialSmoothing } from '../../shared/forecast/models/exponential-smoothing.ts'
import { mean } from '../../shared/forecast/models/mean.ts'
import { naive, seasonalNaive } from '../../shared/forecast/models/naive.ts'
import { addErrors, type PooledErrors } from '../../shared/forecast/pooled-errors.ts'
import { addRatios, emptyRatios, profileOf, ratiosOf } from '../../shared/forecast/seasonal-index.ts'
import { meanOf, type Series, sumOf, totalOf } from '../../shared/forecast/series.ts'
import { biasOf, naiveScale, type Outcome, wapeOf } from './accuracy.ts'

export type Comparison = { season: number; horizon: number; origins: readonly number[] }
export type ModelAccuracy = {
  name: string
  isOurs: boolean
  wape: number
  mase: number
  bias: number
  milliseconds: number
}

/** Forecasts the totals of all series, which are cut at one origin. */
type Forecaster = (known: readonly Series[]) => number[]

/** Compares the models at each origin: so many rows before the end. They see only the rows before it. */
export function compareModels(all: readonly Series[], comparison: Comparison): ModelAccuracy[] {
  const forecasters = forecastersOf(comparison)
  return forecasters.map(([name, forecaster]) => {
    const startedAt = performance.now()
    const outcomes: Outcome[] = []
    const scaled: number[] = []
    for (const origin of comparison.origins) {
      for (const { outcome, scale } of outcomesAt(all, comparison.horizon, origin, forecaster)) {
        outcomes.push(outcome)
        if (scale !== null) scaled.push(Math.abs(outcome.forecast - outcome.actual) / scale)
      }
    }
    return {
      name,
      isOurs: name === 'ours',
      wape: wapeOf(outcomes) ?? Number.NaN,
      mase: scaled.length > 0 ? meanOf(scaled) : Number.NaN,
      bias: biasOf(outcomes) ?? Number.NaN,
      milliseconds: performance.now() - startedAt,
    }
  })
}

function outcomesAt(all: readonly Series[], horizon: number, origin: number, forecaster: Forecaster) {
  const rows = (all[0]?.length ?? 0) - origin
  const known = all.map((series) => series.slice(0, Math.max(0, rows)))
  const forecasts = forecaster(known)
  return all.flatMap((series, at) => {
    const before = known[at] ?? []
    const actual = totalOf(series, rows, horizon)
    if (actual === null || before.every((value) => value === null)) return []
    return [{ outcome: { forecast: forecasts[at] ?? 0, actual }, scale: naiveScale(before, horizon) }]
  })
}

function forecastersOf({ season, horizon }: Comparison): [string, Forecaster][] {
  const single = (model: (series: Series) => { ahead: number[] }): Forecaster => {
    return (known) => known.map((series) => sumOf(model(series).ahead))
  }
  return [
    ['naive', single((series) => naive(series, horizon))],
    ['seasonal naive', single((series) => seasonalNaive(series, horizon, season))],
    ['mean of 12', single((series) => mean(series, horizon, 12))],
    ['simple exponential smoothing', single((series) => exponentialSmoothing(series, horizon))],
    ['damped Holt', single((series) => dampedHolt(series, horizon))],
    ['Croston-SBA', single((series) => croston(series, horizon))],
    ['ours', (known) => forecastTogether(known, season, horizon)],
  ]
}

/** The series of a file are one product type: they share the seasonal profile, and the errors of their backtests. */
function forecastTogether(known: readonly Series[], length: number, horizon: number): number[] {
  const cut = known.map(withoutUnknownStart)
  const ratios = emptyRatios(length)
  for (const { series, phase } of cut) addRatios(ratios, ratiosOf(series, { length, phase }))
  const profile = profileOf(ratios)
  const pool: PooledErrors = {}
  for (const { series, phase } of cut) {
    const tested = testSeries(series, { season: { length, phase, profile }, horizon })
    addErrors(pool, tested.pattern, errorsOf(tested))
  }
  return cut.map(({ series, phase }) => {
    const season = { length, phase, profile }
    return sumOf(forecastSeries(series, { season, horizon, rows: horizon, pool }).ahead)
  })
}

function withoutUnknownStart(series: Series): { series: Series; phase: number } {
  const first = series.findIndex((value) => value !== null)
  return first === -1 ? { series: [], phase: 0 } : { series: series.slice(first), phase: first }
}
