import { type Fit, knownOf, meanOf, type Series } from '../series.ts'
import { startRows } from './exponential-smoothing.ts'

const alphas = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9]
const betas = [0.05, 0.1, 0.2, 0.3]
/** How much of the trend is left after each row. */
const damping = 0.9

/**
 * Holt's trend, damped by φ = 0.9:
 *
 *   l(t) = l(t-1) + φ b(t-1) + α e(t)        b(t) = φ b(t-1) + α β e(t)        e(t) = y(t) - l(t-1) - φ b(t-1)
 *   ŷ(T + h) = l(T) + (φ + φ² + … + φ^h) b(T)
 *
 * Of the listed α and β it takes the pair with the smallest sum of squared errors one row ahead, of equal pairs the
 * first. Source: Hyndman and Athanasopoulos, 8.2.
 */
export function dampedHolt(series: Series, rows: number): Fit {
  const known = knownOf(series)
  const start = meanOf(known.slice(0, startRows))
  let best = { ...trend(known, 0.05, 0.05, start), alpha: 0.05, beta: 0.05 }
  for (const alpha of alphas) {
    for (const beta of betas) {
      const run = trend(known, alpha, beta, start)
      if (run.squares < best.squares * (1 - 1e-12)) best = { ...run, alpha, beta }
    }
  }
  const ahead: number[] = []
  let share = 1
  let damped = 0
  for (let step = 0; step < rows; step += 1) {
    share *= damping
    damped += share
    ahead.push(Math.max(0, best.level + damped * best.slope))
  }
  return { ahead, parameters: { alpha: best.alpha, beta: best.beta, phi: damping } }
}

/** Level and slope after the last row, and the sum of squared errors one row ahead. The first slope is 0. */
export function trend(
  known: readonly number[],
  alpha: number,
  beta: number,
  start: number,
): { level: number; slope: number; squares: number } {
  let level = start
  let slope = 0
  let squares = 0
  for (const value of known) {
    const expected = level + damping * slope
    const error = value - expected
    squares += error * error
    level = expected + alpha * error
    slope = damping * slope + alpha * beta * error
  }
  return { level, slope, squares }
}
