/**
 * Writes together what arrives together: while one write is under way the next items wait, and then go in one. So
 * a lone item is not delayed, and throughput grows with the load. A write that fails fails for all of its items.
 */
export function createBatcher<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  mostAtOnce: number,
): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }
  const waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce)
      try {
        const results = await write(batch.map(({ item }) => item))
        for (const [at, { resolve, reject }] of batch.entries()) {
          const result = results[at]
          if (result === undefined) reject(new Error('The write gave no result for an item'))
          else resolve(result)
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWriting) void writeAll()
    })
}
