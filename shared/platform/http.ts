import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from './errors.ts'

export type HttpResponse = { status: number; headers: Headers; text: string }

/** Waits before a retry; rejects when the signal aborts. Tests replace it with one that does not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>
export const pause: Pause = (ms, signal) => sleep(ms, undefined, { signal })

/**
 * Follows no redirect, because the request holds secrets for this address. Throws a PlatformError, which holds nothing
 * of the request, when no response arrives within `timeoutMs`, and the caller's reason when `signal` aborts.
 */
export async function postJson(
  url: string,
  headers: Record<string, string>,
  body: unknown,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<HttpResponse> {
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
    throw new PlatformError('unavailable', `The platform did not respond (${reasonOf(error)}).`)
  }
}

/** A code such as ECONNRESET, or the name of the error. Messages and causes may hold secrets, so they are left out. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return error.name
}
