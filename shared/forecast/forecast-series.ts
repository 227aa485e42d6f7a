import { fitCandidates, type ModelName, type Pattern, patternOf } from './candidates.ts'
import { mean } from './models/mean.ts'
import { type PooledErrors, pooledFactor } from './pooled-errors.ts'
import { type Fit, knownOf, type Season, type Series, sumOf } from './series.ts'

/** The forecast of a series, its models, and their error in the backtest. */
export type SeriesForecast = {
  /** The model with the largest weight. */
  model: ModelName
  /** Of the models that are blended; they add up to 1. */
  weights: Readonly<Partial<Record<ModelName, number>>>
  /** Of `model`. */
  parameters: Readonly<Record<string, number>>
  /** Of the backtest: Σ |forecast - demand| / Σ demand; null without demand, or without a backtest. */
  wape: number | null
  /** Of the backtest: Σ (forecast - demand) / Σ demand; null like `wape`. */
  bias: number | null
  /** Of one row, from the errors of the backtest, else from the spread of the rows. */
  standardError: number
  ahead: number[]
}

type Task = {
  season: Season
  /** The rows of the total that the backtest compares. */
  horizon: number
  /** How many rows to forecast. */
  rows: number
  /** The backtests of similar series. */
  pool: PooledErrors
}

/** A series with the backtest of its candidates; `totals` is null when the series is too short. */
export type TestedSeries = { pattern: Pattern; totals: Totals | null }
type Totals = {
  actual: number[]
  /** Of each total: how many known rows it adds. */
  counts: number[]
  /** Of each total: how many rows its origin is before the last one. */
  ages: number[]
  forecasts: [ModelName, number[]][]
}

/** The backtest forecasts from this many origins, a row apart; the total of the last one ends with the series. */
const origins = 8
/** The first origin needs this many rows before it, and the backtest this many origins with known totals. */
const minRows = 4
const minOrigins = 2
/** An origin a row earlier counts for this share. */
const recency = 0.9
/** A share of the mean error that is added to each model's: eight origins may be right by chance. */
const caution = 0.1
/** Models with this share of the largest weight are equally good. */
const tie = 0.9

/**
 * Backtests the candidates of a series: each forecasts from eight origins in the past, and sees only the rows before its
 * origin. What is compared is the total over the horizon.
 */
export function testSeries(
  series: Series,
  { season, horizon }: Pick<Task, 'season' | 'horizon'>,
): TestedSeries {
  const pattern = patternOf(series, season)
  const fit = (before: Series) => fitCandidates(before, horizon, season, pattern)
  const isSeasonal = pattern === 'regular_seasonal' || pattern === 'intermittent_seasonal'
  const last = series.length - horizon
  // before a whole season, an origin says nothing about the seasonal models
  const canJudgeSeason = isSeasonal && last - season.length + 1 >= minOrigins
  const first = Math.max(minRows, last - origins + 1, canJudgeSeason ? season.length : 0)
  return { pattern, totals: backtest(series, { first, last, horizon }, fit) }
}

/**
 * Σ 0.9^age |forecast - demand| of each candidate, in the order of `modelNames`; the age of an origin is how many rows it is
 * before the last one. Which model is right changes with the demand, so later origins count more.
 */
export function errorsOf({ totals }: TestedSeries): [ModelName, number][] {
  if (totals === null) return []
  const { actual, ages, forecasts } = totals
  const shares = ages.map((age) => recency ** age)
  return forecasts.map(([name, forecast]) => [
    name,
    sumOf(shares.map((share, at) => share * Math.abs((forecast[at] ?? 0) - (actual[at] ?? 0)))),
  ])
}

/**
 * Forecasts a series in these steps:
 *
 * 1. The backtest gives each candidate an error (`testSeries`).
 * 2. Each candidate has a weight of 1 / (error + 0.1 mean error)², times what similar series say (`pooledFactor`). The
 *    forecast is the weighted mean. Where the backtest cannot tell the models apart, their errors average out. Source
 *    of the weights: Bates and Granger, "The combination of forecasts" (1969).
 * 3. The model with the largest weight is named as the choice; of those with 90 % of it, the simplest one.
 *
 * A series that is too short for the backtest has the weights of similar series; without those, or with fewer than four rows,
 * it has the plain average of its known rows. The same rows always give the same result.
 */
