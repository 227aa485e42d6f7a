import { type Fit, knownOf, level, meanOf, type Series } from '../series.ts'

const alphas = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
/** Rows whose mean is the level before the first row. */
export const startRows = 6

/**
 * Simple exponential smoothing: l(t) = l(t-1) + α (y(t) - l(t-1)), and ŷ(T + h) = l(T). Unknown rows change nothing. Of
 * the listed α it takes the one with the smallest sum of squared errors one row ahead; of equal ones the smallest.
 * Source: Hyndman and Athanasopoulos, 8.1.
 */
export function exponentialSmoothing(series: Series, rows: number): Fit {
  const known = knownOf(series)
  const start = meanOf(known.slice(0, startRows))
  let best = { ...smooth(known, 0.05, start), alpha: 0.05 }
  for (const alpha of alphas) {
    const run = smooth(known, alpha, start)
    if (run.squares < best.squares * (1 - 1e-12)) best = { ...run, alpha }
  }
  return { ahead: level(best.level, rows), parameters: { alpha: best.alpha } }
}

/** The level after the last row, and the sum of squared errors one row ahead. */
export function smooth(
  known: readonly number[],
  alpha: number,
  start: number,
): { level: number; squares: number } {
  let current = start
  let squares = 0
  for (const value of known) {
    const error = value - current
    squares += error * error
    current += alpha * error
  }
  return { level: current, squares }
}
