import { dateText } from '../supply/day-text.ts'
import { explainPlan, lateText, shortageText } from '../supply/explain.ts'
import { explainRounding } from '../supply/explain-quantity.ts'
import type { LeadTime } from '../supply/reorder-point.ts'
import { daysInStock, type LowRule, type Suggestion } from './suggested-quantity.ts'

/**
 * Sentences with the numbers of a suggestion. A quantity of the forecast: "Sells 3.1 a week (seasonal, off by 18 % lately),
 * arrives in 19 ± 4 days, 12 left: order 40 (4 packs of 10) by Thursday." Else: "20 available + 24 on order = 44, at or
 * below 44: order 18, the usual quantity; sells 2.2 a day (mean of 30 days), arrives in 14 days: lasts until 9 March, ..."
 */
export function explainSuggestion(rule: LowRule, suggestion: Suggestion, leadTime: LeadTime): string {
  const { wanted, suggestedQuantity, roundedUpBy, isForecast } = suggestion
  const rounding = roundedUpBy > 0 && explainRounding(wanted, suggestedQuantity, rule)
  return [
    isForecast ? explainForecast(rule, suggestion, leadTime) : explainRule(rule, suggestion, leadTime),
    ...(rule.inDraft > 0 ? [draftText(rule)] : []),
    ...(rounding ? [rounding] : []),
    ...(rule.mode === 'auto' && !isForecast ? [noForecast] : []),
  ].join(' ')
}

const noForecast = 'There is no usable forecast yet, so the point is that of the sales of 90 days.'

function explainForecast(rule: LowRule, suggestion: Suggestion, leadTime: LeadTime): string {
  const { plan, demand, suggestedQuantity, orderByDate: orderBy } = suggestion
  const { today, currentStock: onHand, packSize, maxLevel } = rule
  return explainPlan({
    plan: { ...plan, suggestedQuantity, orderBy },
    ...{ demand, leadTime, today, onHand, packSize, maxLevel, growth: 0 },
  })
}

function explainRule(rule: LowRule, suggestion: Suggestion, leadTime: LeadTime): string {
  const { position, suggestedQuantity, inTimePosition, lateOnOrder, plan } = suggestion
  const parts = [
    `${rule.currentStock} available`,
    ...(rule.onOrder > 0 ? [`${rule.onOrder} on order`] : []),
    ...(rule.inTransit > 0 ? [`${rule.inTransit} in transit`] : []),
  ]
  const sum = parts.length > 1 ? ` = ${position}` : ''
  const late = lateOnOrder > 0 ? `; ${lateText(plan, rule.today)}, so ${inTimePosition} count` : ''
  const shortage = shortageText(plan, rule.today, rule.maxLevel)
  const compared =
    suggestedQuantity > 0
      ? `at or below ${rule.reorderPoint}: ${quantityText(rule, suggestion)}`
      : inTimePosition > rule.reorderPoint
        ? `above ${rule.reorderPoint}: ${shortage ?? 'nothing to order yet'}`
        : `not below the maximum level ${rule.maxLevel}: ${shortage ?? 'nothing to order'}`
  return `${parts.join(' + ')}${sum}${late}, ${compared}${gapText(rule, suggestion)}; ${paceText(rule, suggestion, leadTime)}.`
}

/** The time without stock before the pieces on their way arrive, which an order does not prevent. */
function gapText(
  { today }: LowRule,
  { suggestedQuantity, arrivingInGap, gapOn, gapUntil }: Suggestion,
): string {
  // without a quantity, the shortage is said already
  if (suggestedQuantity === 0 || arrivingInGap === 0 || gapOn === null || gapUntil === null) return ''
  return `; sold out from ${dateText(gapOn, today)} to ${dateText(gapUntil, today)}, when ${arrivingInGap} arrive`
}

function quantityText({ reorderPoint, reorderQuantity, maxLevel }: LowRule, suggestion: Suggestion): string {
  const order = `order ${suggestion.suggestedQuantity}`
  const rounded = suggestion.roundedUpBy > 0 ? ' rounded up' : ''
  if (maxLevel !== null) return `${order}, up to the maximum level ${maxLevel}${rounded && `,${rounded}`}`
  const times = Math.round(suggestion.wanted / reorderQuantity)
  if (times > 1)
    return `${order}, ${times} × the usual ${reorderQuantity}${rounded} to get above ${reorderPoint}`
  return rounded ? `${order}, the usual ${reorderQuantity}${rounded}` : `${order}, the usual quantity`
}

function paceText(rule: LowRule, suggestion: Suggestion, { source }: LeadTime): string {
  const { unitsSold, soldDays, emptyDays, week } = rule
  const { avgDailySales, leadTimeDays, plan } = suggestion
  if (week === null && unitsSold === 0) return `nothing was sold in ${soldDays} days`
  const pace =
    week !== null
      ? `expected to sell ${plan.unitsPerWeek.toFixed(1).replace(/\.0$/, '')} a week`
      : avgDailySales > 0
        ? `sells ${avgDailySales} a day (mean of ${count(daysInStock(rule), 'day')}${emptyDays > 0 ? ' in stock' : ''})`
        : `sold ${unitsSold} in ${soldDays} days`
  const arrival = `${source === 'assumed' ? 'is assumed to arrive' : 'arrives'} in ${count(leadTimeDays, 'day')}`
  return `${pace}, ${arrival}: ${lastsText(rule, suggestion)}`
}

function lastsText(
  { today, currentStock }: LowRule,
  { stockoutDate, coveredUntil, orderByDate, inTimePosition }: Suggestion,
): string {
  if (stockoutDate === null) return 'lasts for years'
  const stock = `lasts until ${dateText(stockoutDate, today)}`
  if (coveredUntil === null || orderByDate === null) return `${stock}, with incoming stock for years`
  const isComing = inTimePosition > currentStock
  const all = isComing ? `${stock}, with incoming stock until ${dateText(coveredUntil, today)}` : stock
  return `${all}, ${orderByDate < today ? 'order now' : `order by ${dateText(orderByDate, today)}`}`
}

function draftText({ inDraft, drafts }: LowRule): string {
  const numbers = new Intl.ListFormat('en-GB').format(drafts.map(({ poNumber }) => poNumber))
  return `${inDraft} ${inDraft === 1 ? 'is' : 'are'} in draft${drafts.length > 1 ? 's' : ''} ${numbers} already.`
}

const count = (number: number, singular: string) => `${number} ${number === 1 ? singular : `${singular}s`}`
