import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalPostgres } from './postgres.ts'

const checkMs = 500
const maxDelayMs = 10_000

/**
 * Starts Postgres again, on its port, when it has ended by itself, and says so in one line. Answers what ends the
 * watch; a start that is on its way is waited for.
 */
export function watchPostgres(postgres: LocalPostgres, write: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController()

  async function watch(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const delayMs = Math.min(checkMs * 2 ** failures, maxDelayMs)
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted || (await postgres.isRunning())) continue
      if (failures === 0) write(`Postgres has ended; starting it again on port ${postgres.port}`)
      try {
        await postgres.startAgain()
        failures = 0
      } catch (error) {
        failures += 1
        // the first time is often too soon: what served the connections is still ending
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
