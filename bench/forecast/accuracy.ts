import { type Series, sumOf, totalOf } from '../../shared/forecast/series.ts'

/** A forecast of a total, and what the total became. */
export type Outcome = { forecast: number; actual: number }

/**
 * The weighted absolute percentage error: Σ |forecast - actual| / Σ actual; null without demand. Source: Hyndman and
 * Koehler, "Another look at measures of forecast accuracy" (2006), MAD / mean.
 *
 * Example: forecasts 8 and 5 of 10 and 2: (2 + 3) / 12 = 0.417.
 */
export function wapeOf(outcomes: readonly Outcome[]): number | null {
  const actual = sumOf(outcomes.map((outcome) => outcome.actual))
  return actual > 0 ? sumOf(outcomes.map((o) => Math.abs(o.forecast - o.actual))) / actual : null
}

/** Σ (forecast - actual) / Σ actual: above 0 the forecast is too high; null without demand. */
export function biasOf(outcomes: readonly Outcome[]): number | null {
  const actual = sumOf(outcomes.map((outcome) => outcome.actual))
  return actual > 0 ? sumOf(outcomes.map((o) => o.forecast - o.actual)) / actual : null
}

/**
 * The mean absolute error of the naive forecast of totals over `horizon` rows, within a series. The mean absolute scaled
 * error (MASE) divides the errors of that series by it. Null when it is 0, or nothing is known. Source: Hyndman and
 * Koehler (2006).
 *
 * Example, horizon 2, rows 1, 3, 2, 4: the first row forecasts 2 · 1 for 3 + 2, the second one 2 · 3 for 2 + 4: errors 3
 * and 0, mean 1.5.
 */
export function naiveScale(series: Series, horizon: number): number | null {
  const errors: number[] = []
  for (let origin = 1; origin + horizon <= series.length; origin += 1) {
    const last = series[origin - 1] ?? null
    const total = totalOf(series, origin, horizon)
    if (last !== null && total !== null) errors.push(Math.abs(horizon * last - total))
  }
  const scale = errors.length === 0 ? 0 : sumOf(errors) / errors.length
  return scale > 0 ? scale : null
}
