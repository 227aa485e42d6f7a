import { Worker } from 'node:worker_threads'

export type WatchdogThreadData = { beats: Int32Array<SharedArrayBuffer>; limitSeconds: number }

/**
 * A task that never gives the thread back (an endless loop) keeps the heartbeat's fence from running, too. So a thread
 * of its own kills the process when this one has stood still for so long. Answers what ends the watch.
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
