import { Worker } from 'node:worker_threads'

export type WatchdogThreadData = { beats: Int32Array<SharedArrayBuffer>; limitSeconds: number }

/**
 * Kills the process when its event loop has been blocked for `limitSeconds`: a second thread counts the seconds without
 * a beat of the main thread. A process that the host suspends is not killed, since that thread is suspended, too.
 */
export function startWatchdog(limitSeconds = 10): () => Promise<void> {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const timer = setInterval(() => {
    Atomics.add(beats, 0, 1)
    Atomics.notify(beats, 0)
  }, 500)
  const workerData: WatchdogThreadData = { beats, limitSeconds }
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
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
