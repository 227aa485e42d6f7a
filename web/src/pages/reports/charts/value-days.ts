import type { InventoryValue } from '../../../../../shared/schemas/reports.ts'

/** The chart's data: for each day, values by index into `locations`. */
export type ValueDays = {
  /** The most valuable first; the last may be "Other locations". */
  locations: readonly string[]
  /** The oldest first. */
  days: readonly { date: string; values: Record<string, number> }[]
}

const maxSeries = 5

/**
 * Builds at most five series, ranked by their total over all days. Example: of seven locations, the first four have a
 * series of their own and the fifth series, "Other locations", is the sum of the other three.
 */
export function toValueDays(rows: readonly InventoryValue[]): ValueDays {
  const totals = new Map<string, { name: string; total: number }>()
  for (const { locationId, locationName: name, value } of rows) {
    totals.set(locationId, { name, total: (totals.get(locationId)?.total ?? 0) + value })
  }
  const ranked = [...totals].sort(([, a], [, b]) => b.total - a.total)
  const shown = ranked.length > maxSeries ? ranked.slice(0, maxSeries - 1) : ranked
  const indexOf = new Map(shown.map(([locationId], at) => [locationId, at]))
  const days = new Map<string, Record<string, number>>()
  for (const { date, locationId, value } of rows) {
    const values = days.get(date) ?? {}
    const index = indexOf.get(locationId) ?? shown.length
    values[index] = (values[index] ?? 0) + value
    days.set(date, values)
  }
  return {
    locations: [
      ...shown.map(([, { name }]) => name),
      ...(ranked.length > shown.length ? ['Other locations'] : []),
    ],
    days: [...days].map(([date, values]) => ({ date, values })).sort((a, b) => (a.date < b.date ? -1 : 1)),
  }
}
