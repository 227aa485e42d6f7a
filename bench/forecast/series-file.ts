import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Series } from '../../shared/forecast/series.ts'

/** Series of the same rows, and the columns that are no numbers, such as dates. */
export type SeriesFile = { series: Series[]; skipped: string[] }

/** Reads a CSV file: a header, a column for each series, the oldest row first, an empty cell for an unknown value. */
export async function readSeries(path: string): Promise<SeriesFile> {
  const [header = [], ...rows]: string[][] = parse(await readFile(path), {
    bom: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  const series: Series[] = []
  const skipped: string[] = []
  for (const [column, name] of header.entries()) {
    const cells = rows.map((row) => row[column] ?? '')
    if (cells.every((cell) => cell === '' || Number.isFinite(Number(cell)))) {
      series.push(cells.map((cell) => (cell === '' ? null : Number(cell))))
    } else skipped.push(name)
  }
  return { series, skipped }
}
