import {
  ConnectionError,
  type DatabasePool,
  type DatabasePoolConnection,
  IntegrityConstraintViolationError,
  NotFoundError,
} from 'slonik'
import { AppError } from '../errors.ts'

/** How long a query may wait for a connection, and how many queries may wait at the same time. */
export type WaitLimits = { waitMs: number; maxWaiting: number }

type Outcome<T> = { value: T } | { error: unknown } | 'timed out'

const methods = [
  'any',
  'anyFirst',
  'exists',
  'many',
  'manyFirst',
  'maybeOne',
  'maybeOneFirst',
  'one',
  'oneFirst',
  'query',
  'record',
  'transaction',
] as const

/**
 * Changes how slonik treats the connections of a pool:
 * - slonik closes a connection when the work on it throws. Here it stays open if the error leaves it usable.
 * - slonik lets a query wait for a connection without limit. Here it fails with a `ConnectionError`, which counts as
 *   unavailable, after `waitMs`, or immediately when `maxWaiting` queries wait already.
 */
export function guardConnections(pool: DatabasePool, { waitMs, maxWaiting }: WaitLimits): DatabasePool {
  async function use<T>(work: (connection: DatabasePoolConnection) => Promise<T>): Promise<T> {
    if (pool.state().waitingClients >= maxWaiting) {
      throw new ConnectionError('Too many queries are waiting for a connection.')
    }
    const timeout = Promise.withResolvers<'timed out'>()
    let hasTimedOut = false
    const timer = setTimeout(() => {
      hasTimedOut = true
      timeout.resolve('timed out')
    }, waitMs)
    const working = pool.connect(async (connection): Promise<Outcome<T>> => {
      clearTimeout(timer)
      // The caller has its error already, so the work must not run.
      if (hasTimedOut) return 'timed out'
      try {
        return { value: await work(connection) }
      } catch (error) {
        if (leavesConnectionUsable(error)) return { error }
        throw error
      }
    })
    const outcome = await Promise.race([working, timeout.promise]).finally(() => clearTimeout(timer))
    if (outcome === 'timed out') throw new ConnectionError(`No connection within ${waitMs} ms.`)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  const guarded = methods.map((name) => [
    name,
    (...args: unknown[]) =>
      use((connection) => (connection[name] as (...args: unknown[]) => Promise<unknown>)(...args)),
  ])
  return Object.assign(pool, Object.fromEntries(guarded))
}

/**
 * True for errors that our code throws and for constraint violations: slonik has then rolled the transaction back,
 * because a failed rollback throws its own error instead. After any other error the state of the connection is unknown.
 */
function leavesConnectionUsable(error: unknown): boolean {
  return (
    error instanceof AppError ||
    error instanceof NotFoundError ||
    error instanceof IntegrityConstraintViolationError
  )
}
