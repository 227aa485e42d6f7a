import { Value } from '@sinclair/typebox/value'
import type { ImportFault } from '../../schemas/import-fault.ts'
import { reorderFields } from '../../schemas/reorder-rules.ts'
import {
  columnNamed,
  headerFaults,
  readFileRows,
  unnamedCellFaults,
  variantColumnRequired,
  variantColumns,
} from '../csv-import.ts'

/** A row of the file with its number in a spreadsheet. Empty cells are left out. */
export type ImportRow = {
  row: number
  names: Partial<Record<(typeof nameColumns)[number], string>>
  fields: Partial<Record<keyof typeof reorderFields, number | string>>
}

const nameColumns = [...variantColumns, 'supplier', 'location'] as const
const fieldColumns = [
  'reorderPoint',
  'reorderQuantity',
  'mode',
  'serviceLevel',
  'reviewDays',
  'maxLevel',
] as const
/** The title is for the reader of the file and is ignored. */
const columns = [...nameColumns, 'title', ...fieldColumns] as const
type Column = (typeof columns)[number]

/**
 * Parses a CSV file separated by commas, semicolons or tabs. The first row is the header: columns in any order, matched
 * without regard to case, spaces, `_` and `-`. Returns every fault that shows without reading the database. A file with
 * a fault in its header or quotes has no rows.
 */
export function readImportRows(csv: string): { rows: ImportRow[]; faults: ImportFault[] } {
  const file = readFileRows(csv)
  if ('row' in file) return { rows: [], faults: [file] }
  const named = file.header.map((heading) => columnNamed(heading, columns))
  const faults = headerFaults(file.header, named, columns)
  if (!variantColumns.some((column) => named.includes(column))) {
    faults.push({ row: 1, field: 'sku', message: variantColumnRequired })
  }
  if (faults.length > 0) return { rows: [], faults }
  const rows = file.body.map(({ row, cells }) => readRow(row, cells, named))
  return {
    rows,
    faults: [...file.body.flatMap((filled) => unnamedCellFaults(filled, named)), ...rows.flatMap(rowFaults)],
  }
}

function readRow(row: number, cells: readonly string[], named: readonly (Column | undefined)[]): ImportRow {
  const cell = (column: Column) => cells[named.indexOf(column)] ?? ''
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

function rowFaults({ row, names, fields }: ImportRow): ImportFault[] {
  const faults = fieldColumns.flatMap((field) => {
    const schema = reorderFields[field]
    const value = fields[field]
    if (value === undefined || Value.Check(schema, value)) return []
    return [{ row, field, message: String(schema.rule) }]
  })
  if (variantColumns.some((column) => names[column] !== undefined)) return faults
  return [{ row, field: 'sku', message: 'is required, or a barcode or variantId' }, ...faults]
}
