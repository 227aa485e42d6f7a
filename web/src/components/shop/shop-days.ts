/** The day of an instant in a time zone, in the format of a date input: 2026-03-01. */
export const dayOf = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant))

/** Adds days to a day: 2026-03-01 and -1 give 2026-02-28. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The last minute of a day in a time zone: an order is overdue when its expected day is over. */
export function endOfDay(day: string, timeZone: string): string {
  const asIfUtc = Date.parse(`${day}T23:59:00Z`)
  const guess = asIfUtc - offsetAt(asIfUtc, timeZone)
  // the guess uses the offset at another instant; daylight saving time may start or end between the two
  return new Date(asIfUtc - offsetAt(guess, timeZone)).toISOString()
}

/** The offset of a time zone from UTC at an instant, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day, hour, minute } = parts
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / 60_000) * 60_000
}
