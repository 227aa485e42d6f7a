import type { Test } from 'tap'
import { seeded } from '../make/series.ts'

/** `npm run test:faults` runs all rounds, every other run a few of the short ones. */
export const isFull = process.env.FAULTS === 'full'
/** Tests of query plans fill shops to their full size only in that run and on other versions of Postgres. */
export const isFullSize = isFull || process.env.POSTGRES !== undefined
export const rounds = (full: number, quick: number) => (isFull ? full : quick)

/** Returns a function for the whole milliseconds since this call, which a test may only report or pass to `expectPromised`. */
export function startClock(): () => number {
  const startedAt = performance.now()
  return () => Math.round(performance.now() - startedAt)
}

/** Prints the median and the maximum of the measured times, and returns both. */
export function report(t: Test, what: string, times: readonly number[]): { p50: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const p50 = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  const max = sorted.at(-1) ?? 0
  t.comment(`${what}: p50 ${p50} ms, max ${max} ms of ${times.length}`)
  return { p50, max }
}

/** Prints times that documents promise. Only the long form, which runs beside nothing else, compares them with the promise. */
export function expectPromised(t: Test, what: string, times: readonly number[], promisedMs: number): void {
  const { max } = report(t, what, times)
  if (isFull) t.ok(max <= promisedMs, `${what}: at most ${promisedMs} ms on an idle machine`)
}

/** A seeded generator of whole numbers from 0 to `below` - 1, the same at every run. */
export function createRandom(seed: number): (below: number) => number {
  const random = seeded(seed)
  return (below) => Math.floor(random() * below)
}
