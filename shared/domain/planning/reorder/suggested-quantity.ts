import { addDays } from '../../../calendar-days.ts'
import { demandOver } from '../../../forecast/safety-stock.ts'
import type { ReorderInputs } from '../../../schemas/reorder-rules.ts'
import type { ReorderSuggestion } from '../../../schemas/reorder-suggestions.ts'
import { minKnownDays } from '../../ledgers/demand/known-days.ts'
import type { Packaging } from '../../records/supplier-prices/quantity.ts'
import { type ChosenDemand, demandOf, type KnownDemand } from '../supply/demand.ts'
import { roundedQuantity } from '../supply/explain-quantity.ts'
import { demandFrom, type Incoming, type Plan, type PlanInput, planOrder } from '../supply/plan.ts'
import type { LeadTime } from '../supply/reorder-point.ts'

/** A rule whose stock is low, with the numbers that the suggestion is computed from. */
export type LowRule = Pick<
  ReorderSuggestion,
  'currentStock' | 'reorderPoint' | 'reorderQuantity' | 'onOrder' | 'inTransit' | 'inDraft'
> &
  Pick<KnownDemand, 'week' | 'model' | 'wape' | 'standardError' | 'isOfType'> &
  Packaging & {
    /** The forecast by week; null: none is usable. */
    ahead: readonly number[] | null
    mode: 'manual' | 'auto'
    /** Of an automatic rule. */
    inputs: ReorderInputs | null
    serviceLevel: number
    reviewDays: number
    orderCycleDays: number | null
    maxLevel: number | null
    /** Pieces sold in the last `soldDays` days, and on how many of those there was no stock. */
    unitsSold: number
    soldDays: number
    emptyDays: number
    /** The drafts that contain the variant. */
    drafts: readonly { poNumber: string }[]
    /** The current date in the shop's time zone, for example 2026-03-01. */
    today: string
  }

/** What to order for a low rule, before it is explained. */
export type Suggestion = Pick<
  ReorderSuggestion,
  | 'position'
  | 'suggestedQuantity'
  | 'roundedUpBy'
  | 'avgDailySales'
  | 'leadTimeDays'
  | 'stockoutDate'
  | 'orderByDate'
  | 'method'
  | 'wape'
  | 'gapOn'
  | 'gapUntil'
  | 'arrivingInGap'
  | 'lateOnOrder'
  | 'inTimePosition'
  | 'confidence'
> & {
  /** Before packs, multiple and minimum. */
  wanted: number
  coveredUntil: string | null
  /** Whether the quantity is that of the forecast. */
  isForecast: boolean
  plan: Plan
  demand: ChosenDemand
}

/** A hundred years; later dates are not shown. */
const maxDays = 36_500

/**
 * Computes what to order for a low rule. Only pieces that arrive in time count (`planOrder`): position in time = stock + in
 * transit + on order - late. Above the reorder point it is 0. At or below:
 *
 * 1. With a maximum level: up to it.
 * 2. An automatic rule with a point from the forecast: Σ forecast over L + max(R, cover) + SS - position in time, and at
 *    least what brings it above the point.
 * 3. Else n × the reorder quantity Q with the smallest n from 1 on that brings it above the point: an (s, nQ) policy, so
 *    that what was ordered as suggested is not suggested again.
 *
 * Then whole packs and multiples, and at least the supplier's minimum.
 *
 * Example of 3: stock 20, on order 24 in time, point 44, Q = 18: 44 is not above 44, n = 1: 18 (62 then). Point 80: 44 +
 * 3 · 18 = 98 is the first above it: 54. With 60 sold in 30 days and a lead time of 14 days, the stock lasts 20 · 30 / 60
 * = 10 days (`stockoutDate`), the position 22 days, so the order must be sent within 22 - 14 = 8 days (`orderByDate`).
 *
 * Example of late: 2 a day, the 24 are expected in 30 days, 20 after the stock is sold out; a new order takes 14. 20 in
 * time, 24 late: 2 · 18 = 36 to get above 44.
 */
