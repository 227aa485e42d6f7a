/**
 * Starts a timer of `ms` and returns whether it has ended: what takes at least as long ends after it, because timers end in order, however
 * busy the machine is.
 */
export function startTimer(ms: number): () => boolean {
  let hasEnded = false
  setTimeout(() => {
    hasEnded = true
  }, ms)
  return () => hasEnded
}
