/** Runs `work`; of the same key at most `maxConcurrent` at a time, in order. Rejects when `signal` aborts the wait. */
export type Slots = <T>(key: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

type Queue = { running: number; waiting: (() => void)[] }

export function createSlots(maxConcurrent: number): Slots {
  const queues = new Map<number, Queue>()

  function wait(queue: Queue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      const abort = () => {
        queue.waiting.splice(queue.waiting.indexOf(enter), 1)
        reject(signal.reason)
      }
      queue.waiting.push(enter)
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  return async (key, signal, work) => {
    signal.throwIfAborted()
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < maxConcurrent) queue.running += 1
    else await wait(queue, signal)
    try {
      return await work()
    } finally {
      // the slot passes to the next in the queue, so that a call which arrives now cannot overtake it
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}
