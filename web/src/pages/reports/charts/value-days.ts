import type { InventoryValue } from '../../../../../shared/schemas/reports.ts'

/** What is drawn of the report: the values of each day, under the numbers of the places that they belong to. */
export type ValueDays = {
  /** The most valuable first; the last may be all others together. */
  places: readonly string[]
  /** The oldest first. */
  days: readonly { date: string; values: Record<string, number> }[]
}

const maxPlaces = 5

/** More places than can be told apart are drawn as one. */
export function toValueDays(rows: readonly InventoryValue[]): ValueDays {
  const worth = new Map<string, { name: string; total: number }>()
  for (const { locationId, locationName: name, value } of rows) {
    worth.set(locationId, { name, total: (worth.get(locationId)?.total ?? 0) + value })
  }
  const ranked = [...worth].sort(([, a], [, b]) => b.total - a.total)
  const shown = ranked.length > maxPlaces ? ranked.slice(0, maxPlaces - 1) : ranked
  const placeOf = new Map(shown.map(([locationId], at) => [locationId, at]))
  const days = new Map<string, Record<string, number>>()
  for (const { date, locationId, value } of rows) {
    const values = days.get(date) ?? {}
    const place = placeOf.get(locationId) ?? shown.length
    values[place] = (values[place] ?? 0) + value
    days.set(date, values)
  }
  return {
    places: [
      ...shown.map(([, { name }]) => name),
      ...(ranked.length > shown.length ? ['Other locations'] : []),
    ],
    days: [...days].map(([date, values]) => ({ date, values })).sort((a, b) => (a.date < b.date ? -1 : 1)),
  }
}