export function suggestFor(
  rule: LowRule,
  leadTime: LeadTime,
  incoming: readonly Incoming[],
  moving: PlanInput['moving'] = [],
): Suggestion {
  const { currentStock, today } = rule
  const demand = demandOf(knownDemandOf(rule), 'forecast', 0)
  const plan = planOrder({
    ...{ today, incoming, moving, demand, leadTime },
    onHand: currentStock,
    reviewDays: rule.reviewDays,
    coverDays: rule.orderCycleDays ?? 0,
    serviceLevel: rule.serviceLevel,
    ...{ packSize: rule.packSize, minimumQuantity: rule.minimumQuantity },
    quantityMultiple: rule.quantityMultiple,
  })
  const isForecast = rule.mode === 'auto' && rule.week !== null && rule.inputs?.method !== undefined
  const wanted = wantedOf(rule, plan, isForecast)
  const suggestedQuantity = wanted > 0 ? roundedQuantity(wanted, rule) : 0
  const leadTimeDays = Math.ceil(leadTime.days)
  const coveredUntil = lastDay(rule, plan.inTimePosition, demand)
  const orderByDate = coveredUntil && addDays(coveredUntil, -leadTimeDays)
  return {
    ...{ wanted, suggestedQuantity, leadTimeDays, coveredUntil, isForecast, plan, demand },
    position: currentStock + rule.onOrder + rule.inTransit,
    roundedUpBy: Math.max(0, suggestedQuantity - wanted),
    avgDailySales: Math.round((rule.unitsSold * 100) / daysInStock(rule)) / 100,
    stockoutDate: lastDay(rule, currentStock, demand),
    orderByDate: (rule.week !== null && plan.orderBy) || orderByDate,
    method: demand.method,
    wape: demand.wape,
    gapOn: plan.gapOn,
    gapUntil: plan.gapUntil,
    arrivingInGap: plan.arrivingInGap,
    lateOnOrder: plan.lateOnOrder,
    inTimePosition: plan.inTimePosition,
    confidence: demand.confidence === 'normal' && leadTime.source !== 'assumed' ? 'normal' : 'low',
  }
}

/** The days that the mean of past sales divides by: days without stock are no demand of zero. */
export const daysInStock = ({ soldDays, emptyDays }: Pick<LowRule, 'soldDays' | 'emptyDays'>) =>
  Math.max(minKnownDays, soldDays - emptyDays)

/** Without a forecast, the mean of the known ones of the last 30 days. */
const knownDemandOf = (rule: LowRule): KnownDemand => ({
  ...rule,
  units: rule.ahead,
  pastUnits: rule.unitsSold,
  pastEmptyDays: rule.emptyDays,
  pastDays: rule.soldDays,
  lastYearDays: 0,
  lastYearWeeks: [],
  lastYearUnits: [],
  lastYearEmptyDays: [],
})

function wantedOf(
  { reorderPoint, reorderQuantity, maxLevel }: LowRule,
  { inTimePosition, wantedQuantity }: Plan,
  isForecast: boolean,
): number {
  if (inTimePosition > reorderPoint) return 0
  if (maxLevel !== null) return Math.max(0, maxLevel - inTimePosition)
  const least = reorderPoint + 1 - inTimePosition
  if (isForecast) return Math.max(least, wantedQuantity)
  return Math.ceil(least / reorderQuantity) * reorderQuantity
}

/** The day on which `pieces` are sold out; null when nothing is sold or it is more than `maxDays` away. */
function lastDay(rule: LowRule, pieces: number, demand: ChosenDemand): string | null {
  const stock = Math.max(0, pieces)
  const { unitsSold, today } = rule
  const days =
    rule.week !== null
      ? wholeDays(demandFrom(today, demand).ahead, stock)
      : unitsSold > 0
        ? Math.floor((stock * daysInStock(rule)) / unitsSold)
        : Number.POSITIVE_INFINITY
  return days > maxDays ? null : addDays(today, days)
}

/**
 * The whole days that pieces last; the last week continues.
 *
 * Example: 7 and then 14 a week, 11 pieces: 7 days and 4 of 2 a day, 9 days.
 */
function wholeDays(ahead: readonly number[], pieces: number): number {
  let left = pieces
  for (const [week, units] of ahead.entries()) {
    // a floating-point error must not take a day
    if (units > left) return Math.floor(week * 7 + (left * 7) / units + 1e-9)
    left -= units
  }
  const later = demandOver(ahead, ahead.length, ahead.length + 1)
  return later > 0 ? Math.floor(ahead.length * 7 + (left * 7) / later + 1e-9) : Number.POSITIVE_INFINITY
}
