import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename } from 'node:path'
import { findProgram } from '../../dev/postgres/program.ts'

/** The limit of a figure: for the value itself, or for its ratio to the baseline. */
export type Target = { of: 'value' | 'ratio'; at: 'min' | 'max'; limit: number }

export type Figure = {
  what: string
  unit: string
  value: number
  baseline?: { what: string; value: number }
  /** Absent for a figure that is for comparison only. */
  target?: Target
  /** The data behind the figure: rounds, percentiles, plans. */
  detail?: unknown
}

/** A figure compared with its baseline and its target; null where it has none. */
export type FigureResult = Figure & { ratio: number | null; isReached: boolean | null }

export function compareWithTarget(figure: Figure): FigureResult {
  const { value, baseline, target } = figure
  const ratio = baseline ? value / baseline.value : null
  if (!target) return { ...figure, ratio, isReached: null }
  const measured = target.of === 'value' ? value : (ratio ?? Number.NaN)
  const isReached = target.at === 'min' ? measured >= target.limit : measured <= target.limit
  return { ...figure, ratio, isReached }
}

/**
 * The result file. Quick runs and other Postgres versions have folders of their own, so they never overwrite a full
 * result.
 */
export function resultsOf(name: string, isQuick: boolean): URL {
  const postgres = process.env.POSTGRES
  const folder = postgres ? `postgres-${basename(postgres)}/` : ''
  return new URL(`../results/${folder}${isQuick ? 'quick/' : ''}${name}.json`, import.meta.url)
}

/** Writes the figures of a benchmark with the machine that produced them. */
export async function writeResults(file: URL, results: readonly FigureResult[]): Promise<void> {
  const [cpu] = cpus()
  const { version } = await findProgram(process.env.POSTGRES)
  const machine = {
    node: process.version,
    postgres: version,
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
  }
  const content = { measuredAt: new Date().toISOString(), machine, figures: results }
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
}

/** Prints one table row per figure. */
export function printFigures(results: readonly FigureResult[]): void {
  for (const { what, unit, value, baseline, ratio, target, isReached } of results) {
    const own = `${formatNumber(value)} ${unit}`.trimEnd()
    const compared = baseline ? `${formatNumber(baseline.value)} ${unit} ${baseline.what}` : ''
    const outcome = isReached === null ? '' : isReached ? 'reached' : 'MISSED'
    console.log(
      [
        what.padEnd(52),
        own.padStart(16),
        compared.padEnd(44),
        (ratio === null ? '' : `${formatNumber(ratio)} x`).padStart(9),
        (target ? describeTarget(target, unit) : '').padEnd(16),
        outcome,
      ]
        .join('  ')
        .trimEnd(),
    )
  }
}

function describeTarget({ of, at, limit }: Target, unit: string): string {
  return `${at === 'min' ? '>=' : '<='} ${limit} ${of === 'ratio' ? 'x' : unit}`.trimEnd()
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3)
}
