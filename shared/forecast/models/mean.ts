import { type Fit, knownOf, level, meanOf, type Series } from '../series.ts'

/**
 * The mean of the last `window` known rows; of all when there are fewer. With a short window it is the moving average.
 * Source: Silver, Pyke and Thomas, "Inventory and Production Management in Supply Chains", 4th edition, 3.4.1.
 */
export function mean(series: Series, rows: number, window: number): Fit {
  const known = knownOf(series)
  return { ahead: level(meanOf(known.slice(-window)), rows), parameters: { window } }
}
