import {
  ConnectionError,
  type DatabasePool,
  type DatabasePoolConnection,
  IntegrityConstraintViolationError,
  NotFoundError,
} from 'slonik'
import { AppError } from '../errors.ts'

/** How long anybody waits for a connection, and how many wait at the same time. */
export type WaitLimits = { waitMs: number; maxWaiting: number }

type Outcome<T> = { value: T } | { refusal: unknown } | 'given up'

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
 * Changes what slonik does around every statement and transaction of a pool. It would close the connection of whoever
 * throws, a refusal included: here what leaves the connection sound leaves it open. And it would let everybody wait
 * for one without end: here they fail with a `ConnectionError`, which counts as unavailable, after `waitMs`, or at
 * once when `maxWaiting` wait already.
 */
export function guardConnections(pool: DatabasePool, { waitMs, maxWaiting }: WaitLimits): DatabasePool {
  async function use<T>(work: (connection: DatabasePoolConnection) => Promise<T>): Promise<T> {
    if (pool.state().waitingClients >= maxWaiting) {
      throw new ConnectionError('Too many wait for a connection.')
    }
    const late = Promise.withResolvers<'given up'>()
    let isGivenUp = false
    const timer = setTimeout(() => {
      isGivenUp = true
      late.resolve('given up')
    }, waitMs)
    const working = pool.connect(async (connection): Promise<Outcome<T>> => {
      clearTimeout(timer)
      // its turn has come, but nobody waits for it any more
      if (isGivenUp) return 'given up'
      try {
        return { value: await work(connection) }
      } catch (refusal) {
        if (leavesConnectionSound(refusal)) return { refusal }
        throw refusal
      }
    })
    const outcome = await Promise.race([working, late.promise]).finally(() => clearTimeout(timer))
    if (outcome === 'given up') throw new ConnectionError(`No connection within ${waitMs} ms.`)
    if ('refusal' in outcome) throw outcome.refusal
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
 * Only what was thrown on purpose, or said by Postgres about the data: a transaction has then been rolled back, since
 * a rollback that fails throws an error of its own instead. After anything else the connection may be in any state.
 */
function leavesConnectionSound(error: unknown): boolean {
  return (
    error instanceof AppError ||
    error instanceof NotFoundError ||
    error instanceof IntegrityConstraintViolationError
  )
}
