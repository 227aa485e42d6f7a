import { addDays, daysBetween } from '../../../calendar-days.ts'
import { demandOver, orderQuantity, safetyStock } from '../../../forecast/safety-stock.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import type { Packaging } from '../../records/supplier-prices/quantity.ts'
import { roundedQuantity } from './explain-quantity.ts'
import { projectStock } from './project-stock.ts'
import type { LeadTime } from './reorder-point.ts'
import { normalQuantile } from './reorder-point.ts'

/**
 * An order that is on its way. `day`: when it arrives, in the time zone of the shop; null: the order has no date.
 * `lateDays`: by how many days the delays of its supplier have moved that day.
 */
export type Incoming = { day: string | null; quantity: number; lateDays?: number }

export type PlanInput = Packaging & {
  /** As in 2026-03-02. */
  today: string
  onHand: number
  /** Transfers between locations, on the day on which they arrive; they always count. */
  moving: readonly { day: string; quantity: number }[]
  incoming: readonly Incoming[]
  /** Units by week. The first week starts on `week`, at the latest today; the last one continues. */
  demand: { week: string; units: readonly number[]; standardError: number }
  leadTime: LeadTime
  reviewDays: number
  /** How long the order has to last after it arrives; at least `reviewDays`. */
  coverDays: number
  /** In percent. */
  serviceLevel: number
  /** The order fills the stock up to this level; null: up to the expected demand. */
  maxLevel?: number | null
}

export type Plan = {
  inTimePosition: number
  lateOnOrder: number
  /** The first day on which late pieces arrive. */
  lateOn: string | null
  /** The first day of the time without stock that the late pieces do not prevent. */
  lateGapOn: string | null
  /** By how many days the delays of its supplier have moved the first late arrival, else the first one; below 0: earlier. */
  movedBy: number
  forecastUnits: number
  unitsPerWeek: number
  safetyStock: number
  wantedQuantity: number
  suggestedQuantity: number
  gapOn: string | null
  /** The next day with stock; null: nothing that is on its way ends the gap. */
  gapUntil: string | null
  /** Pieces that arrive after `gapOn`, up to `gapUntil`, and count since a new order would not arrive earlier. */
  arrivingInGap: number
  /** Those of them that are on order, not in a transfer. */
  onOrderInGap: number
  orderBy: string | null
}

/** Longer than any lead time and cover together; an order that arrives later is late. */
const maxDays = 1_100

/**
 * How much to order, in pieces: the demand over L + max(R, cover) and the safety stock, less the position that arrives in
 * time, then whole packs and at least the minimum. An order on its way is late when it arrives after a day on which the
 * stock is sold out and a new order could be there. An earlier time without stock, which no new order prevents, makes no
 * order late.
 *
 * Example: 7 a week, no error, 10 in stock, L = 14, R = 7, cover 30; 100 on order that arrive in 30 days. The stock is
 * sold out after 10 days, and a new order would arrive after 14, so the 100 are late by 20 days. 44 - 10 = 34 to order;
 * with a maximum level of 60: 50. With 20 more that arrive on day 12, the stock is sold out on the days 10 and 11, and
 * again from day 32 on: the 100 are in time, and nothing is to order.
 */
export function planOrder(input: PlanInput): Plan {
  const { today, onHand, moving, leadTime } = input
  const cover = Math.max(input.reviewDays, input.coverDays)
  const horizon = Math.min(maxDays, Math.ceil(leadTime.days + cover))
  const leadDay = addDays(today, Math.ceil(leadTime.days))
  const arrivals = input.incoming
    .map(({ day, quantity, lateDays = 0 }) => ({ day: day ?? leadDay, quantity, lateDays }))
    .sort((a, b) => a.day.localeCompare(b.day))
  const lastArrival = Math.max(0, ...[...arrivals, ...moving].map(({ day }) => daysBetween(today, day) + 1))
  const demand = demandFrom(today, input.demand)
  const supply = {
    leadTime: leadTime.days / 7,
    leadTimeDeviation: leadTime.deviation / 7,
    review: input.reviewDays / 7,
  }
  const z = normalQuantile(input.serviceLevel / 100)
  const { shortages } = projectStock({
    today,
    days: Math.min(maxDays, Math.max(horizon, lastArrival)),
    available: onHand,
    week: today,
    ahead: demand.ahead,
    arrivals: [...arrivals, ...moving],
  })
  // an order cannot change what happens before the lead time is over
  const avoidable = shortages.find(({ until }) => until === null || until > leadDay)
  const late = avoidable ? arrivals.filter(({ day }) => day > avoidable.from && day > leadDay) : []
  const lateOnOrder = piecesOf(late)
  const position = onHand + piecesOf(moving) + piecesOf(arrivals) - lateOnOrder
  const stock = { position, cover: cover / 7, maxLevel: null }
  const needed = orderQuantity(demand, supply, z, stock)
  const { maxLevel = null } = input
  const wantedQuantity = needed > 0 ? orderQuantity(demand, supply, z, { ...stock, maxLevel }) : 0
  const forecastUnits = demandOver(demand.ahead, 0, (leadTime.days + cover) / 7)
  const [first] = shortages
  const gap = first && daysBetween(today, first.from) < horizon ? first : null
  const isInGap = ({ day }: { day: string }) =>
    gap !== null && day > gap.from && (gap.until === null || day <= gap.until)
  const onOrderInGap = piecesOf(arrivals.filter((arrival) => isInGap(arrival) && !late.includes(arrival)))
  return {
    inTimePosition: position,
    lateOnOrder,
    lateOn: late[0]?.day ?? null,
    lateGapOn: late.length > 0 && avoidable ? avoidable.from : null,
    movedBy: (late[0] ?? arrivals[0])?.lateDays ?? 0,
    forecastUnits: oneDecimal(forecastUnits),
    unitsPerWeek: (forecastUnits * 7) / (leadTime.days + cover),
    safetyStock: oneDecimal(safetyStock(demand, supply, z)),
    wantedQuantity,
    suggestedQuantity: wantedQuantity > 0 ? roundedQuantity(wantedQuantity, input) : 0,
    gapOn: gap?.from ?? null,
    gapUntil: gap?.until ?? null,
    arrivingInGap: onOrderInGap + piecesOf(moving.filter(isInGap)),
    onOrderInGap,
    orderBy: gap && addDays(gap.from, -Math.ceil(leadTime.days)),
  }
}

/** The pieces that fill packs, multiple and minimum. */
export const roundedUpBy = ({
  wantedQuantity,
  suggestedQuantity,
}: Pick<Plan, 'wantedQuantity' | 'suggestedQuantity'>) => Math.max(0, suggestedQuantity - wantedQuantity)

const piecesOf = (arrivals: readonly { quantity: number }[]) =>
  arrivals.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * The demand by week from today on.
 *
 * Example: today is Thursday, weeks of 7 and 14 from Monday: 4 and 3 days of them, 4 + 6 = 10, then 14.
 */
export function demandFrom(today: string, { week, units, standardError }: PlanInput['demand']) {
  const start = daysBetween(week, today) / 7
  const ahead = units.map((_, at) => demandOver(units, start + at, start + at + 1))
  return { ahead, standardError }
}
