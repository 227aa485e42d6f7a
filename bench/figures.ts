import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename } from 'node:path'
import { findProgram } from '../dev/postgres/program.ts'

/** What a figure has to be: itself, or as a multiple of the baseline that was measured beside it. */
export type Target = { of: 'value' | 'ratio'; at: 'least' | 'most'; limit: number }

export type Figure = {
  what: string
  unit: string
  value: number
  baseline?: { what: string; value: number }
  /** None where a figure is for comparison only. */
  target?: Target
  /** What it was computed from, and what explains it: rounds, percentiles, plans. */
  detail?: unknown
}

/** A figure with what follows from it. */
export type Verdict = Figure & { ratio: number | null; isReached: boolean | null }

export function judge(figure: Figure): Verdict {
  const { value, baseline, target } = figure
  const ratio = baseline ? value / baseline.value : null
  if (!target) return { ...figure, ratio, isReached: null }
  const judged = target.of === 'value' ? value : (ratio ?? Number.NaN)
  const isReached = target.at === 'least' ? judged >= target.limit : judged <= target.limit
  return { ...figure, ratio, isReached }
}

/** Where a result is kept. A quick run must not pass for a whole one, nor one Postgres for another. */
export function resultsOf(name: string, isQuick: boolean): URL {
  const choice = process.env.POSTGRES
  const folder = choice ? `postgres-${basename(choice)}/` : ''
  return new URL(`./results/${folder}${isQuick ? 'quick/' : ''}${name}.json`, import.meta.url)
}

/** Keeps what a benchmark has found, with the machine it was found on. */
export async function writeResults(file: URL, verdicts: readonly Verdict[]): Promise<void> {
  const [cpu] = cpus()
  const { version: postgres } = await findProgram(process.env.POSTGRES)
  const machine = { node: process.version, postgres, cpu: cpu?.model ?? 'unknown', cores: cpus().length }
  const result = { measuredAt: new Date().toISOString(), machine, figures: verdicts }
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`)
}

/** A line of the table for each figure. */
export function printFigures(verdicts: readonly Verdict[]): void {
  for (const { what, unit, value, baseline, ratio, target, isReached } of verdicts) {
    const own = `${short(value)} ${unit}`.trimEnd()
    const beside = baseline ? `${short(baseline.value)} ${unit} ${baseline.what}` : ''
    const verdict = isReached === null ? '' : isReached ? 'reached' : 'MISSED'
    console.log(
      [
        what.padEnd(52),
        own.padStart(16),
        beside.padEnd(44),
        (ratio === null ? '' : `${short(ratio)} x`).padStart(9),
        (target ? wordsOf(target, unit) : '').padEnd(16),
        verdict,
      ]
        .join('  ')
        .trimEnd(),
    )
  }
}

function wordsOf({ of, at, limit }: Target, unit: string): string {
  return `${at === 'least' ? '>=' : '<='} ${limit} ${of === 'ratio' ? 'x' : unit}`.trimEnd()
}

function short(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3)
}
