import { ApiError } from './api-error.ts'

const firstPauseMs = 1_000
const maxPauseMs = 5_000

type Options = {
  /** Told each time when there was no answer. */
  onTrouble: () => void
  /** Ends the trying; a request that is under way is not broken off. */
  signal: AbortSignal
}

/**
 * Asks until there is an answer: what may pass is tried again, with growing pauses, and at once when the network is back.
 * Throws what the API refuses, and the last trouble when `signal` ends it.
 */
export async function retry<T>(ask: () => Promise<T>, { onTrouble, signal }: Options): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError && error.isPassing) || signal.aborted) throw error
      onTrouble()
    }
    await rest(pause, signal)
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => resolve()
  signal.addEventListener('abort', wake)
  globalThis.addEventListener?.('online', wake)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
    globalThis.removeEventListener?.('online', wake)
  })
}
