import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How long `work` takes on two idle cores of 2026. */
const idleMs = 350

/** What a test does: starts a process, runs JavaScript, allocates and hashes. */
const work = `
  const { createHash } = require('node:crypto')
  let text = ''
  for (let at = 0; at < 40_000; at++) text = createHash('sha256').update(text + at).digest('hex')
  const rows = Array.from({ length: 200_000 }, (_, at) => ({ at, key: String((at * 7919) % 200_000) }))
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
`

/** Measures how many times as long this machine takes for `work` as an idle one. */
export async function measureMachine(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now()
    const [code] = await once(spawn(process.execPath, ['--eval', work], { stdio: 'ignore' }), 'close')
    if (code !== 0) throw new Error(`The measurement of the machine ended with ${code}`)
    times.push(performance.now() - startedAt)
  }
  return factorOf(times)
}

/**
 * The median of times in milliseconds, divided by the time on an idle machine, with one decimal. At least 2, because a machine
 * may become busy later.
 */
export function factorOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? idleMs
  return Math.max(2, Math.round((10 * median) / idleMs) / 10)
}
