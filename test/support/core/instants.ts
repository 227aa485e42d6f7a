/** Instants around now, for records of the past and the future: only this file reads the clock (`dev/test-rules.ts`). */
const dayMs = 86_400_000

export const instantIn = (ms: number): Date => new Date(Date.now() + ms)
export const daysAgo = (days: number): Date => instantIn(-days * dayMs)
/** A day from today (UTC), as in 2026-03-01. */
export const dayFromToday = (days: number): string =>
  instantIn(days * dayMs)
    .toISOString()
    .slice(0, 10)
/** Whole seconds since 1970, as in tokens and signed addresses. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000)
