import pRetry from 'p-retry'
import pg from 'pg'
import type { Log } from '../telemetry/log.ts'
import { isUnavailable } from './db.ts'

/** Hosts give web 60 s until it must listen. The other 20 s are for loading its code and for the last attempt, which may take 10 s. */
const defaultMaxMs = 40_000

/**
 * Makes the first use of a database that may still be starting: repeats it with growing pauses while Postgres does not answer. Any other
 * error, such as a wrong password or another schema version, is thrown at once, because time does not repair it. Throws the reason of
 * `stopping` when the process is stopped meanwhile.
 */
export async function untilConnected<T>(
  use: () => Promise<T>,
  log: Log,
  { stopping, maxMs = defaultMaxMs }: { stopping?: AbortSignal | undefined; maxMs?: number } = {},
): Promise<T> {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  let hasFailed = false
  try {
    const result = await pRetry(use, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 250,
      maxTimeout: 5_000,
      maxRetryTime: maxMs,
      ...(stopping && { signal: stopping }),
      shouldRetry: ({ error }) => mayAnswerLater(error),
      onFailedAttempt({ error }) {
        if (hasFailed || !mayAnswerLater(error)) return
        hasFailed = true
        log.warn({ reason: reasonOf(error) }, `Postgres does not answer: trying for ${maxMs / 1000} s`)
      },
    })
    if (hasFailed) log.info(`Postgres answered after ${seconds()} s`)
    return result
  } catch (error) {
    if (stopping?.aborted || !mayAnswerLater(error)) throw error
    throw new Error(`Postgres did not answer within ${seconds()} s: ${reasonOf(error)}`)
  }
}

/** slonik reports every failed connection as a ConnectionError, also one with a wrong password. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error

const mayAnswerLater = (error: unknown) => isUnavailable(causeOf(error))

/** Without the address: the messages of Node contain it, its codes do not. */
function reasonOf(error: unknown): string {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && !(cause instanceof pg.DatabaseError) ? String(cause.code) : cause.message
}
