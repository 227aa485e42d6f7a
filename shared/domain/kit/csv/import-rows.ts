import type { Db } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import type { ImportFault } from '../../../schemas/import-fault.ts'
import type { ReadFile } from './importer.ts'

/** Every row after the first of its key is a fault. */
export function repeatedRows<Row extends { row: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ImportFault[] {
  const first = new Map<string, number>()
  return rows.flatMap((given) => {
    const earlier = first.get(keyOf(given))
    if (earlier === undefined) first.set(keyOf(given), given.row)
    const message = `repeats the product and location of row ${earlier}`
    return earlier === undefined ? [] : [{ row: given.row, field: '', message }]
  })
}

/** What an import does with the rows of its file. */
type Plan<Counts> = {
  file: ReadFile<unknown>
  /** Those that `readRows` does not find. */
  faults: readonly ImportFault[]
  /** The answer of a file with faults. */
  nothing: Counts
  /** What `write` would return. */
  preview: () => Counts | Promise<Counts>
  write: () => Promise<Counts>
}

/**
 * Imports all rows or none. A dry run returns the faults of every invalid row, or what the run would change; the run throws the faults
 * as invalid_rows. The transaction is committed in each case, since a plan may request readings.
 */
export async function importRows<Counts extends object>(
  db: Db,
  isDryRun: boolean,
  plan: (tx: Db) => Promise<Plan<Counts>>,
): Promise<Counts & { rows: number; faults: ImportFault[] }> {
  const outcome = await db.transaction(async (tx) => {
    const { file, nothing, preview, write, ...planned } = await plan(tx)
    const faults = [...file.faults, ...planned.faults]
      .map((fault) => (fault.row === 1 ? fault : { ...fault, field: file.headingOf(fault.field) }))
      .sort((a, b) => a.row - b.row)
    const counts = faults.length > 0 ? nothing : await (isDryRun ? preview() : write())
    return { rows: file.rowCount, ...counts, faults }
  })
  if (outcome.faults.length > 0 && !isDryRun) throw invalidRows(outcome.faults)
  return outcome
}

/** The refusal of an import with faults. */
function invalidRows(faults: readonly ImportFault[]) {
  const details = faults.map(({ row, field, message }) => ({
    path: field === '' ? `/rows/${row}` : `/rows/${row}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message,
  }))
  const message =
    'Some rows of the file are invalid, so nothing was imported. Correct them and import the file again.'
  return unprocessable('invalid_rows', message, details)
}
