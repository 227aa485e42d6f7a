import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from './errors.ts'

export type Answer = { status: number; headers: Headers; text: string }

/** Waits; tests pass one that does not. Rejects when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>
export const pause: Pause = (ms, signal) => sleep(ms, undefined, { signal })

/**
 * Posts JSON and reads the whole answer, whatever its status, within the given time. Follows no redirect: what is
 * sent holds secrets that are meant for this address alone. Throws a PlatformError when there is no answer, without
 * anything of the request in it; an abort by the caller is thrown as it is.
 */
export async function postJson(
  url: string,
  headers: Record<string, string>,
  body: unknown,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal.throwIfAborted()
    throw new PlatformError('unavailable', `The platform gave no answer (${reasonOf(error)}).`)
  }
}

/** A code such as ECONNRESET, or the kind of error: messages and causes may hold more than is good for a log. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return error.name
}
