import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalPostgres } from './postgres.ts'

const checkMs = 500
const maxDelayMs = 10_000

/** Restarts Postgres on its port after an unexpected stop. The returned function ends the watch. */
export function watchPostgres(postgres: LocalPostgres, write: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController()

  async function watch(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const delayMs = Math.min(checkMs * 2 ** failures, maxDelayMs)
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted || (await postgres.isRunning())) continue
      if (failures === 0) write(`Postgres has stopped; restarting it on port ${postgres.port}`)
      try {
        await postgres.restart()
        failures = 0
      } catch (error) {
        failures += 1
        // the first attempt often fails because backends of the old server are still exiting
        if (failures > 1) write(error instanceof Error ? error.message : String(error))
      }
    }
  }

  const watching = watch()
  return async () => {
    stopping.abort()
    await watching
  }
}