export function forecastSeries(series: Series, { season, horizon, rows, pool }: Task): SeriesForecast {
  const tested = testSeries(series, { season, horizon })
  const { pattern, totals } = tested
  if (totals === null) {
    const isKnownKind = series.length >= minRows && pool[pattern] !== undefined
    return isKnownKind
      ? withPooledWeights(series, { season, rows, pool }, pattern)
      : plainAverage(series, rows)
  }
  const { actual, counts, forecasts } = totals
  const weights = weightsOf(tested, pool)
  const blended = actual.map((_, at) =>
    sumOf(forecasts.map(([name, forecast]) => (weights.get(name) ?? 0) * (forecast[at] ?? 0))),
  )
  const fits = fitCandidates(series, rows, season, pattern)
  const model = largestOf(weights)
  const demand = sumOf(actual)
  const squares = sumOf(actual.map((total, at) => ((blended[at] ?? 0) - total) ** 2))
  return {
    model,
    weights: Object.fromEntries(weights),
    parameters: fits.find(([name]) => name === model)?.[1].parameters ?? {},
    wape: demand > 0 ? absoluteError(blended, actual) / demand : null,
    bias: demand > 0 ? (sumOf(blended) - demand) / demand : null,
    // a total of k rows has k times the variance of a row
    standardError: Math.sqrt(squares / sumOf(counts)),
    ahead: blend(fits, weights, rows),
  }
}

const blend = (fits: readonly [ModelName, Fit][], weights: ReadonlyMap<ModelName, number>, rows: number) =>
  Array.from({ length: rows }, (_, step) =>
    sumOf(fits.map(([name, { ahead }]) => (weights.get(name) ?? 0) * (ahead[step] ?? 0))),
  )

/** The first, so the simplest one, of those that are equally good. */
function largestOf(weights: ReadonlyMap<ModelName, number>): ModelName {
  const largest = Math.max(...weights.values())
  const [model = 'mean'] = [...weights].find(([, weight]) => weight >= largest * tie) ?? []
  return model
}

function withPooledWeights(
  series: Series,
  { season, rows, pool }: Pick<Task, 'season' | 'rows' | 'pool'>,
  pattern: Pattern,
): SeriesForecast {
  const fits = fitCandidates(series, rows, season, pattern)
  const weights = sharesOf(fits.map(([name]) => [name, pooledFactor(pool, pattern, name)]))
  const model = largestOf(weights)
  return {
    ...plainAverage(series, rows),
    model,
    weights: Object.fromEntries(weights),
    parameters: fits.find(([name]) => name === model)?.[1].parameters ?? {},
    ahead: blend(fits, weights, rows),
  }
}

function plainAverage(series: Series, rows: number): SeriesForecast {
  const known = knownOf(series)
  const { ahead, parameters } = mean(series, rows, series.length)
  const average = ahead[0] ?? 0
  const squares = sumOf(known.map((value) => (value - average) ** 2))
  return {
    model: 'mean',
    weights: { mean: 1 },
    parameters,
    wape: null,
    bias: null,
    standardError: known.length > 1 ? Math.sqrt(squares / (known.length - 1)) : 0,
    ahead,
  }
}

/**
 * The totals over the horizon after each origin: what was sold, and what each model said. Of a horizon with unknown rows the known ones
 * are compared, when they are at least half of it. Null with too few origins.
 */
function backtest(
  series: Series,
  { first, last, horizon }: { first: number; last: number; horizon: number },
  fit: (before: Series) => readonly [ModelName, Fit][],
): Totals | null {
  const actual: number[] = []
  const counts: number[] = []
  const ages: number[] = []
  const forecasts = new Map<ModelName, number[]>()
  for (let origin = first; origin <= last; origin += 1) {
    const rows = series.slice(origin, origin + horizon)
    const known = knownOf(rows)
    if (known.length < horizon / 2) continue
    actual.push(sumOf(known))
    counts.push(known.length)
    ages.push(last - origin)
    for (const [name, { ahead }] of fit(series.slice(0, origin))) {
      const forecast = sumOf(ahead.filter((_, at) => rows[at] !== null))
      const all = forecasts.get(name)
      if (all) all.push(forecast)
      else forecasts.set(name, [forecast])
    }
  }
  return actual.length < minOrigins ? null : { actual, counts, ages, forecasts: [...forecasts] }
}

const absoluteError = (forecast: readonly number[], actual: readonly number[]) =>
  sumOf(actual.map((total, at) => Math.abs((forecast[at] ?? 0) - total)))

/** They add up to 1, and are equal when no model was wrong. */
function weightsOf(tested: TestedSeries, pool: PooledErrors): Map<ModelName, number> {
  const errors = errorsOf(tested)
  const added = (caution * sumOf(errors.map(([, error]) => error))) / errors.length
  if (added === 0) return new Map(errors.map(([name]) => [name, 1 / errors.length]))
  return sharesOf(
    errors.map(([name, error]) => [name, (error + added) ** -2 * pooledFactor(pool, tested.pattern, name)]),
  )
}

/** In proportion, so that they add up to 1. */
function sharesOf(factors: readonly (readonly [ModelName, number])[]): Map<ModelName, number> {
  const all = sumOf(factors.map(([, factor]) => factor))
  return new Map(factors.map(([name, factor]) => [name, factor / all]))
}
