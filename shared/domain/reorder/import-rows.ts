import { Value } from '@sinclair/typebox/value'
import { CsvError, parse } from 'csv-parse/sync'
import { type ReorderImportFault, reorderFields } from '../../schemas/reorder-rules.ts'

/** A row of the file with its number in a spreadsheet. Empty cells are left out. */
export type ImportRow = {
  row: number
  names: Partial<Record<(typeof nameColumns)[number], string>>
  fields: Partial<Record<keyof typeof reorderFields, number | string>>
}

const variantColumns = ['variantId', 'sku', 'barcode'] as const
const nameColumns = [...variantColumns, 'supplier', 'location'] as const
const fieldColumns = ['reorderPoint', 'reorderQuantity', 'mode', 'serviceLevel', 'reviewDays'] as const
/** The title is for the reader of the file and is ignored. */
const columns = [...nameColumns, 'title', ...fieldColumns] as const
type Column = (typeof columns)[number]

const maxRows = 10_000
/** The apostrophe that our exports write before a cell which a spreadsheet would evaluate as a formula. */
const formulaEscape = /^'(?=[=+\-@])/

/**
 * Parses a CSV file separated by commas, semicolons or tabs. The first row is the header: columns in any order, matched
 * without regard to case, spaces, `_` and `-`. Returns every fault that shows without reading the database. A file with
 * a fault in its header or quotes has no rows.
 */
export function readImportRows(csv: string): { rows: ImportRow[]; faults: ReorderImportFault[] } {
  const records = readRecords(csv)
  if ('row' in records) return { rows: [], faults: [records] }
  const [header = [], ...body] = records
  const named = header.map(columnOf)
  const faults = headerFaults(header, named)
  const filled = body
    .map((cells, at) => ({ row: at + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (filled.length > maxRows) {
    const message = `A file holds at most ${maxRows} rows. Split it.`
    faults.push({ row: filled[maxRows]?.row ?? 0, field: '', message })
  }
  if (faults.length > 0) return { rows: [], faults }
  const rows = filled.map(({ row, cells }) => readRow(row, cells, named))
  return {
    rows,
    faults: [
      ...filled.flatMap((filledRow) => unnamedCellFaults(filledRow, named)),
      ...rows.flatMap(rowFaults),
    ],
  }
}

function readRecords(csv: string): string[][] | ReorderImportFault {
  try {
    return parse(csv, {
      bom: true,
      delimiter: separatorOf(csv),
      relax_column_count: true,
      trim: true,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const message = 'A quotation mark is not closed, or is inside a cell without being doubled.'
    return { row: Number(error.lines) || 1, field: '', message }
  }
}

/** Spreadsheets use semicolons in locales with a decimal comma. No column name contains a separator. */
function separatorOf(csv: string): string {
  const [first = ''] = csv.split(/[\r\n]/, 1)
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

function columnOf(name: string): Column | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '')
  return columns.find((column) => plain(column) === plain(name))
}

function headerFaults(
  header: readonly string[],
  named: readonly (Column | undefined)[],
): ReorderImportFault[] {
  const faults = header.flatMap((name, at) => {
    const column = named[at]
    if (column === undefined) {
      const message = `is not one of the known columns: ${columns.join(', ')}`
      return name === '' ? [] : [{ row: 1, field: name, message }]
    }
    return named.indexOf(column) === at ? [] : [{ row: 1, field: column, message: 'appears twice' }]
  })
  if (variantColumns.some((column) => named.includes(column))) return faults
  return [...faults, { row: 1, field: 'sku', message: 'is required, or a column barcode or variantId' }]
}

function readRow(row: number, cells: readonly string[], named: readonly (Column | undefined)[]): ImportRow {
  const cell = (column: Column) => (cells[named.indexOf(column)] ?? '').replace(formulaEscape, '')
  const given = <C extends Column>(of: readonly C[]) => of.filter((column) => cell(column) !== '')
  return {
    row,
    names: Object.fromEntries(given(nameColumns).map((column) => [column, cell(column)])),
    fields: Object.fromEntries(given(fieldColumns).map((column) => [column, toValue(cell(column))])),
  }
}

function toValue(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text.toLowerCase()
}

function unnamedCellFaults(
  { row, cells }: { row: number; cells: readonly string[] },
  named: readonly unknown[],
): ReorderImportFault[] {
  const hasUnnamedCell = cells.some((cell, at) => cell !== '' && named[at] === undefined)
  return hasUnnamedCell ? [{ row, field: '', message: 'has a value in a column without a name' }] : []
}

function rowFaults({ row, names, fields }: ImportRow): ReorderImportFault[] {
  const faults = fieldColumns.flatMap((field) => {
    const schema = reorderFields[field]
    const value = fields[field]
    if (value === undefined || Value.Check(schema, value)) return []
    return [{ row, field, message: String(schema.rule) }]
  })
  if (variantColumns.some((column) => names[column] !== undefined)) return faults
  return [{ row, field: 'sku', message: 'is required, or a barcode or variantId' }, ...faults]
}
