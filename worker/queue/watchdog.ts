import { Worker } from 'node:worker_threads'

export type WatchdogThreadData = { beats: Int32Array<SharedArrayBuffer>; limitSeconds: number }

/**
 * Kills the process when its event loop has been blocked for `limitSeconds`, as by an endless loop in a task; the fence
 * of the heartbeat uses a timer on the same event loop. Returns the function that stops the watchdog.
 *
 * 1. A timer on the main thread increments a shared counter every 0.5 s.
 * 2. A second thread (`watchdog-thread.ts`) waits for the counter, and counts each second without a change.
 * 3. After `limitSeconds` such seconds in a row, that thread writes one log line and kills the process.
 *
 * Guaranteed: a process that the host suspends as a whole is not killed, since the second thread is suspended, too.
 */
export function startWatchdog(limitSeconds = 10): () => Promise<void> {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const timer = setInterval(() => {
    Atomics.add(beats, 0, 1)
    Atomics.notify(beats, 0)
  }, 500)
  const workerData: WatchdogThreadData = { beats, limitSeconds }
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  timer.unref()
  thread.unref()
  return async () => {
    clearInterval(timer)
    await thread.terminate()
  }
}
