/** The day of an instant in a time zone, as a date field wants it: 2026-03-01. */
export const dayOf = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant))

/** The day so many days after another, or before it: of 2026-03-01 and -1 it is 2026-02-28. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The last minute of a day in a time zone: what is expected on a day is late when the day is over. */
export function endOfDay(day: string, timeZone: string): string {
  const asIfUtc = Date.parse(`${day}T23:59:00Z`)
  const guess = asIfUtc - offsetAt(asIfUtc, timeZone)
  // once more from there: between the two the clocks may have been changed
  return new Date(asIfUtc - offsetAt(guess, timeZone)).toISOString()
}

/** How far a time zone is ahead of UTC at an instant, in milliseconds. */
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
