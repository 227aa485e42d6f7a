import { Value } from '@sinclair/typebox/value'
import { Bin } from '../../../../schemas/bins.ts'
import type { ImportFault } from '../../../../schemas/import-fault.ts'
import {
  columnNamed,
  headerFaults,
  readFileRows,
  unnamedCellFaults,
  variantColumnRequired,
  variantColumns,
} from '../../../kit/csv/rows.ts'

/** A row of the file with its number in a spreadsheet. Empty names are left out; an empty bin removes one. */
export type BinRow = { row: number; names: Partial<Record<NameColumn, string>>; bin: string }

const nameColumns = [...variantColumns, 'location'] as const
export type NameColumn = (typeof nameColumns)[number]
/** The title is for the reader of the file and is ignored. */
const columns = [...nameColumns, 'title', 'bin'] as const
type Column = (typeof columns)[number]

/**
 * The rows, and every fault that shows without reading the database. A header with a fault means no rows, but their faults are
 * returned, too.
 */
export function readBinRows(
  csv: string,
  hasLocation: boolean,
): {
  rows: BinRow[]
  rowCount: number
  faults: ImportFault[]
} {
  const file = readFileRows(csv)
  if ('row' in file) return { rows: [], rowCount: 0, faults: [file] }
  const named = file.header.map((heading) => columnNamed(heading, columns))
  const faults = headerFaults(file.header, named, columns)
  const hasProduct = variantColumns.some((column) => named.includes(column))
  if (!hasProduct) {
    faults.push({ row: 1, field: 'sku', message: variantColumnRequired })
  }
  if (!named.includes('bin')) faults.push({ row: 1, field: 'bin', message: 'is required' })
  if (!hasLocation && !named.includes('location')) {
    faults.push({
      row: 1,
      field: 'location',
      message: 'is required, unless one location is chosen for all rows',
    })
  }
  const rows = file.body.map(({ row, cells }): BinRow => {
    const cell = (column: Column) => cells[named.indexOf(column)] ?? ''
    const given = nameColumns.filter((column) => cell(column) !== '')
    return { row, names: Object.fromEntries(given.map((column) => [column, cell(column)])), bin: cell('bin') }
  })
  const needs = { product: hasProduct, location: !hasLocation && named.includes('location') }
  const ofRows = [
    ...file.body.flatMap((filled) => unnamedCellFaults(filled, file.header)),
    ...rows.flatMap((read) => rowFaults(read, needs)),
  ]
  return {
    rows: faults.length > 0 ? [] : rows,
    rowCount: file.body.length,
    faults: [...faults, ...ofRows],
  }
}

/** `needs`: what each row must have, since the file has its column. */
function rowFaults(
  { row, names, bin }: BinRow,
  needs: { product: boolean; location: boolean },
): ImportFault[] {
  const faults: ImportFault[] = []
  if (needs.product && !variantColumns.some((column) => names[column] !== undefined)) {
    faults.push({ row, field: 'sku', message: 'is required, or a barcode or variantId' })
  }
  if (needs.location && names.location === undefined) {
    faults.push({ row, field: 'location', message: 'is required' })
  }
  if (!Value.Check(Bin, bin)) faults.push({ row, field: 'bin', message: String(Bin.rule) })
  return faults
}
