import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CalendarDay, Currency, Money, Quantity, Text } from '../../../../schemas/common.ts'
import type { ImportFault } from '../../../../schemas/import-fault.ts'
import { packagingFields } from '../../../../schemas/supplier-products.ts'
import { headerFaults, plainHeading, readFileRows, unnamedCellFaults } from '../../../kit/csv/rows.ts'

/** The columns with their headings, as `plainHeading` reads them. The first heading is that of messages. */
const headings = {
  supplier: ['supplier', 'suppliername', 'vendor'],
  variantId: ['variantid'],
  sku: ['sku'],
  barcode: ['barcode', 'ean', 'gtin'],
  title: ['title', 'product'],
  supplierSku: ['suppliersku', 'suppliercode', 'supplierssku'],
  supplierTitle: ['suppliertitle', 'supplierdescription'],
  price: ['price', 'unitprice', 'cost'],
  currency: ['currency'],
  minQuantity: ['minquantity', 'minqty', 'fromquantity'],
  packSize: ['packsize', 'pack'],
  minimumQuantity: ['minimum', 'minimumquantity', 'minimumorder', 'moq'],
  quantityMultiple: ['multiple', 'quantitymultiple'],
  leadTimeDays: ['leadtime', 'leadtimedays'],
  validFrom: ['validfrom', 'from'],
  validTo: ['validto', 'to', 'until'],
  rank: ['rank'],
  packBarcode: ['packbarcode'],
} as const
export type PriceColumn = keyof typeof headings
const columns = Object.keys(headings) as PriceColumn[]
const shownColumns =
  'supplier, sku, supplier sku, barcode, price, currency, min quantity, pack size, minimum, multiple, lead time, valid from, valid to, rank'

const numbers = {
  price: Money(4),
  minQuantity: Quantity,
  packSize: packagingFields.packSize,
  minimumQuantity: Quantity,
  quantityMultiple: packagingFields.quantityMultiple,
  leadTimeDays: packagingFields.leadTimeDays,
  rank: packagingFields.rank,
}
const texts = {
  currency: Currency,
  validFrom: CalendarDay,
  validTo: CalendarDay,
  supplierSku: Text(200),
  supplierTitle: Text(500),
  packBarcode: Text(100),
}
type NumberColumn = keyof typeof numbers
type TextColumn = keyof typeof texts

/** A row of a price list with its number in a spreadsheet. Empty cells are left out. */
export type PriceRow = {
  row: number
  /** The words by which the row names its supplier and product. */
  names: Partial<Record<'supplier' | 'variantId' | 'sku' | 'barcode', string>>
  numbers: Partial<Record<NumberColumn, number>>
  texts: Partial<Record<TextColumn, string>>
}

/** The rows without faults, none below a header with a fault; every fault that shows without the database; and the headings as the file has them. */
export type PriceFile = {
  rows: PriceRow[]
  rowCount: number
  faults: ImportFault[]
  headingOf: (column: PriceColumn) => string
}

/** Parses a price list: CSV, or cells that are pasted from a spreadsheet. */
export function readPriceRows(csv: string, hasSupplier: boolean): PriceFile {
  const file = readFileRows(csv)
  const failed = (faults: ImportFault[]) => ({ rows: [], rowCount: 0, faults, headingOf: String })
  if ('row' in file) return failed([file])
  const named = file.header.map(columnOf)
  const faults = headerFaults(file.header, named, [shownColumns])
  if (!hasSupplier && !named.includes('supplier'))
    faults.push({ row: 1, field: 'supplier', message: 'is required' })
  if (!productColumns.some((column) => named.includes(column)))
    faults.push({
      row: 1,
      field: 'sku',
      message: 'is required, or a column supplier sku, barcode or variantId',
    })
  const isHeaderFaulty = faults.length > 0
  const headingOf = (column: PriceColumn) => file.header[named.indexOf(column)] || column
  const rows: PriceRow[] = []
  for (const filled of file.body) {
    const read = readRow(filled, named, headingOf, hasSupplier || !named.includes('supplier'))
    const ofRow = [...unnamedCellFaults(filled, file.header), ...read.faults]
    if (ofRow.length === 0) rows.push(read.row)
    faults.push(...ofRow)
  }
  return { rows: isHeaderFaulty ? [] : rows, rowCount: file.body.length, faults, headingOf }
}

const productColumns = ['variantId', 'sku', 'barcode', 'supplierSku'] as const

const columnOf = (name: string): PriceColumn | undefined =>
  columns.find((column) => (headings[column] as readonly string[]).includes(plainHeading(name)))

function readRow(
  { row, cells }: { row: number; cells: readonly string[] },
  named: readonly (PriceColumn | undefined)[],
  headingOf: PriceFile['headingOf'],
  hasSupplier: boolean,
): { row: PriceRow; faults: ImportFault[] } {
  const cell = (column: PriceColumn) => cells[named.indexOf(column)] ?? ''
  const faults: ImportFault[] = []
  const read = <C extends PriceColumn, V>(
    schemas: Record<C, TSchema>,
    convert: (column: C, text: string) => V,
  ) => {
    const filled = (Object.keys(schemas) as C[]).filter((column) => cell(column) !== '')
    const entries = filled.map((column) => [column, convert(column, cell(column))] as const)
    for (const [column, value] of entries) {
      if (Value.Check(schemas[column], value)) continue
      faults.push({ row, field: headingOf(column), message: String(schemas[column].rule) })
    }
    return Object.fromEntries(entries)
  }
  const names = Object.fromEntries(
    (['supplier', 'variantId', 'sku', 'barcode'] as const)
      .filter((column) => cell(column) !== '')
      .map((column) => [column, cell(column)]),
  )
  const readNumbers = read(numbers, (column, text) => (column === 'price' ? toPrice(text) : toNumber(text)))
  const readTexts = read(texts, (column, text) => (column === 'currency' ? text.toUpperCase() : text))
  if (!hasSupplier && cell('supplier') === '')
    faults.push({ row, field: headingOf('supplier'), message: 'is required' })
  const isNamed = productColumns.some((column) => named.includes(column))
  if (isNamed && productColumns.every((column) => cell(column) === '')) {
    const field = headingOf(productColumns.find((column) => named.includes(column)) ?? 'sku')
    faults.push({ row, field, message: 'is required, or another name of the product' })
  }
  if (
    cell('price') === '' &&
    (['validFrom', 'validTo', 'minQuantity'] as const).some((name) => cell(name) !== '')
  )
    faults.push({ row, field: headingOf('price'), message: 'is required for a quantity or a date' })
  const { validFrom, validTo } = readTexts
  if (validFrom !== undefined && validTo !== undefined && validTo < validFrom)
    faults.push({ row, field: headingOf('validTo'), message: `must not be before ${headingOf('validFrom')}` })
  return { row: { row, names, numbers: readNumbers as PriceRow['numbers'], texts: readTexts }, faults }
}

const toNumber = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text)

/**
 * A number with a decimal point or a decimal comma; signs that separate thousands must be unmistakable. Examples: 1234.5,
 * 1234,5, 1,234.50 and 1.234,50. `1,234` may mean either, so it stays a text, which the schema refuses.
 */
function toPrice(text: string): number | string {
  if (/^\d{1,10}(\.\d+)?$/.test(text)) return Number(text)
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(text)) return Number(text.replaceAll(',', ''))
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^\d{1,10},(\d{1,2}|\d{4})$/.test(text)) return Number(text.replace(',', '.'))
  return text
}
