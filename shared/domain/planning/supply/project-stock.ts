import { demandOver } from '../../../forecast/safety-stock.ts'
import { oneDecimal } from '../../../one-decimal.ts'

export type ProjectionInput = {
  /** The first day, as in 2026-03-02. */
  today: string
  /** How many days to project, today included. */
  days: number
  /** What can be sold at the start of the first day; below 0 it is owed. */
  available: number
  /** The Monday of the first week of `ahead`: the current week, or an earlier one. */
  week: string
  /** Forecast units by week; the last week continues. */
  ahead: readonly number[]
  /** What arrives, by its day in the time zone of the shop. It is sold from that day on; an earlier day counts as today. */
  arrivals: readonly { day: string; quantity: number }[]
}

/** `from` is the first day that does not meet its demand, `until` the next one with stock; null: none is projected. */
export type Shortage = { from: string; until: string | null }

/** Demand that is not met from `from`, the first day, until the next arrival after it; null: none is known. */
export type UnmetDemand = { from: string; nextArrivalOn: string | null; missingUnits: number }

export type Projection = {
  /** What is left at the end of each day. */
  projected: { day: string; quantity: number }[]
  /** The first day that does not meet its demand; null: no day. */
  gapOn: string | null
  /** The day of the first arrival after `gapOn`; null: none is known. */
  nextArrivalOn: string | null
  /** Demand that is not met from `gapOn` until that arrival, else until the last day. */
  missingUnits: number
  /** The times without stock, the earliest first. */
  shortages: Shortage[]
  /** Each demand that is not met until an arrival, the earliest first. */
  unmet: UnmetDemand[]
}

/**
 * Projects the stock of a variant by day: each day of a week sells a seventh of its forecast, after what arrives on that day.
 * Demand that is not met is lost, so a gap leaves no debt for the next arrival; pieces that are owed at the start stay owed.
 *
 * Example: 5 available on Monday, a forecast of 14 a week (2 a day), 10 arrive on Friday:
 *
 * | day       | Mon | Tue | Wed | Thu | Fri |
 * | --------- | --- | --- | --- | --- | --- |
 * | arrives   | 0   | 0   | 0   | 0   | 10  |
 * | sold      | 2   | 2   | 1   | 0   | 2   |
 * | left      | 3   | 1   | 0   | 0   | 8   |
 *
 * The gap is on Wednesday, and 1 + 2 = 3 units are missing until Friday.
 */
export function projectStock({ today, days, available, week, ahead, arrivals }: ProjectionInput): Projection {
  const first = dayNumber(today)
  const monday = dayNumber(week)
  const arriving = new Map<number, number>()
  for (const { day, quantity } of arrivals) {
    const at = Math.max(first, dayNumber(day))
    arriving.set(at, (arriving.get(at) ?? 0) + quantity)
  }
  const projected: Projection['projected'] = []
  const shortages: Shortage[] = []
  const unmet: UnmetDemand[] = []
  let left = available
  for (let day = first; day < first + days; day += 1) {
    const arrived = arriving.get(day) ?? 0
    const before = unmet.at(-1)
    if (before && arrived > 0) before.nextArrivalOn ??= dayOf(day)
    left += arrived
    const inStock = left > 0
    const demand = demandOver(ahead, (day - monday) / 7, (day + 1 - monday) / 7)
    const missing = Math.max(0, demand - Math.max(0, left))
    // a floating-point error is no missing piece
    const isShort = missing > 1e-6
    if (isShort && unmet.at(-1)?.nextArrivalOn !== null) {
      unmet.push({ from: dayOf(day), nextArrivalOn: null, missingUnits: 0 })
    }
    const shortage = shortages.at(-1)
    const isOngoing = shortage?.until === null
    if (isShort && !isOngoing) shortages.push({ from: dayOf(day), until: null })
    if (isOngoing && inStock && !isShort) shortage.until = dayOf(day)
    const ongoing = unmet.at(-1)
    if (ongoing?.nextArrivalOn === null) ongoing.missingUnits += missing
    left -= demand - missing
    projected.push({ day: dayOf(day), quantity: oneDecimal(left) })
  }
  const later = [...arriving.keys()].filter((day) => day >= first + days)
  const last = unmet.at(-1)
  if (last && later.length > 0) last.nextArrivalOn ??= dayOf(Math.min(...later))
  for (const each of unmet) each.missingUnits = oneDecimal(each.missingUnits)
  const [gap] = unmet
  return {
    projected,
    gapOn: gap?.from ?? null,
    nextArrivalOn: gap?.nextArrivalOn ?? null,
    missingUnits: gap?.missingUnits ?? 0,
    shortages,
    unmet,
  }
}

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000
const dayOf = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)
