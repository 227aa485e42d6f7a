import { isUnavailable } from '../../shared/db/db.ts'
import { unavailable } from '../../shared/errors.ts'

export type GroupCommitLimits<T> = {
  maxItems: number
  maxBytes: number
  /** The total size of the items that wait or are being written. */
  maxBytesWaiting: number
  /** An item that has waited longer when its turn comes is refused, because a stalled database would block it forever. */
  maxWaitMs: number
  sizeOf: (item: T) => number
}

/**
 * A group commit: one write at a time, each with all items that arrived during the previous one, up to the limits. A
 * single item is not delayed, and throughput grows with the load.
 * - When a write fails because of its items, each item is written alone, so that only the invalid item fails.
 * - When the database is unavailable, all items of the write fail.
 * - An item that exceeds `maxBytesWaiting` together with others, or waits longer than `maxWaitMs`, fails as unavailable.
 */
export function createGroupCommit<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  limits: GroupCommitLimits<T>,
): (item: T) => Promise<R> {
  type Entry = { item: T; since: number; resolve: (result: R) => void; reject: (error: unknown) => void }
  const queue: Entry[] = []
  let isWriting = false
  let bytesWaiting = 0

  async function writeAll(): Promise<void> {
    isWriting = true
    while (queue.length > 0) {
      await writeBatch(queue.splice(0, batchSize(queue, limits)))
      refuseExpired()
    }
    isWriting = false
  }

  /** The queue is in order of arrival, so the oldest entries are first. */
  function refuseExpired(): void {
    const oldestAllowed = performance.now() - limits.maxWaitMs
    while (queue[0] && queue[0].since < oldestAllowed) {
      queue.shift()?.reject(unavailable('Storing this delivery took too long. Send it again.'))
    }
  }

  async function writeBatch(batch: readonly Entry[]): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result === undefined) reject(new Error('The write gave no result for an item'))
        else resolve(result)
      }
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error)) for (const entry of batch) await writeBatch([entry])
      else for (const { reject } of batch) reject(error)
    }
  }

  return async (item) => {
    const bytes = limits.sizeOf(item)
    if (bytesWaiting > 0 && bytesWaiting + bytes > limits.maxBytesWaiting) {
      throw unavailable('Too many deliveries are waiting to be stored. Send it again.')
    }
    bytesWaiting += bytes
    try {
      return await new Promise((resolve, reject) => {
        queue.push({ item, since: performance.now(), resolve, reject })
        if (!isWriting) void writeAll()
      })
    } finally {
      bytesWaiting -= bytes
    }
  }
}

function batchSize<T>(
  queue: readonly { item: T }[],
  { maxItems, maxBytes, sizeOf }: GroupCommitLimits<T>,
): number {
  let bytes = 0
  const firstExcess = queue.findIndex(({ item }, at) => {
    bytes += sizeOf(item)
    return at >= maxItems || (at > 0 && bytes > maxBytes)
  })
  return firstExcess === -1 ? queue.length : firstExcess
}
