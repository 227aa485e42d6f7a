/** A range of days in the shop's time zone, such as 2026-03-01; either end may be open. */
export type Days = { startDate?: string | undefined; endDate?: string | undefined }

/** Reads a day; a date field has the year 0002 while the merchant types 2026. */
export const readDay = (value: unknown) =>
  typeof value === 'string' && /^[1-9]\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** Reads the range from the search parameters of the URL. */
export function readDays(search: Record<string, unknown>): Days {
  const [startDate, endDate] = [readDay(search.startDate), readDay(search.endDate)]
  return { ...(startDate && { startDate }), ...(endDate && { endDate }) }
}

/** The merchant may type one of two days after the other, so that the first is later for a while. */
export const isReversed = ({ startDate, endDate }: Days) =>
  startDate !== undefined && endDate !== undefined && startDate > endDate

/** The filter of a request: the API refuses two days of which the first is later. */
export function requestDays<Filter extends Days>(filter: Filter): Filter | Omit<Filter, keyof Days> {
  if (!isReversed(filter)) return filter
  const { startDate: _, endDate: __, ...rest } = filter
  return rest
}
