import type { ReorderInputs } from '../../../schemas/reorder-rules.ts'

/** Sales of the days before today that are known, at most 90, in pieces. */
type Demand = {
  units: number
  /** The sum of the squares of each day's pieces. */
  squares: number
  /** The days with stock; all sales are on such days. */
  inStockDays: number
  /** At least `minKnownDays`. */
  knownDays: number
}

/** Mean and standard deviation, in days, of the lead times of `orders` measured orders. */
type MeasuredLeadTime = { orders: number; mean: number | null; deviation: number | null }

export type LeadTime = { days: number; deviation: number; source: ReorderInputs['leadTimeSource'] }

/** How many days before today are the basis of the demand. */
export const demandDays = 90
const minInStockDays = 14
const minMeasuredOrders = 3
const assumedLeadTimeDays = 14
const maxQuantity = 1_000_000_000

/** The lead time in days: measured from three or more orders, else the merchant's setting, else assumed as 14. */
export function leadTimeOf(measured: MeasuredLeadTime, supplierDays: number | null): LeadTime {
  const { orders, mean, deviation } = measured
  if (orders >= minMeasuredOrders && mean !== null) {
    return { days: mean, deviation: deviation ?? 0, source: 'measured' }
  }
  if (supplierDays !== null) return { days: supplierDays, deviation: 0, source: 'supplier' }
  return { days: assumedLeadTimeDays, deviation: 0, source: 'assumed' }
}

/**
 * Computes the reorder point and quantity, in whole pieces rounded up, and returns their inputs:
 *
 *   point = d (L + R) + z sqrt((L + R) sd² + d² sL²)        quantity = d R
 *
 * d and sd: mean and sample standard deviation of the pieces sold per day. L and sL: those of the lead time in days. R:
 * days between reviews. z: quantile of the service level. Source: Silver, Pyke and Thomas, "Inventory and Production
 * Management in Supply Chains", 4th edition, chapter 6 (variable lead time and demand; periodic review).
 *
 * Days without stock do not count, since nothing can be sold on them. If fewer than 14 days with stock remain, all known
 * days count and the confidence is low.
 *
 * Example: one piece sold on each of 90 days (d = 1, sd = 0), L = 14, sL = 0, R = 7: point 21, quantity 7.
 */
export function reorderPointOf(
  demand: Demand,
  measured: MeasuredLeadTime,
  rule: { supplierDays: number | null; serviceLevel: number; reviewDays: number },
): { reorderPoint: number; reorderQuantity: number; inputs: ReorderInputs } {
  const { serviceLevel, reviewDays } = rule
  const isEnough = demand.inStockDays >= minInStockDays
  const countedDays = isEnough ? demand.inStockDays : demand.knownDays
  const mean = demand.units / countedDays
  const variance = Math.max(0, (demand.squares - demand.units * mean) / (countedDays - 1))
  const leadTime = leadTimeOf(measured, rule.supplierDays)
  const covered = leadTime.days + reviewDays
  const z = normalQuantile(serviceLevel / 100)
  const safetyStock = z * Math.sqrt(covered * variance + mean ** 2 * leadTime.deviation ** 2)
  return {
    reorderPoint: wholePieces(mean * covered + safetyStock),
    reorderQuantity: Math.max(1, wholePieces(mean * reviewDays)),
    inputs: {
      avgDailySales: mean,
      dailyDeviation: Math.sqrt(variance),
      unitsSold: demand.units,
      countedDays,
      inStockDays: demand.inStockDays,
      periodDays: demand.knownDays,
      confidence: isEnough ? 'normal' : 'low',
      leadTimeDays: leadTime.days,
      leadTimeDeviation: leadTime.deviation,
      leadTimeSource: leadTime.source,
      measuredOrders: measured.orders,
      serviceLevel,
      z,
      reviewDays,
      safetyStock,
    },
  }
}

/** Rounds up, except for a floating-point error: 30 / 90 pieces a day for 21 days are 7 pieces, not 8. */
export function wholePieces(pieces: number): number {
  return Math.min(maxQuantity, Math.ceil(pieces - 1e-9))
}

const central = {
  numerator: [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
    2.506628277459239,
  ],
  denominator: [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ],
}
const tail = {
  numerator: [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  denominator: [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
}

/**
 * The quantile of the standard normal distribution for a probability of 0.5 or more and below 1: P. J. Acklam, "An
 * algorithm for computing the inverse normal cumulative distribution function" (2003), with a relative error below
 * 1.15e-9.
 */
export function normalQuantile(probability: number): number {
  if (probability <= 0.97575) {
    const q = probability - 0.5
    return (q * polynomial(central.numerator, q * q)) / polynomial(central.denominator, q * q)
  }
  const q = Math.sqrt(-2 * Math.log(1 - probability))
  return -polynomial(tail.numerator, q) / polynomial(tail.denominator, q)
}

/** Coefficients start with the highest power. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)
}
