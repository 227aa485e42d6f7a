const dayLength = 86_400_000

// in UTC, so that daylight saving time cannot shift the day
const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** Adds days to a day: 2026-03-01 and -1 give 2026-02-28. */
export const addDays = (day: string, days: number): string =>
  new Date(instantOf(day) + days * dayLength).toISOString().slice(0, 10)

/** The days from one day to another: 2 from 2026-02-28 to 2026-03-02. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((instantOf(to) - instantOf(from)) / dayLength)
