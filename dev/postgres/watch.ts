import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { LocalPostgres } from './postgres.ts'

const checkMs = 500

/** Restarts Postgres on its port after an unexpected stop. The returned function ends the watch. */
export function watchPostgres(postgres: LocalPostgres, write: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await sleep(checkMs, undefined, { signal })
      if (await postgres.isRunning()) continue
      signal.throwIfAborted()
      write(`Postgres has stopped; restarting it on port ${postgres.port}`)
      await pRetry(postgres.restart, {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: 2 * checkMs,
        maxTimeout: 10_000,
        signal,
        // the first attempt often fails because backends of the old server are still exiting
        onFailedAttempt: ({ error, attemptNumber }) => {
          if (attemptNumber > 1) write(error.message)
        },
      })
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) write(error instanceof Error ? error.message : String(error))
  })
  return async () => {
    stopping.abort()
    await watching
  }
}
