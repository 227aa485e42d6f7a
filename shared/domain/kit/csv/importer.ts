import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ImportFault } from '../../../schemas/import-fault.ts'
import { nameColumns, type RowWithNames, variantColumns } from './names.ts'
import {
  ambiguityOf,
  type DecimalSign,
  decimalSignIn,
  type FileRow,
  headerFaults,
  plainHeading,
  readFileRows,
  unnamedCellFaults,
  wholeNumberOf,
} from './rows.ts'

/**
 * How an import of rows reads its file:
 *
 * 1. `refuse` may refuse the whole file for its header.
 * 2. Each heading is that of a column: by `columnOf`, else by `headings`. A heading of no column is a fault that lists the columns `shown`.
 * 3. The header has one column of each need.
 * 4. The columns of `nameColumns` say which records a row is about, and `cells` reads those with values. An empty cell is left out.
 * 5. `faultsOf` has the faults of a row in the order of the answer; without it, the missing cells are before the invalid ones.
 */
export type Importer<C extends Cells> = {
  refuse?: (header: readonly string[]) => ImportFault | undefined
  /** By column, as `plainHeading` reads them, with spaces between them. Those `ignored` are for the reader of the file. */
  headings: Readonly<Record<string, string>>
  columnOf?: (heading: string, header: readonly string[]) => string | undefined
  shown: string
  needs: readonly Need[]
  cells: C
  faultsOf?: (row: ReadRow<C>, found: Found) => ImportFault[]
  /** A fault names the heading of the file, not our name of the column. */
  faultsNameHeadings?: boolean
}

/** A value with a message is a fault. The import looks for further faults of its row, and writes nothing. */
export type Cell<V> = {
  read: (text: string, decimalSign: DecimalSign) => { value: V; message?: string | undefined }
  /** The cells of the column may say which sign is the decimal one. */
  isNumber?: boolean
}
type Cells = Readonly<Record<string, Cell<unknown>>>

/** One of `columns` is in the header, and filled in in each row if there is a message for rows. */
export type Need = {
  columns: readonly string[]
  /** The column that faults name; those of rows that of `columns` which the header has first, if `namesFound`. */
  field: string
  header: string
  row?: string
  namesFound?: boolean
}

/** A row with its number in a spreadsheet, and its cells that are not empty. */
export type ReadRow<C extends Cells> = RowWithNames<{
  [Column in keyof C]?: C[Column] extends Cell<infer V> ? V : never
}>

type Found = {
  missing: ImportFault[]
  invalid: ImportFault[]
  /** The cell below the first heading that `plainHeading` reads so. */
  below: (heading: string) => string
  headingOf: (column: string) => string
}

/** Of a file with a fault in its header there are no rows, but their faults. `headingOf` is how faults name a column. */
export type ReadFile<Row> = {
  rows: Row[]
  rowCount: number
  faults: ImportFault[]
  headingOf: (column: string) => string
}

export const productNeed: Need = {
  columns: variantColumns,
  field: 'sku',
  header: 'is required, or a column barcode or variantId',
  row: 'is required, or a barcode or variantId',
}

/** The need of an import that writes to locations, unless one is chosen for all rows. */
export const locationNeed: Need = {
  columns: ['location'],
  field: 'location',
  header: 'is required, unless one location is chosen for all rows',
  row: 'is required',
}

/** A cell that the schema checks once `toValue` has read it; the message is the rule of the schema. */
export const cellOf = <T extends TSchema>(
  schema: T,
  toValue: (text: string) => unknown = String,
): Cell<Static<T>> => ({
  read: (text) => {
    const value = toValue(text) as Static<T>
    return { value, message: Value.Check(schema, value) ? undefined : String(schema.rule) }
  },
})

