import type { ReorderSuggestion } from '../../schemas/reorder-suggestions.ts'
import type { LeadTime } from './reorder-point.ts'

/** What is known of a rule whose stock is low. */
export type LowRule = Pick<
  ReorderSuggestion,
  'currentStock' | 'reorderPoint' | 'reorderQuantity' | 'onOrder' | 'inTransit' | 'inDraft'
> & {
  /** Pieces sold in so many days. */
  unitsSold: number
  soldDays: number
  /** Numbers of the drafts that hold some already. */
  drafts: readonly string[]
  /** The shop's day, as in 2026-03-01. */
  today: string
}

const maxQuantity = 1_000_000_000
/** Nobody plans further ahead, and dates end somewhere. */
const maxDays = 36_500

/**
 * What to order of a low rule, and why. Stock, orders and transfers together are its position. At the pace of what was
 * sold the stock lasts until the stock-out date, which is today when there is none; the position lasts longer, and an
 * order has to leave the lead time before that.
 */
export function suggestFor(rule: LowRule, leadTime: LeadTime) {
  const position = rule.currentStock + rule.onOrder + rule.inTransit
  const isShort = position <= rule.reorderPoint
  const needed = Math.max(rule.reorderQuantity, rule.reorderPoint - position)
  const leadTimeDays = Math.ceil(leadTime.days)
  const stockoutDate = lastDay(rule, rule.currentStock)
  const coveredUntil = lastDay(rule, position)
  const suggestion = {
    position,
    suggestedQuantity: isShort ? Math.min(needed, maxQuantity) : 0,
    avgDailySales: Math.round((rule.unitsSold * 100) / rule.soldDays) / 100,
    leadTimeDays,
    stockoutDate,
    orderByDate: coveredUntil && addDays(coveredUntil, -leadTimeDays),
  }
  return { ...suggestion, explanation: explain(rule, { ...suggestion, coveredUntil }, leadTime) }
}

/** The day on which so many pieces are sold out; null when nothing sells, or for longer than anybody plans. */
function lastDay({ unitsSold, soldDays, today }: LowRule, pieces: number): string | null {
  if (unitsSold <= 0) return null
  const days = Math.floor((Math.max(0, pieces) * soldDays) / unitsSold)
  return days > maxDays ? null : addDays(today, days)
}

type Suggestion = Pick<
  ReorderSuggestion,
  'position' | 'suggestedQuantity' | 'avgDailySales' | 'leadTimeDays' | 'stockoutDate' | 'orderByDate'
> & { coveredUntil: string | null }

/** A few sentences with every number that the suggestion comes from. */
function explain(rule: LowRule, suggestion: Suggestion, leadTime: LeadTime): string {
  const { position, suggestedQuantity } = suggestion
  const parts = [
    `${rule.currentStock} on hand`,
    ...(rule.onOrder > 0 ? [`${rule.onOrder} on order`] : []),
    ...(rule.inTransit > 0 ? [`${rule.inTransit} in transit`] : []),
  ]
  const sum = parts.length > 1 ? ` = ${position}` : ''
  const compared =
    suggestedQuantity > 0
      ? `at or below ${rule.reorderPoint}: ${quantityWords(rule, suggestion)}`
      : `above ${rule.reorderPoint}: nothing to order yet`
  const drafted = rule.inDraft > 0 ? ` ${draftWords(rule)}` : ''
  return `${parts.join(' + ')}${sum}, ${compared}; ${paceWords(rule, suggestion, leadTime)}.${drafted}`
}

function quantityWords({ reorderPoint, reorderQuantity }: LowRule, suggestion: Suggestion): string {
  const missing = reorderPoint - suggestion.position
  const order = `order ${suggestion.suggestedQuantity}`
  return missing > reorderQuantity
    ? `${order}, since ${missing} are missing to the point, more than the usual ${reorderQuantity}`
    : `${order}, the usual quantity`
}

function paceWords(rule: LowRule, suggestion: Suggestion, { source }: LeadTime): string {
  const { unitsSold, soldDays } = rule
  const { avgDailySales, leadTimeDays } = suggestion
  if (unitsSold === 0) return `nothing was sold in ${soldDays} days`
  const pace = avgDailySales > 0 ? `sells ${avgDailySales} a day` : `sold ${unitsSold} in ${soldDays} days`
  const arrival = `${source === 'assumed' ? 'is assumed to arrive' : 'arrives'} in ${count(leadTimeDays, 'day')}`
  return `${pace}, ${arrival}: ${lastWords(rule, suggestion)}`
}

function lastWords(
  { onOrder, inTransit, today }: LowRule,
  { stockoutDate, coveredUntil, orderByDate }: Suggestion,
): string {
  if (stockoutDate === null) return 'lasts for years'
  const stock = `lasts until ${dayWords(stockoutDate, today)}`
  if (coveredUntil === null || orderByDate === null) return `${stock}, with what is on its way for years`
  const isComing = onOrder + inTransit > 0
  const all = isComing ? `${stock}, with what is on its way until ${dayWords(coveredUntil, today)}` : stock
  return `${all}, ${orderByDate < today ? 'order now' : `order by ${dayWords(orderByDate, today)}`}`
}

function draftWords({ inDraft, drafts }: LowRule): string {
  const numbers = new Intl.ListFormat('en-GB').format(drafts)
  return `${inDraft} ${inDraft === 1 ? 'is' : 'are'} in draft${drafts.length > 1 ? 's' : ''} ${numbers} already.`
}

const count = (number: number, one: string) => `${number} ${number === 1 ? one : `${one}s`}`

/** The year is said where it is not this one. */
function dayWords(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))
}

/** Days are the calendar's: no hour of a time zone comes or goes between them. */
function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
