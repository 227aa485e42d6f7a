import { setTimeout as sleep } from 'node:timers/promises'

/** Throws a message for the user after a minute, or when `hasFailed` returns true. */
export async function untilReady(url: string, signal: AbortSignal, hasFailed: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if (hasFailed()) throw new Error('web does not start: see its last log lines above')
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error(`${url} did not return 200 within a minute; --verbose shows the log of all processes`)
}
