/** Demand by row (a week or a month), the oldest first. Null: unknown, which is not a demand of zero. */
export type Series = readonly (number | null)[]

/** The season of a series: its length in rows (52 weeks or 12 months) and the place of the first row in it. */
export type Season = {
  length: number
  phase: number
  /** The seasonal indices of the product type, by place in the season; null: every index is 1. */
  profile: readonly number[] | null
}

/** The forecast of a model for the rows after the last row of a series. */
export type Fit = {
  /** Demand of each row ahead, never negative. */
  ahead: number[]
  parameters: Readonly<Record<string, number>>
}

export function knownOf(series: Series): number[] {
  const known: number[] = []
  for (const value of series) if (value !== null) known.push(value)
  return known
}

/** 0 for an empty list. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length
}

export function sumOf(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

/** The sum of `count` rows from `from`; null when one of them is unknown or missing. */
export function totalOf(series: Series, from: number, count: number): number | null {
  let total = 0
  for (let at = from; at < from + count; at += 1) {
    const value = series[at] ?? null
    if (value === null) return null
    total += value
  }
  return total
}

/** The same demand in each row ahead. */
export function level(demand: number, rows: number): number[] {
  return new Array<number>(rows).fill(Math.max(0, demand))
}

/**
 * The average demand interval (ADI): known rows for each row with demand. Above 1.32 the demand is intermittent.
 * Source: Syntetos, Boylan and Croston, "On the categorization of demand patterns" (2005).
 *
 * Example: demand 3, 0, 0, 2, 0, 1 in 6 rows, 3 of them with demand: 2.
 */
export function demandInterval(series: Series): number {
  const known = knownOf(series)
  const withDemand = known.filter((value) => value > 0).length
  return withDemand === 0 ? Number.POSITIVE_INFINITY : known.length / withDemand
}

export const maxRegularInterval = 1.32
