import { sampleCorrelation } from 'simple-statistics'
import { croston } from './models/croston.ts'
import { dampedHolt } from './models/damped-holt.ts'
import { exponentialSmoothing } from './models/exponential-smoothing.ts'
import { mean } from './models/mean.ts'
import { naive, seasonalNaive } from './models/naive.ts'
import { indexAt, minSeasonalRows, seasonalIndex } from './seasonal-index.ts'
import { demandInterval, type Fit, maxRegularInterval, type Season, type Series } from './series.ts'

/** The simpler model comes first: of equal ones, the choice takes the first. */
export const modelNames = [
  'naive',
  'seasonal_naive',
  'recent_mean',
  'moving_average',
  'mean',
  'long_mean',
  'exponential_smoothing',
  'croston',
  'damped_holt',
  'seasonal_mean',
  'seasonal_smoothing',
  'seasonal_holt',
] as const
export type ModelName = (typeof modelNames)[number]

/** The pattern of a series decides which models are candidates. */
export const patterns = ['regular', 'regular_seasonal', 'intermittent', 'intermittent_seasonal'] as const
export type Pattern = (typeof patterns)[number]

/** Rows of two seasons that have to agree before intermittent demand counts as seasonal. */
const minPairs = 12
const minCorrelation = 0.5
const minEvidence = 2.5

/**
 * Intermittent above an average demand interval of 1.32. Regular demand is seasonal from 56 weeks on. Intermittent
 * demand has a season only when the rows of one season resemble those of the season before: correlation r of n pairs
 * of at least 0.5 with r √n of at least 2.5; otherwise its "season" repeats single sales of last year.
 */
export function patternOf(series: Series, { length }: Pick<Season, 'length'>): Pattern {
  const isLong = series.length >= minSeasonalRows(length)
  if (demandInterval(series) <= maxRegularInterval) return isLong ? 'regular_seasonal' : 'regular'
  return isLong && hasSeason(series, length) ? 'intermittent_seasonal' : 'intermittent'
}

function hasSeason(series: Series, length: number): boolean {
  const before: number[] = []
  const after: number[] = []
  for (let at = length; at < series.length; at += 1) {
    const [a = null, b = null] = [series[at - length], series[at]]
    if (a === null || b === null) continue
    before.push(a)
    after.push(b)
  }
  if (before.length < minPairs || isConstant(before) || isConstant(after)) return false
  const correlation = sampleCorrelation(before, after)
  return correlation >= minCorrelation && correlation * Math.sqrt(before.length) >= minEvidence
}

/** Regular demand that has just changed its level needs few rows. */
const recentRows = 4
/** In weeks. With 26, the forecast would follow too late when a product stops selling. */
const maxWindow = 13

/** A smaller divisor would turn a small demand into a large level. */
const minDivisor = 0.1

const isConstant = (values: readonly number[]) => values.every((value) => value === values[0])

/** The forecasts of all candidates of a pattern, in the order of `modelNames`. */
export function fitCandidates(
  series: Series,
  rows: number,
  season: Season,
  pattern: Pattern,
): [ModelName, Fit][] {
  const { length } = season
  const plain: [ModelName, Fit][] = [
    ['mean', mean(series, rows, length)],
    ['exponential_smoothing', exponentialSmoothing(series, rows)],
    ['damped_holt', dampedHolt(series, rows)],
  ]
  const windows: [ModelName, Fit][] = [
    ['moving_average', mean(series, rows, Math.min(maxWindow, Math.ceil(length / 2)))],
    ['long_mean', mean(series, rows, 2 * length)],
  ]
  const latest: [ModelName, Fit][] = [
    ['naive', naive(series, rows)],
    ['recent_mean', mean(series, rows, recentRows)],
  ]
  switch (pattern) {
    case 'regular':
      return inOrder([...latest, ...windows, ...plain])
    case 'intermittent':
      return inOrder([...windows, ...plain, ['croston', croston(series, rows)]])
    case 'intermittent_seasonal':
      return inOrder([
        ...plain,
        ['croston', croston(series, rows)],
        ...seasonalCandidates(series, rows, season).slice(0, 2),
      ])
    case 'regular_seasonal':
      return inOrder([...latest, ...plain, ...seasonalCandidates(series, rows, season)])
  }
}

const inOrder = (fits: [ModelName, Fit][]) =>
  fits.sort(([a], [b]) => modelNames.indexOf(a) - modelNames.indexOf(b))

/** The seasonal models work on demand divided by its index, and multiply their result by the index of the row ahead. */
function seasonalCandidates(series: Series, rows: number, season: Season): [ModelName, Fit][] {
  const indices = seasonalIndex(series, season)
  const adjusted = series.map((value, at) =>
    value === null ? null : value / Math.max(minDivisor, indexAt(indices, season, at)),
  )
  const withSeason = ({ ahead, parameters }: Fit): Fit => ({
    ahead: ahead.map((value, step) => value * indexAt(indices, season, series.length + step)),
    parameters,
  })
  return [
    ['seasonal_naive', seasonalNaive(series, rows, season.length)],
    ['seasonal_mean', withSeason(seasonalMean(series, rows, season, indices))],
    ['seasonal_smoothing', withSeason(exponentialSmoothing(adjusted, rows))],
    ['seasonal_holt', withSeason(dampedHolt(adjusted, rows))],
  ]
}

/** The level of the last season: its demand by the sum of its indices, which a row with a small index cannot distort. */
function seasonalMean(series: Series, rows: number, season: Season, indices: readonly number[]): Fit {
  let demand = 0
  let weight = 0
  for (let at = Math.max(0, series.length - season.length); at < series.length; at += 1) {
    const value = series[at] ?? null
    if (value === null) continue
    demand += value
    weight += indexAt(indices, season, at)
  }
  return {
    ahead: new Array<number>(rows).fill(weight === 0 ? 0 : demand / weight),
    parameters: { window: season.length },
  }
}
