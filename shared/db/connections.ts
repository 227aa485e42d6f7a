import {
  ConnectionError,
  type DatabasePool,
  type DatabasePoolConnection,
  IntegrityConstraintViolationError,
  NotFoundError,
} from 'slonik'
import { AppError } from '../errors.ts'

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
 * slonik closes a connection when its work throws: here it stays open if the error leaves it usable. slonik lets a
 * query wait without limit: here a ConnectionError follows after `waitMs`, or immediately when `maxWaiting` queries
 * wait.
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

/** For errors of our code and of constraints slonik has rolled back: a failed rollback throws its own error. */
function leavesConnectionUsable(error: unknown): boolean {
  return (
    error instanceof AppError ||
    error instanceof NotFoundError ||
    error instanceof IntegrityConstraintViolationError
  )
}
