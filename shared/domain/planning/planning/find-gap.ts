import { addDays, daysBetween } from '../../../calendar-days.ts'
import { demandOver } from '../../../forecast/safety-stock.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import { type ProjectionInput, projectStock } from '../supply/project-stock.ts'

/** What is known about a variant in total, or at one of its locations. */
export type GapInput = Omit<ProjectionInput, 'days'> & {
  /** Of the main supplier: L, and R, the days from one review of the stock to the next. */
  leadDays: number
  reviewDays: number
}

export type Gap = {
  gapOn: string
  /** Null: nothing is on its way. */
  nextArrivalOn: string | null
  /** Demand from `gapOn` to the day before `endsOn` that is not met. */
  missingUnits: number
  /** The next arrival; without one, when an order of the next review would arrive. */
  endsOn: string
  /** Pieces that are owed when the gap begins; goods that arrive are theirs first. */
  owed: number
}

/** A smaller loss is no gap: half a piece is not sold. A later loss may be one. */
const minMissing = 0.5
/** Longer than any lead time. */
const maxDays = 1_100

/**
 * Finds the first gap of a variant: a day that does not meet its demand, before the next arrival, with half a piece missing or more.
 * Without an arrival after it, the gap counts when it begins before L + R, so before an order of the next review would arrive; until then
 * its loss counts.
 *
 * Example: 5 available on Monday, 2 a day, L = 7, R = 7. Nothing is on its way: the gap is on Wednesday, and 23 are missing until
 * the order of next Monday arrives on day 14 (28 - 5). With 10 that arrive on Friday, 3 are missing until Friday.
 */
export function findGap({ leadDays, reviewDays, ...stock }: GapInput): Gap | null {
  const { today, week, available } = stock
  const horizon = Math.min(maxDays, Math.ceil(leadDays + reviewDays))
  const arrivals = stock.arrivals.filter(({ day }) => daysBetween(today, day) < maxDays)
  const last = Math.max(0, ...arrivals.map(({ day }) => daysBetween(today, day) + 1))
  const days = Math.max(horizon, last)
  const start = daysBetween(week, today) / 7
  if (available >= demandOver(stock.ahead, start, start + days / 7)) return null
  const { unmet, projected } = projectStock({ ...stock, arrivals, days })
  const found = unmet.find((each) => each.missingUnits >= minMissing)
  if (!found) return null
  const { from: gapOn, nextArrivalOn, missingUnits } = found
  if (nextArrivalOn === null && daysBetween(today, gapOn) >= horizon) return null
  const left = projected.find(({ day }) => day === gapOn)?.quantity ?? 0
  const endsOn = nextArrivalOn ?? addDays(today, horizon)
  return { gapOn, nextArrivalOn, missingUnits, endsOn, owed: Math.max(0, -left) }
}

/** The pieces of the gap's demand from `day` on: what goods that arrive on that day can still sell. */
export function missingFrom(
  gap: Gap,
  { week, ahead }: Pick<GapInput, 'week' | 'ahead'>,
  day: string,
): number {
  if (day <= gap.gapOn) return gap.missingUnits
  if (day >= gap.endsOn) return 0
  // between the gap's first day and its end nothing is in stock, so all demand is missing
  const missing = demandOver(ahead, daysBetween(week, day) / 7, daysBetween(week, gap.endsOn) / 7)
  return Math.min(gap.missingUnits, oneDecimal(missing))
}
