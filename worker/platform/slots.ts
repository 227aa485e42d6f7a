/** Runs work of the same key at most so many at a time; the rest waits in the order it came. */
export type Slots = <T>(key: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

type Queue = { running: number; waiting: (() => void)[] }

export function createSlots(most: number): Slots {
  const queues = new Map<number, Queue>()

  function wait(queue: Queue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        queue.waiting.splice(queue.waiting.indexOf(enter), 1)
        reject(signal.reason)
      }
      queue.waiting.push(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  return async (key, signal, work) => {
    signal.throwIfAborted()
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < most) queue.running += 1
    else await wait(queue, signal)
    try {
      return await work()
    } finally {
      // a place is handed on rather than given up, so that nobody who comes just now takes it first
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}
