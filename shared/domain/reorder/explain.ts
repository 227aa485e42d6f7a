import type { ReorderSuggestion } from '../../schemas/reorder-suggestions.ts'
import type { Packaging } from '../supplier-prices/quantity.ts'
import { explainRounding, roundedQuantity } from './explain-quantity.ts'
import type { LeadTime } from './reorder-point.ts'

/** A rule whose stock is low, with the numbers that the suggestion is computed from. */
type LowRule = Pick<
  ReorderSuggestion,
  'currentStock' | 'reorderPoint' | 'reorderQuantity' | 'onOrder' | 'inTransit' | 'inDraft'
> &
  Packaging & {
    /** Pieces sold in the last `soldDays` days. */
    unitsSold: number
    soldDays: number
    /** PO numbers of the drafts that contain the variant. */
    drafts: readonly string[]
    /** The current date in the shop's time zone, for example 2026-03-01. */
    today: string
  }

/** A hundred years; later dates are not shown. */
const maxDays = 36_500

/**
 * Computes what to order for a low rule, and explains it. position = stock + on order + in transit.
 *
 * Example: stock 20, on order 24, reorder point 44, reorder quantity 18, 60 sold in 30 days, lead time 14 days. The
 * position 44 is not above the point: 18 are wanted, and ordered in whole packs and at least the supplier's minimum. The stock lasts 20 * 30 / 60 = 10 days (`stockoutDate`), the position
 * 22 days, so the order must be sent within 22 - 14 = 8 days (`orderByDate`).
 */
export function suggestFor(rule: LowRule, leadTime: LeadTime) {
  const position = rule.currentStock + rule.onOrder + rule.inTransit
  const isShort = position <= rule.reorderPoint
  const needed = Math.max(rule.reorderQuantity, rule.reorderPoint - position)
  const wanted = isShort ? needed : 0
  const suggestedQuantity = isShort ? roundedQuantity(needed, rule) : 0
  const leadTimeDays = Math.ceil(leadTime.days)
  const stockoutDate = lastDay(rule, rule.currentStock)
  const coveredUntil = lastDay(rule, position)
  const suggestion = {
    position,
    suggestedQuantity,
    roundedUpBy: Math.max(0, suggestedQuantity - wanted),
    avgDailySales: Math.round((rule.unitsSold * 100) / rule.soldDays) / 100,
    leadTimeDays,
    stockoutDate,
    orderByDate: coveredUntil && addDays(coveredUntil, -leadTimeDays),
  }
  const reason = explain(rule, { ...suggestion, coveredUntil }, leadTime)
  const rounding = suggestion.roundedUpBy > 0 && explainRounding(wanted, suggestedQuantity, rule)
  return { ...suggestion, explanation: rounding ? `${reason} ${rounding}` : reason }
}

/** The day on which `pieces` are sold out; null when nothing was sold or it is more than `maxDays` away. */
function lastDay({ unitsSold, soldDays, today }: LowRule, pieces: number): string | null {
  if (unitsSold <= 0) return null
  const days = Math.floor((Math.max(0, pieces) * soldDays) / unitsSold)
  return days > maxDays ? null : addDays(today, days)
}

type Suggestion = Pick<
  ReorderSuggestion,
  | 'position'
  | 'suggestedQuantity'
  | 'roundedUpBy'
  | 'avgDailySales'
  | 'leadTimeDays'
  | 'stockoutDate'
  | 'orderByDate'
> & { coveredUntil: string | null }

function explain(rule: LowRule, suggestion: Suggestion, leadTime: LeadTime): string {
  const { position, suggestedQuantity } = suggestion
  const parts = [
    `${rule.currentStock} available`,
    ...(rule.onOrder > 0 ? [`${rule.onOrder} on order`] : []),
    ...(rule.inTransit > 0 ? [`${rule.inTransit} in transit`] : []),
  ]
  const sum = parts.length > 1 ? ` = ${position}` : ''
  const compared =
    suggestedQuantity > 0
      ? `at or below ${rule.reorderPoint}: ${quantityText(rule, suggestion)}`
      : `above ${rule.reorderPoint}: nothing to order yet`
  const drafted = rule.inDraft > 0 ? ` ${draftText(rule)}` : ''
  return `${parts.join(' + ')}${sum}, ${compared}; ${paceText(rule, suggestion, leadTime)}.${drafted}`
}

function quantityText({ reorderPoint, reorderQuantity }: LowRule, suggestion: Suggestion): string {
  const missing = reorderPoint - suggestion.position
  const order = `order ${suggestion.suggestedQuantity}`
  const isRounded = suggestion.roundedUpBy > 0
  if (missing > reorderQuantity) {
    const reason = `${order}, since ${missing} are missing to the reorder point, more than the usual ${reorderQuantity}`
    return isRounded ? `${reason}, rounded up` : reason
  }
  return isRounded ? `${order}, the usual ${reorderQuantity} rounded up` : `${order}, the usual quantity`
}

function paceText(rule: LowRule, suggestion: Suggestion, { source }: LeadTime): string {
  const { unitsSold, soldDays } = rule
  const { avgDailySales, leadTimeDays } = suggestion
  if (unitsSold === 0) return `nothing was sold in ${soldDays} days`
  const pace = avgDailySales > 0 ? `sells ${avgDailySales} a day` : `sold ${unitsSold} in ${soldDays} days`
  const arrival = `${source === 'assumed' ? 'is assumed to arrive' : 'arrives'} in ${count(leadTimeDays, 'day')}`
  return `${pace}, ${arrival}: ${lastsText(rule, suggestion)}`
}

function lastsText(
  { onOrder, inTransit, today }: LowRule,
  { stockoutDate, coveredUntil, orderByDate }: Suggestion,
): string {
  if (stockoutDate === null) return 'lasts for years'
  const stock = `lasts until ${dayText(stockoutDate, today)}`
  if (coveredUntil === null || orderByDate === null) return `${stock}, with incoming stock for years`
  const isComing = onOrder + inTransit > 0
  const all = isComing ? `${stock}, with incoming stock until ${dayText(coveredUntil, today)}` : stock
  return `${all}, ${orderByDate < today ? 'order now' : `order by ${dayText(orderByDate, today)}`}`
}

function draftText({ inDraft, drafts }: LowRule): string {
  const numbers = new Intl.ListFormat('en-GB').format(drafts)
  return `${inDraft} ${inDraft === 1 ? 'is' : 'are'} in draft${drafts.length > 1 ? 's' : ''} ${numbers} already.`
}

const count = (number: number, singular: string) => `${number} ${number === 1 ? singular : `${singular}s`}`

/** Shows the year only if it is not the current year. */
function dayText(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))
}

/** Calendar arithmetic in UTC, so that daylight saving time cannot shift the day. */
function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
