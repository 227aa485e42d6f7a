import { demandOver, reorderPoint, safetyStock } from '../../../forecast/safety-stock.ts'
import type { ReorderInputs } from '../../../schemas/reorder-rules.ts'
import { demandFrom } from '../supply/plan.ts'
import { type LeadTime, normalQuantile, wholePieces } from '../supply/reorder-point.ts'

type Forecast = {
  /** The Monday on which the first week of `units` starts. */
  week: string
  units: readonly number[]
  /** Of a week. */
  standardError: number
  model: string
  wape: number | null
  isOfType: boolean
}

type Review = {
  /** As in 2026-03-01, in the time zone of the shop. */
  today: string
  serviceLevel: number
  reviewDays: number
  /** How often the supplier takes an order; null: not known. */
  orderCycleDays: number | null
}

type Computed = Required<
  Pick<ReorderInputs, 'method' | 'wape' | 'forecastUnits' | 'orderUpTo' | 'coverDays'>
> &
  Pick<ReorderInputs, 'avgDailySales' | 'dailyDeviation' | 'confidence' | 'safetyStock'>

/**
 * The reorder point and quantity from a forecast, in whole pieces rounded up, with their inputs. All times in weeks:
 *
 *   SS = z √((L + R) σe² + d² σL²)
 *   point = Σ forecast over L + SS
 *   up to = Σ forecast over L + max(R, cover) + SS          quantity = up to - point
 *
 * L and σL: mean and deviation of the lead time. R: from one review to the next. Cover: the supplier's order cycle. d and
 * σe: mean forecast of a week over L + R, and its standard error. z: quantile of the service level. Source: Silver, Pyke
 * and Thomas, "Inventory and Production Management in Supply Chains", 4th edition, chapter 6, with the error of the
 * forecast instead of the deviation of the demand.
 *
 * Example: 10 a week, σe = 4, L = 21 days, σL = 3.5 days, R = 7 days, 95 %: SS = 1.645 √(4 · 16 + 100 · 0.25) = 15.5,
 * point 30 + 15.5 = 45.5, so 46; up to 40 + 15.5 = 55.5, quantity 10. With an order cycle of 42 days up to 105.5, and 60.
 */
export function forecastPointOf(
  forecast: Forecast,
  leadTime: LeadTime,
  { today, serviceLevel, reviewDays, orderCycleDays }: Review,
): { reorderPoint: number; reorderQuantity: number; inputs: Computed } {
  const demand = demandFrom(today, forecast)
  const lead = leadTime.days / 7
  const supply = { leadTime: lead, leadTimeDeviation: leadTime.deviation / 7, review: reviewDays / 7 }
  const coverDays = Math.max(reviewDays, orderCycleDays ?? 0)
  const z = normalQuantile(serviceLevel / 100)
  const point = reorderPoint(demand, supply, z)
  const quantity = demandOver(demand.ahead, lead, lead + coverDays / 7)
  const covered = leadTime.days + reviewDays
  const { model, wape, isOfType } = forecast
  return {
    reorderPoint: wholePieces(point),
    reorderQuantity: Math.max(1, wholePieces(quantity)),
    inputs: {
      ...{ method: model, wape, coverDays },
      forecastUnits: demandOver(demand.ahead, 0, lead),
      orderUpTo: point + quantity,
      avgDailySales: demandOver(demand.ahead, 0, covered / 7) / covered,
      dailyDeviation: forecast.standardError / Math.sqrt(7),
      confidence: isOfType || (wape ?? 0) > 1 ? 'low' : 'normal',
      safetyStock: safetyStock(demand, supply, z),
    },
  }
}
