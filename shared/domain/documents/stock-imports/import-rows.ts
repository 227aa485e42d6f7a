import type { ImportFault } from '../../../schemas/import-fault.ts'
import type { StockImportBasis } from '../../../schemas/stock-imports.ts'
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

/** A row of the file with its number in a spreadsheet. Empty names are left out. The quantity may be below 0: so may be the stock. */
export type StockRow = {
  row: number
  names: Partial<Record<NameColumn, string>>
  quantity: number
  reason: string
}

const nameColumns = [...variantColumns, 'location'] as const
type NameColumn = (typeof nameColumns)[number]
type Column = NameColumn | 'quantity' | 'reason' | 'ignored'

/** The largest level, and the largest change of one. */
export const maxQuantity = 1_000_000_000
const maxReason = 200

/** The headings of the numbers. The file may be our own CSV of the stock, which has on hand and available side by side. */
const quantityNames: Record<StockImportBasis, readonly string[]> = {
  available: ['quantity', 'available'],
  on_hand: ['quantity', 'onhand'],
  adjust: ['quantity', 'change', 'adjustby'],
}
/** Columns of our CSV of the stock, and of the platform's export of the inventory, that are for the reader of the file. */
const ignoredNames = new Set([
  ...'product title bin onhand committed unavailable available incoming pendingsync unitcost locationid'.split(
    ' ',
  ),
  ...['handle', 'hscode', 'coo', 'binname'],
  ...[1, 2, 3].flatMap((option) => [`option${option}name`, `option${option}value`]),
])

/** The column that the merchant fills in in the platform's export of the inventory. The file also has `On hand (current)`. */
const isNewOnHand = (name: string) => /^on hand \(new\)$/i.test(name)
const isOnHand = 'is a number of pieces on hand: choose to set on hand (`basis` `on_hand`)'

type StockFile = { rows: StockRow[]; rowCount: number; faults: ImportFault[] }
type Options = { basis: StockImportBasis; hasLocation: boolean; reason: string }

/**
 * The rows, and every fault that shows without reading the database. A header with a fault means no rows, but their faults are returned,
 * too. A row without a quantity keeps its stock. Of the platform's export of the inventory, `On hand (new)` is the quantity, for the basis `on_hand` only.
 */
export function readStockRows(csv: string, { basis, hasLocation, reason }: Options): StockFile {
  const file = readFileRows(csv)
  const failed = (faults: ImportFault[]): StockFile => ({ rows: [], rowCount: 0, faults })
  if ('row' in file) return failed([file])
  const newOnHand = file.header.find(isNewOnHand)
  if (newOnHand !== undefined && basis !== 'on_hand')
    return failed([{ row: 1, field: newOnHand, message: isOnHand }])
  const named = file.header.map((name) => columnOf(name, basis, newOnHand !== undefined))
  const shown = ['sku', 'barcode', 'variantId', 'location', quantityNames[basis].join(' or '), 'reason']
  const faults = headerFaults(
    file.header,
    named.map((column, at) => (column === 'ignored' ? file.header[at] : column)),
    shown,
  )
  const need = (isThere: boolean, field: string, message: string) =>
    isThere || faults.push({ row: 1, field, message })
  const hasProduct = variantColumns.some((column) => named.includes(column))
  need(hasProduct, 'sku', variantColumnRequired)
  need(named.includes('quantity'), 'quantity', 'is required')
  need(
    hasLocation || named.includes('location'),
    'location',
    'is required, unless one location is chosen for all rows',
  )
  const isHeaderFaulty = faults.length > 0
  const decimalSign = decimalSignIn(file.body.map(({ cells }) => cells[named.indexOf('quantity')] ?? ''))
  const rows = file.body.flatMap((filled) => {
    faults.push(...unnamedCellFaults(filled, file.header))
    const { row, cells } = filled
    const cell = (column: Column) => cells[named.indexOf(column)] ?? ''
    if (cell('quantity') === '') return []
    const quantity = numberOf(cell('quantity'), decimalSign)
    const given = nameColumns.filter((column) => cell(column) !== '')
    const names = Object.fromEntries(given.map((column) => [column, cell(column)]))
    const fail = (field: string, message: string) => faults.push({ row, field, message })
    if (typeof quantity === 'string') fail('quantity', quantity)
    if (cell('reason').length > maxReason) fail('reason', `must have at most ${maxReason} characters`)
    if (hasProduct && !variantColumns.some((column) => given.includes(column)))
      fail('sku', 'is required, or a barcode or variantId')
    if (!hasLocation && named.includes('location') && !given.includes('location'))
      fail('location', 'is required')
    return [
      { row, names, quantity: typeof quantity === 'number' ? quantity : 0, reason: cell('reason') || reason },
    ]
  })
  return { rows: isHeaderFaulty ? [] : rows, rowCount: file.body.length, faults }
}

function columnOf(name: string, basis: StockImportBasis, hasNewOnHand: boolean): Column | undefined {
  const plain = plainHeading(name)
  if (hasNewOnHand && plain === 'onhand') return isNewOnHand(name) ? 'quantity' : 'ignored'
  if (quantityNames[basis].includes(plain)) return 'quantity'
  if (ignoredNames.has(plain)) return 'ignored'
  return ([...nameColumns, 'reason'] as const).find((column) => plainHeading(column) === plain)
}

/** The number of a cell, or what is wrong with it. */
function numberOf(text: string, decimalSign: '.' | ',' | null): number | string {
  const number = wholeNumberOf(text, decimalSign)
  if (number === null) return ambiguityOf(text, decimalSign) ?? 'must be a whole number'
  return Math.abs(number) > maxQuantity ? 'must be at most 1 000 000 000' : number
}
