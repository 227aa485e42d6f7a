/**
 * Starts a timer of `ms` and returns whether it has ended. A delay of this process that is at least as long ends after it, because Node ends
 * timers in the order of their times, however busy the machine is.
 */
export function startTimer(ms: number): () => boolean {
  let hasEnded = false
  setTimeout(() => {
    hasEnded = true
  }, ms)
  return () => hasEnded
}
