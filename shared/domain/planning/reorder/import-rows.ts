import { Value } from '@sinclair/typebox/value'
import type { ImportFault } from '../../../schemas/import-fault.ts'
import { reorderFields } from '../../../schemas/reorder-rules.ts'
import {
  ambiguityOf,
  decimalSignIn,
  headerFaults,
  plainHeading,
  readFileRows,
  unnamedCellFaults,
  variantColumnRequired,
  variantColumns,
  wholeNumberOf,
} from '../../kit/csv/rows.ts'
import { ruleColumnNames } from './import-columns.ts'

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
type Column = (typeof nameColumns)[number] | (typeof fieldColumns)[number] | 'ignored'

/** The headings, as `plainHeading` reads them: those of our own exports, and those that *Move in* knows. */
const { inventoryItemId: _item, title, maximum, ...others } = ruleColumnNames
const headings: Readonly<Record<Column, string>> = {
  ...others,
  maxLevel: `maxlevel maximumlevel ${maximum}`,
  // of our export of all rules, these follow from other columns
  ignored: `${title} variant stock low computed created locationid productid`,
}
const columnOf = (heading: string) => {
  const plain = plainHeading(heading)
  return (Object.keys(headings) as Column[]).find((column) => headings[column].split(' ').includes(plain))
}

/**
 * Parses a CSV file separated by commas, semicolons or tabs. The first row is the header: columns in any order, matched by
 * `plainHeading`. Returns the rows, and every fault that shows without reading the database. A header with a fault means no
 * rows, but their faults are returned, too. `headingOf` is the heading that the file has for a column.
 */
export function readImportRows(csv: string): {
  rows: ImportRow[]
  rowCount: number
  faults: ImportFault[]
  headingOf: (column: string) => string
} {
  const file = readFileRows(csv)
  if ('row' in file) return { rows: [], rowCount: 0, faults: [file], headingOf: String }
  const named = file.header.map(columnOf)
  const faults = headerFaults(
    file.header,
    named.map((column, at) => (column === 'ignored' ? file.header[at] : column)),
    columns,
  )
  const hasProduct = variantColumns.some((column) => named.includes(column))
  if (!hasProduct) faults.push({ row: 1, field: 'sku', message: variantColumnRequired })
  const isNumber = named.map((column) => fieldColumns.some((field) => field !== 'mode' && field === column))
  const decimalSign = decimalSignIn(file.body.flatMap(({ cells }) => cells.filter((_, at) => isNumber[at])))
  const rows = file.body.map(({ row, cells }) => readRow(row, cells, named, decimalSign))
  const idAt = file.header.findIndex((heading) => plainHeading(heading) === 'locationid')
  const ofRows = [
    ...file.body.flatMap((filled) => unnamedCellFaults(filled, file.header)),
    // the rule would be one of the whole shop
    ...file.body.flatMap(({ row, cells }) =>
      cells[idAt] && !cells[named.indexOf('location')]
        ? [{ row, field: 'location', message: 'is required beside a location ID' }]
        : [],
    ),
    ...rows.flatMap((read) => rowFaults(read, hasProduct, decimalSign)),
  ]
  return {
    rows: faults.length > 0 ? [] : rows,
    rowCount: file.body.length,
    faults: [...faults, ...ofRows],
    headingOf: (column) => file.header[named.indexOf(column as Column)] || column,
  }
}

function readRow(
  row: number,
  cells: readonly string[],
  named: readonly (Column | undefined)[],
  decimalSign: '.' | ',' | null,
): ImportRow {
  const cell = (column: Column) => cells[named.indexOf(column)] ?? ''
  const given = <C extends Column>(of: readonly C[]) => of.filter((column) => cell(column) !== '')
  return {
    row,
    names: Object.fromEntries(given(nameColumns).map((column) => [column, cell(column)])),
    fields: Object.fromEntries(
      given(fieldColumns).map((column) => [column, toValue(cell(column), decimalSign)]),
    ),
  }
}

function toValue(text: string, decimalSign: '.' | ',' | null): number | string {
  return wholeNumberOf(text, decimalSign) ?? text.toLowerCase()
}

function rowFaults(
  { row, names, fields }: ImportRow,
  hasProduct: boolean,
  decimalSign: '.' | ',' | null,
): ImportFault[] {
  const faults = fieldColumns.flatMap((field) => {
    const schema = reorderFields[field]
    const value = fields[field]
    if (value === undefined || Value.Check(schema, value)) return []
    return [{ row, field, message: ambiguityOf(String(value), decimalSign) ?? String(schema.rule) }]
  })
  if (!hasProduct || variantColumns.some((column) => names[column] !== undefined)) return faults
  return [{ row, field: 'sku', message: 'is required, or a barcode or variantId' }, ...faults]
}
