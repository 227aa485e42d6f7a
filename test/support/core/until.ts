import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the condition returns neither undefined nor false, and returns its value. Throws after `limitMs`. */
export async function until<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  limitMs = 150_000,
): Promise<T> {
  const start = Date.now()
  for (let waited = 0; waited < limitMs; waited = Date.now() - start) {
    const value = await condition()
    if (value !== undefined && value !== false) return value
    // a long wait polls less often, because the polls of a test slow down what it waits for
    await sleep(Math.min(50 + waited / 10, 500))
  }
  throw new Error(`Timeout after ${limitMs} ms: ${what}`)
}
