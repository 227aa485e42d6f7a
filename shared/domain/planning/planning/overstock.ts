import { daysBetween } from '../../../calendar-days.ts'
import { demandOver } from '../../../forecast/safety-stock.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import type { PlannedVariant } from './planned-variants.ts'

/** How long stock may last, in days: the choices of the report. */
const coverChoices = [30, 60, 90, 180, 365] as const

export type Overstock = { coverDays: number; demand: number; pieces: number }

/**
 * For each number of days in `coverChoices`: the whole pieces above the demand of these days. A variant without a forecast sells
 * nothing, so it needs none of its pieces; a new variant without one is left out.
 *
 * Example: 100 available, 7 a week: 30 are sold in 30 days, so 70 are above; 10 above 90 days.
 */
export function overstockOf({ available, week, ahead, today, isNew }: PlannedVariant): Overstock[] {
  if (available <= 0 || (week === null && isNew)) return []
  const start = week === null ? 0 : daysBetween(week, today) / 7
  return coverChoices.flatMap((coverDays) => {
    const demand = demandOver(ahead, start, start + coverDays / 7)
    // a floating-point error is no piece
    const pieces = Math.floor(available - demand + 1e-6)
    return pieces > 0 ? [{ coverDays, demand: oneDecimal(demand), pieces }] : []
  })
}
