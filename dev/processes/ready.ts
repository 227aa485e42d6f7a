import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until `url` answers 200. Throws a sentence for the user when it does not within a minute, or when
 * `hasFailed` says that waiting is pointless.
 */
export async function untilReady(url: string, signal: AbortSignal, hasFailed: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if (hasFailed()) throw new Error('web does not start: its last lines above say why')
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error(`${url} has not answered 200 within a minute; --verbose shows what the processes log`)
}
