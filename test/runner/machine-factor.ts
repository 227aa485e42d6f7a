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

/**
 * Measures how many times as long as on an idle machine a step takes here, in the median of five. At least 2, because a
 * machine may become busy later.
 */
export async function measureMachine(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now()
    await once(spawn(process.execPath, ['--eval', work], { stdio: 'ignore' }), 'close')
    times.push(performance.now() - startedAt)
  }
  const median = times.sort((a, b) => a - b)[2] ?? idleMs
  return Math.max(2, Math.round((10 * median) / idleMs) / 10)
}
