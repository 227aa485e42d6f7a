import { isUnavailable } from '../../shared/db/db.ts'
import { unavailable } from '../../shared/errors.ts'

export type BatchLimits<T> = {
  /** What one write may hold. */
  maxItems: number
  maxBytes: number
  /** What may wait, together with what is being written. */
  maxBytesWaiting: number
  /** Who has waited for so long when it would be his turn is refused: writes that never end would keep him for ever. */
  maxWaitMs: number
  sizeOf: (item: T) => number
}

/**
 * Writes together what arrives together: while one write is under way the next items wait, and then go in one, as
 * many as the limits allow. So a lone item is not delayed, and throughput grows with the load. A write that fails
 * for a reason of its items is tried item by item, so that a bad one fails alone. What would be too much to wait is refused
 * at once, and what has waited for too long when its turn comes, as unavailable.
 */
export function createGroupCommit<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  limits: BatchLimits<T>,
): (item: T) => Promise<R> {
  type Waiting = { item: T; since: number; resolve: (result: R) => void; reject: (error: unknown) => void }
  const waiting: Waiting[] = []
  let isWriting = false
  let bytesWaiting = 0

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      await settle(waiting.splice(0, countOf(waiting, limits)))
      refuseLate()
    }
    isWriting = false
  }

  /** They wait in the order in which they came. */
  function refuseLate(): void {
    const latest = performance.now() - limits.maxWaitMs
    while (waiting[0] && waiting[0].since < latest) {
      waiting.shift()?.reject(unavailable('It took too long to be stored. Send it again.'))
    }
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result === undefined) reject(new Error('The write gave no result for an item'))
        else resolve(result)
      }
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error)) for (const one of batch) await settle([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return async (item) => {
    const bytes = limits.sizeOf(item)
    if (bytesWaiting > 0 && bytesWaiting + bytes > limits.maxBytesWaiting) {
      throw unavailable('Too much waits to be stored. Send it again.')
    }
    bytesWaiting += bytes
    try {
      return await new Promise((resolve, reject) => {
        waiting.push({ item, since: performance.now(), resolve, reject })
        if (!isWriting) void writeAll()
      })
    } finally {
      bytesWaiting -= bytes
    }
  }
}

/** How many of those that wait go into one write: at least one. */
function countOf<T>(waiting: readonly { item: T }[], { maxItems, maxBytes, sizeOf }: BatchLimits<T>): number {
  let bytes = 0
  const tooMany = waiting.findIndex(({ item }, at) => {
    bytes += sizeOf(item)
    return at >= maxItems || (at > 0 && bytes > maxBytes)
  })
  return tooMany === -1 ? waiting.length : tooMany
}
