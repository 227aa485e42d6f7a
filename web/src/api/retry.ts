import { ApiError } from './api-error.ts'

const firstPauseMs = 1_000
const maxPauseMs = 5_000

type Options = {
  /** Called after each transient error, and after each 401. */
  onFailure: (error: ApiError) => void
  /** Ends the retries; it does not abort a request that is already sent. */
  signal: AbortSignal
}

/**
 * Sends a request until it gets a response. After a transient error it pauses for 1, 2, 4, then 5 s each time, or until
 * the network is back. An expired session (401) counts as transient: the shop admin may renew it. Throws any other error
 * immediately, and the last error when `signal` aborts.
 */
export async function retry<T>(send: () => Promise<T>, { onFailure, signal }: Options): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || signal.aborted) throw error
      if (!error.isTransient && error.status !== 401) throw error
      onFailure(error)
    }
    await pause(pauseMs, signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
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
