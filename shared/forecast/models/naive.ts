import { type Fit, level, type Series } from '../series.ts'

/**
 * The last known demand continues: ŷ(T + h) = y(T). Source: Hyndman and Athanasopoulos, "Forecasting: Principles and
 * Practice", 3rd edition, 5.2.
 */
export function naive(series: Series, rows: number): Fit {
  return { ahead: level(lastKnown(series), rows), parameters: {} }
}

/**
 * The demand of the same row one season ago: ŷ(T + h) = y(T + h - m k), with the smallest k whose row is known. In weeks
 * m = 52, which is 364 days, so that weekdays stay together. A place in the season that was never known gets the last
 * known demand. Source: Hyndman and Athanasopoulos, 5.2.
 */
export function seasonalNaive(series: Series, rows: number, seasonLength: number): Fit {
  const ahead = Array.from({ length: rows }, (_, step) => {
    for (let at = series.length + step - seasonLength; at >= 0; at -= seasonLength) {
      const value = series[at] ?? null
      if (value !== null) return value
    }
    return lastKnown(series)
  })
  return { ahead, parameters: {} }
}

function lastKnown(series: Series): number {
  for (let at = series.length - 1; at >= 0; at -= 1) {
    const value = series[at] ?? null
    if (value !== null) return value
  }
  return 0
}
