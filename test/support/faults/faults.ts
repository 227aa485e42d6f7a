import type { Test } from 'tap'

/** `npm run test:faults` runs all of it; `npm test` a few rounds of what is short. */
export const isFull = process.env.FAULTS === 'full'
/** Bounds of time hold on a machine that does nothing else; beside other tests they are twice as long. */
export const within = (ms: number) => (isFull ? ms : 2 * ms)
export const rounds = (full: number, quick: number) => (isFull ? full : quick)

/** Prints half and worst of what was measured; answers both. */
export function report(t: Test, what: string, times: readonly number[]): { p50: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const p50 = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  const max = sorted.at(-1) ?? 0
  t.comment(`${what}: p50 ${p50} ms, max ${max} ms of ${times.length}`)
  return { p50, max }
}
