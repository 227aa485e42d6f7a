import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../shared/db/db.ts'

const retryIntervalMs = 500

/** Repeats `work` while the database is unavailable, until the signal is aborted. */
export async function whileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error
      await sleep(retryIntervalMs, undefined, { signal })
    }
  }
}
