import { type Fit, knownOf, level, type Series } from '../series.ts'

const alpha = 0.1

/**
 * Croston's method with the correction of Syntetos and Boylan, for intermittent demand. z is the smoothed size of a
 * demand, p the smoothed number of known rows from one demand to the next; both change only with a demand:
 *
 *   z = z + α (size - z)        p = p + α (interval - p)        ŷ = (1 - α/2) z / p        α = 0.1
 *
 * They start with the first size and the first interval. Sources: Hyndman and Athanasopoulos, 13.8; Syntetos and
 * Boylan, "The accuracy of intermittent demand estimates" (2005).
 */
export function croston(series: Series, rows: number): Fit {
  const { size, interval } = smoothDemands(knownOf(series))
  const demand = interval === 0 ? 0 : (1 - alpha / 2) * (size / interval)
  return { ahead: level(demand, rows), parameters: { alpha, size, interval } }
}

/** Both are 0 without any demand. */
export function smoothDemands(known: readonly number[]): { size: number; interval: number } {
  let size = 0
  let interval = 0
  let rows = 0
  for (const value of known) {
    rows += 1
    if (value <= 0) continue
    size = interval === 0 ? value : size + alpha * (value - size)
    interval = interval === 0 ? rows : interval + alpha * (rows - interval)
    rows = 0
  }
  return { size, interval }
}
