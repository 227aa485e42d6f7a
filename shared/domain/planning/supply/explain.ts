import { daysBetween } from '../../../calendar-days.ts'
import { dayText } from './day-text.ts'
import type { ChosenDemand } from './demand.ts'
import type { Plan } from './plan.ts'
import type { LeadTime } from './reorder-point.ts'

type Explained = {
  plan: Plan
  demand: ChosenDemand
  leadTime: LeadTime
  today: string
  onHand: number
  packSize: number
  growth: number
  maxLevel?: number | null
}

/** Words of the basis, and of the model of a forecast. */
const methods: Readonly<Record<string, string>> = {
  last_year: 'as last year',
  manual: 'entered by hand',
  product_type: 'like new products of its type',
  naive: 'as last week',
  seasonal_naive: 'as last year',
  croston: 'irregular demand',
  damped_holt: 'trend',
  exponential_smoothing: 'smoothed',
  seasonal_mean: 'seasonal',
  seasonal_smoothing: 'seasonal',
  seasonal_holt: 'seasonal trend',
}

/**
 * One sentence with the inputs: "Sells 3.1 a week (seasonal, off by 18 % lately), arrives in 19 ± 4 days, 12 left: order 40
 * (4 packs of 10) by Thursday."
 */
export function explainPlan(explained: Explained): string {
  const { plan, demand, leadTime, today, growth } = explained
  const error = demand.wape === null ? '' : `, off by ${Math.round(demand.wape * 100)} % lately`
  const grown = growth === 0 ? '' : `, ${growth > 0 ? '+' : '−'}${Math.abs(growth)} %`
  const late = plan.lateOnOrder
  const parts = [
    `Sells ${plan.unitsPerWeek.toFixed(1).replace(/\.0$/, '')} a week (${methodText(demand)}${error}${grown})`,
    arrivalText(leadTime),
    stockText(explained),
    ...(late > 0 ? [lateText(plan, today)] : []),
  ]
  return `${parts.join(', ')}: ${orderText(explained)}.`
}

/** The days that a mean really counts, and what takes the place of the weeks of last year that are not known. */
function methodText({ method, counted, filled }: ChosenDemand): string {
  if (counted) return `mean of ${dayCount(counted.days)}${counted.areInStock ? ' in stock' : ''}`
  if (!filled) return methods[method] ?? 'average'
  const filling = fillings[filled.by]
  return filled.isWhole ? `${filling}, since last year is not known` : `as last year, in part ${filling}`
}

const fillings = { forecast: 'forecast', weeks: 'mean of the known weeks', days: 'mean of the last days' }

/** "12 left", "12 left and 20 arriving in time", "12 left, 20 arriving in time and 50 arriving 2 days after it is sold out". */
function stockText({ plan, onHand }: Explained): string {
  const { inTimePosition, arrivingInGap, gapOn, gapUntil, lateOnOrder } = plan
  const inTime = inTimePosition - onHand - arrivingInGap
  const after = gapOn && gapUntil ? `${dayCount(daysBetween(gapOn, gapUntil))} after` : 'after'
  const coming = [
    ...(inTime > 0 ? [`${inTime} arriving in time`] : []),
    ...(arrivingInGap > 0 ? [`${arrivingInGap} arriving ${after} it is sold out`] : []),
  ]
  const moved = coming.length > 0 && lateOnOrder === 0 ? movedText(plan) : ''
  return [`${onHand} left`, ...coming].join(', ').replace(/, (?=[^,]*$)/, ' and ') + moved
}

function arrivalText({ days, deviation, source }: LeadTime): string {
  const spread = Math.round(deviation)
  const time = `${Math.round(days)}${spread > 0 ? ` ± ${spread}` : ''} ${Math.round(days) === 1 && spread === 0 ? 'day' : 'days'}`
  return source === 'assumed' ? `is assumed to arrive in ${time}` : `arrives in ${time}`
}

/** What arrives too late, and how late. */
export function lateText(plan: Plan, today: string): string {
  const { lateOnOrder, lateOn, lateGapOn } = plan
  if (lateOn === null || lateGapOn === null) return `${lateOnOrder} on order arrive late`
  const when = `${dayText(lateOn, today)}${movedText(plan)}`
  return `${lateOnOrder} on order arrive ${when}, ${dayCount(daysBetween(lateGapOn, lateOn))} after it is sold out`
}

/** Says that an expected date is not the promised one: " (5 days after the promised date, as usual for this supplier)". */
function movedText({ movedBy }: Pick<Plan, 'movedBy'>): string {
  if (movedBy === 0) return ''
  const side = movedBy > 0 ? 'after' : 'before'
  return ` (${dayCount(Math.abs(movedBy))} ${side} the promised date, as usual for this supplier)`
}

const dayCount = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/**
 * What to do when nothing is to order although the stock is sold out before a new order could arrive; null: it is not.
 */
export function shortageText(plan: Plan, today: string, maxLevel: number | null): string | null {
  const { gapOn, gapUntil, orderBy, onOrderInGap, arrivingInGap, lateOnOrder } = plan
  if (gapOn === null || orderBy === null || orderBy >= today) return null
  const until = gapUntil === null ? '' : ` until ${dayText(gapUntil, today).replace(/^on /, '')}`
  const soldOut = `sold out ${dayText(gapOn, today)}${until}`
  if (onOrderInGap + lateOnOrder > 0) return `${soldOut}, ask for the order on its way earlier`
  if (arrivingInGap > 0) return `${soldOut}, ask for the transfer on its way earlier`
  if (maxLevel === null) return soldOut
  return `${soldOut}, since the maximum level of ${maxLevel} does not last for the lead time; raise it`
}

function orderText({ plan, today, packSize, maxLevel }: Explained): string {
  const { suggestedQuantity, orderBy } = plan
  if (suggestedQuantity === 0) return shortageText(plan, today, maxLevel ?? null) ?? 'nothing to order yet'
  const packs = suggestedQuantity / packSize
  const inPacks =
    packSize > 1 && Number.isInteger(packs)
      ? ` (${packs} ${packs === 1 ? 'pack' : 'packs'} of ${packSize})`
      : ''
  const quantity = `order ${suggestedQuantity}${inPacks}${maxLevel ? `, up to the maximum of ${maxLevel}` : ''}`
  if (orderBy === null) return quantity
  const when = orderBy <= today ? 'now' : `by ${dayText(orderBy, today).replace(/^on /, '')}`
  return `${quantity}${maxLevel ? ',' : ''} ${when}`
}
