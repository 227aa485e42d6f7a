/** A job runs at most this long, then enqueues the rest as a new job, so that other jobs get their turn. */
const timeBudgetMs = 20_000

/** Returns a function that reports whether the 20 s are over. Checked after each page, so a job always completes one. */
export function startTimeBudget(): () => boolean {
  const startedAt = performance.now()
  return () => performance.now() - startedAt > timeBudgetMs
}
