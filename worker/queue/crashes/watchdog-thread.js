// @ts-check
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

// JavaScript, because a thread in which Node strips types takes 12 MiB more.
/** @type {import('./watchdog.ts').WatchdogThreadData} */
const { beats, limitSeconds } = workerData

let missed = 0
while (missed < limitSeconds) {
  const lastBeat = Atomics.load(beats, 0)
  missed = Atomics.wait(beats, 0, lastBeat, 1_000) === 'timed-out' ? missed + 1 : 0
}
const line = {
  level: 60,
  time: Date.now(),
  process: 'worker',
  pid: process.pid,
  msg: 'event loop blocked: killed',
}
try {
  writeSync(1, `${JSON.stringify(line)}\n`)
} catch {
  // stdout is closed
}
process.kill(process.pid, 'SIGKILL')
