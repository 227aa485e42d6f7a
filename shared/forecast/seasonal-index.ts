import { type Season, type Series, sumOf } from './series.ts'

/** Of each place in the season: the demand of its rows, and the averages of the season around them. */
export type Ratios = { demand: number[]; averages: number[] }

/** Below this the season around a row has too many unknown rows for an average. */
const minKnownShare = 0.75

/** The rows that a season of `length` rows is computed from: 56 weeks, or 13 months. */
export const minSeasonalRows = (length: number) => Math.ceil((length * 56) / 52)

/**
 * Demand and centred moving average of the rows that have half a season on both sides, by place in the season. The
 * average of an even season weighs its two outer rows by half. Source: Hyndman and Athanasopoulos, 3.3 and 3.4.
 *
 * Example, season 4: the rows 1, 2, 3, 4, 5 give row 3 the average (0.5 · 1 + 2 + 3 + 4 + 0.5 · 5) / 4 = 3.
 */
export function ratiosOf(series: Series, { length, phase }: Pick<Season, 'length' | 'phase'>): Ratios {
  const ratios = emptyRatios(length)
  const half = Math.floor(length / 2)
  const outer = length % 2 === 0 ? 0.5 : 1
  const { sums, counts } = runningSums(series)
  for (let at = half; at + half < series.length; at += 1) {
    const value = series[at] ?? null
    if (value === null) continue
    const first = series[at - half] ?? null
    const last = series[at + half] ?? null
    const inner = (all: readonly number[]) => (all[at + half] ?? 0) - (all[at - half + 1] ?? 0)
    const weight = inner(counts) + outer * ((first === null ? 0 : 1) + (last === null ? 0 : 1))
    const sum = inner(sums) + outer * ((first ?? 0) + (last ?? 0))
    if (weight < minKnownShare * length || sum <= 0) continue
    const place = (phase + at) % length
    ratios.demand[place] = (ratios.demand[place] ?? 0) + value
    ratios.averages[place] = (ratios.averages[place] ?? 0) + sum / weight
  }
  return ratios
}

export const emptyRatios = (length: number): Ratios => ({
  demand: new Array<number>(length).fill(0),
  averages: new Array<number>(length).fill(0),
})

/** `sums[i]` and `counts[i]`: of the known rows before row i. */
function runningSums(series: Series): { sums: number[]; counts: number[] } {
  const sums = [0]
  const counts = [0]
  for (const [at, value] of series.entries()) {
    sums.push((sums[at] ?? 0) + (value ?? 0))
    counts.push((counts[at] ?? 0) + (value === null ? 0 : 1))
  }
  return { sums, counts }
}

/** Adds the ratios of one series to those of its product type. */
export function addRatios(total: Ratios, { demand, averages }: Ratios): void {
  for (const [place, value] of demand.entries()) total.demand[place] = (total.demand[place] ?? 0) + value
  for (const [place, value] of averages.entries())
    total.averages[place] = (total.averages[place] ?? 0) + value
}

/**
 * The index of each place: its demand per average, 1 where there is none; then all are divided by their mean. A series
 * that sells twice its average in a place has the index 2 there.
 */
export function profileOf({ demand, averages }: Ratios): number[] {
  return normalized(
    demand.map((value, place) => {
      const average = averages[place] ?? 0
      return average > 0 ? value / average : 1
    }),
  )
}

/**
 * The indices of a series, drawn towards those of its product type: (n own + m type) / (n + m), with n rows known of the
 * series and m rows in a season. A place without own ratios has the index of the type.
 *
 * Example: 104 weeks, own index 1.6, the type's 1.0: (104 · 1.6 + 52 · 1.0) / 156 = 1.4.
 */
export function seasonalIndex(series: Series, season: Season): number[] {
  const { length, profile } = season
  const { demand, averages } = ratiosOf(series, season)
  return normalized(
    demand.map((value, place) => {
      const type = profile?.[place] ?? 1
      const average = averages[place] ?? 0
      return average > 0
        ? (series.length * (value / average) + length * type) / (series.length + length)
        : type
    }),
  )
}

function normalized(indices: readonly number[]): number[] {
  const mean = sumOf(indices) / indices.length
  return indices.map((index) => (mean > 0 ? index / mean : 1))
}

/** The index of row `at` of the series. */
export const indexAt = (indices: readonly number[], { length, phase }: Season, at: number) =>
  indices[(phase + at) % length] ?? 1