/** A cell with a number of pieces or days, as `wholeNumberOf` reads it. */
export const countCell = <T extends TSchema>(schema: T): Cell<Static<T>> => ({
  isNumber: true,
  read: (text, decimalSign) => {
    const read = cellOf(schema, () => wholeNumberOf(text, decimalSign) ?? text).read(text, decimalSign)
    return { ...read, message: read.message && (ambiguityOf(text, decimalSign) ?? read.message) }
  },
})

/** The rows, and every fault that shows without the database. */
export function readRows<C extends Cells>(csv: string, importer: Importer<C>): ReadFile<ReadRow<C>> {
  const file = readFileRows(csv)
  const refused = 'row' in file ? file : importer.refuse?.(file.header)
  if ('row' in file || refused)
    return { rows: [], rowCount: 0, faults: refused ? [refused] : [], headingOf: String }
  const { header, body } = file
  const named = header.map((heading) => importer.columnOf?.(heading, header) ?? columnOf(heading, importer))
  const known = named.map((column, at) => (column === 'ignored' ? header[at] : column))
  const ofHeader = [
    ...headerFaults(header, known, importer.shown),
    ...importer.needs
      .filter(({ columns }) => !columns.some((column) => named.includes(column)))
      .map(({ field, header: message }) => ({ row: 1, field, message })),
  ]
  const isNumber = named.map((column) => column !== undefined && importer.cells[column]?.isNumber)
  const decimalSign = decimalSignIn(body.flatMap(({ cells }) => cells.filter((_, at) => isNumber[at])))
  const headings = header.map(plainHeading)
  const headingOf = (column: string) => header[named.indexOf(column)] || column
  const read = body.map((filled) => {
    const { row, invalid } = readRow(filled, named, decimalSign, importer)
    const missing = missingIn(filled, named, importer.needs)
    const below = (heading: string) => filled.cells[headings.indexOf(heading)] ?? ''
    const faults = importer.faultsOf?.(row, { missing, invalid, below, headingOf })
    return { row, faults: [...unnamedCellFaults(filled, header), ...(faults ?? [...missing, ...invalid])] }
  })
  return {
    rows: ofHeader.length > 0 ? [] : read.map(({ row }) => row),
    rowCount: body.length,
    faults: [...ofHeader, ...read.flatMap(({ faults }) => faults)],
    headingOf: importer.faultsNameHeadings ? headingOf : String,
  }
}

const columnOf = (heading: string, { headings }: Pick<Importer<Cells>, 'headings'>) =>
  Object.keys(headings).find((column) => headings[column]?.split(' ').includes(plainHeading(heading)))

function readRow<C extends Cells>(
  { row, cells }: FileRow,
  named: readonly (string | undefined)[],
  decimalSign: DecimalSign,
  importer: Importer<C>,
): { row: ReadRow<C>; invalid: ImportFault[] } {
  const filled = (columns: readonly string[]) =>
    columns.flatMap((column) => {
      const text = cells[named.indexOf(column)] ?? ''
      return text === '' ? [] : [[column, text] as const]
    })
  const values = filled(Object.keys(importer.cells)).flatMap(([field, text]) => {
    const read = importer.cells[field]?.read(text, decimalSign)
    return read ? [{ field, ...read }] : []
  })
  const names = Object.fromEntries(filled(nameColumns))
  const fields = Object.fromEntries(values.map(({ field, value }) => [field, value])) as ReadRow<C>['fields']
  const invalid = values.flatMap(({ field, message }) => (message ? [{ row, field, message }] : []))
  return { row: { row, names, fields }, invalid }
}

/** The needs of rows that the row does not meet, although the header has one of their columns. */
function missingIn(
  { row, cells }: FileRow,
  named: readonly (string | undefined)[],
  needs: readonly Need[],
): ImportFault[] {
  return needs.flatMap(({ columns, field, row: message, namesFound }) => {
    const [first, ...others] = columns.filter((column) => named.includes(column))
    if (message === undefined || first === undefined) return []
    const isFilled = [first, ...others].some((column) => cells[named.indexOf(column)])
    return isFilled ? [] : [{ row, field: namesFound ? first : field, message }]
  })
}
