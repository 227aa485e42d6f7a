import { countKnownNames, fileNameColumn } from '../../shared/domain/exchange/imports/read/columns.ts'
import { FileFault, limits } from './limits.ts'

/** A table as a file has it: cells are text, and rows are numbered as in a spreadsheet. */
export type FileTable = {
  name: string
  columns: string[]
  rows: { row: number; cells: string[] }[]
  /** Of text files. */
  delimiter?: string
  encoding?: string
  /** Of the times of a table, when the file says it. */
  timeZone?: string
}

/** The apostrophe that exports write before a cell which a spreadsheet would evaluate, and `="0123"`. */
const apostrophe = /^'(?=[=+\-@\d])/
const quotedFormula = /^="(.*)"$/
/** The header is one of the first rows. */
const maxHeaderRow = 10

/** Takes the header from the first rows: the first with two known names, since exports begin with a title or a period. */
export function toTable(name: string, records: readonly (readonly string[])[]): FileTable | null {
  const filled = records.slice(0, maxHeaderRow).flatMap((cells, at) => (isFilled(cells) ? [at] : []))
  const at = filled.find((index) => countKnownNames(records[index] ?? []) >= 2) ?? filled[0]
  const header = at === undefined ? undefined : records[at]
  if (at === undefined || !header) return null
  const columns = columnNames(header)
  requireColumns(name, columns.length)
  const rows = records
    .slice(at + 1)
    .map((cells, below) => ({
      row: at + below + 2,
      cells: columns.map((_, place) => tidy(cells[place] ?? '')),
    }))
    .filter(({ cells }) => isFilled(cells))
  return { name, columns, rows }
}

export function requireColumns(name: string, count: number): void {
  if (count <= limits.columns) return
  throw new FileFault(`${name} has ${count} columns. Keep at most ${limits.columns}, and add the file again.`)
}

/** `count` has the rows without values, too. */
export function requireRecords(name: string, count: number): void {
  if (count <= limits.rows + limits.otherRows) return
  throw new FileFault(
    `${name} has more than ${limits.rows} rows. Split it into files of at most ${limits.rows}; blank rows count, too.`,
  )
}

const isFilled = (cells: readonly string[]) => cells.some((cell) => cell.trim() !== '')

export function tidy(cell: string): string {
  const text = cell.trim().replace(apostrophe, '').replace(quotedFormula, '$1')
  // Postgres stores no NUL, and JSON no lone surrogate
  return text.replaceAll('\u0000', '').toWellFormed().slice(0, limits.cellLength)
}

/** The names of columns: an empty one gets its place, a repeated one a number. Empty columns at the end are left out. */
function columnNames(header: readonly string[]): string[] {
  const last = header.findLastIndex((name) => name.trim() !== '')
  const seen = new Map<string, number>()
  return header.slice(0, last + 1).map((given, at) => {
    const name = tidy(given).slice(0, 200) || `Column ${at + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** Tables of several files with the same header become one, with the name of the file as the first column. */
export function mergeTables(tables: readonly FileTable[]): FileTable[] {
  const groups = new Map<string, FileTable[]>()
  for (const table of tables) {
    const key = JSON.stringify(table.columns)
    groups.set(key, [...(groups.get(key) ?? []), table])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first || group.length === 1) return group
    return {
      ...first,
      name: `${first.name} and ${group.length - 1} more`,
      columns: [fileNameColumn, ...first.columns],
      rows: group.flatMap(({ name, rows }) =>
        rows.map(({ row, cells }) => ({ row, cells: [name, ...cells] })),
      ),
    }
  })
}
