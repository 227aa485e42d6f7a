/** A long job gives way to others so often; what is left is a job of its own. */
const timeBudgetMs = 20_000

/** Answers whether the time of a job is up. A job of a slow page still does one. */
export function startTimeBudget(): () => boolean {
  const startedAt = performance.now()
  return () => performance.now() - startedAt > timeBudgetMs
}
