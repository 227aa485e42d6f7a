import { setTimeout as sleep } from 'node:timers/promises'
import { deadline } from './machine.ts'

const shortestPauseMs = 50
const longestPauseMs = 500

/**
 * Polls until the condition returns neither undefined nor false, and returns its value. Throws after the deadline of `idleMs`
 * (`machine.ts`).
 */
export async function until<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  idleMs = 150_000,
): Promise<T> {
  const signal = AbortSignal.timeout(deadline(idleMs))
  // a long wait polls less often, because the polls of a test slow down what it waits for
  for (let pauseMs = shortestPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 1.1, longestPauseMs)) {
    const value = await condition()
    if (value !== undefined && value !== false) return value
    await sleep(pauseMs)
  }
  throw new Error(`Timeout after ${deadline(idleMs)} ms: ${what}`)
}
