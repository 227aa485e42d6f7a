import type { SupplierProduct, SupplierProductRow } from '../../../../../shared/schemas/supplier-products.ts'
import { readNumber } from '../../../components/forms/read-number.ts'

/** The cells that a merchant edits, in their order in a row and in a paste. */
export const gridColumns = [
  { field: 'supplierSku', name: 'Supplier SKU', isNumber: false },
  { field: 'price', name: 'Price', isNumber: true },
  { field: 'packSize', name: 'Pack size', isNumber: true },
  { field: 'minimumQuantity', name: 'Minimum', isNumber: true },
  { field: 'quantityMultiple', name: 'Multiple', isNumber: true },
  { field: 'leadTimeDays', name: 'Lead time', isNumber: true },
  { field: 'rank', name: 'Rank', isNumber: true },
] as const
export type GridField = (typeof gridColumns)[number]['field']

/** A row of the grid: a product of the supplier, or a variant that is not saved yet. */
export type GridRow = {
  key: string
  product: SupplierProduct | null
  variantId: string
  sku: string
  title: string
  /** The supplier's, in which a new price is typed. */
  currency: string
}

/** What is typed, by row and field. A cell that repeats the stored value is not in it. */
export type Draft = Record<string, Partial<Record<GridField, string>>>

const defaults: Record<GridField, string> = {
  supplierSku: '',
  price: '',
  packSize: '1',
  minimumQuantity: '',
  quantityMultiple: '1',
  leadTimeDays: '',
  rank: '',
}

/** Today's price in another currency than the supplier's is not a value of the cell: 9 in its place is 9 of the supplier's currency. */
export const otherPrice = ({ product, currency }: GridRow) =>
  product && product.price !== null && product.currency !== currency ? product : null

const storedText = (row: GridRow, field: GridField, decimalMark: string): string => {
  if (field === 'price' && otherPrice(row)) return ''
  const stored = row.product ? (row.product[field] ?? '') : defaults[field]
  return typeof stored === 'number' ? String(stored).replace('.', decimalMark) : stored
}

export const cellText = (row: GridRow, draft: Draft, field: GridField, decimalMark: string): string =>
  draft[row.key]?.[field] ?? storedText(row, field, decimalMark)

/** The draft with one more typed cell. */
export function withCell(
  draft: Draft,
  row: GridRow,
  field: GridField,
  text: string,
  decimalMark: string,
): Draft {
  const { [field]: _old, ...others } = draft[row.key] ?? {}
  const isStored = text.trim() === storedText(row, field, decimalMark)
  const cells = isStored ? others : { ...others, [field]: text }
  const { [row.key]: _row, ...rest } = draft
  return Object.keys(cells).length === 0 ? rest : { ...rest, [row.key]: cells }
}

/** The draft with the cells of a spreadsheet, from a cell to the right and down; cells beyond the grid are left out. */
export function withPaste(
  draft: Draft,
  rows: readonly GridRow[],
  at: { row: number; column: number },
  text: string,
  decimalMark: string,
): Draft {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  let next = draft
  for (const [down, line] of lines.entries()) {
    for (const [right, cell] of line.split('\t').entries()) {
      const row = rows[at.row + down]
      const column = gridColumns[at.column + right]
      if (row && column) next = withCell(next, row, column.field, cell.trim(), decimalMark)
    }
  }
  return next
}

/** The rows to save. A text that is no number is sent as it is, so that the API names the fault of its cell. */
export function rowsToSave(
  rows: readonly GridRow[],
  draft: Draft,
  decimalMark: string,
): { row: GridRow; body: SupplierProductRow }[] {
  return rows.flatMap((row) => {
    const cells = draft[row.key]
    if (!cells && row.product) return []
    const fields: Record<string, unknown> = {}
    for (const [name, typed] of Object.entries(cells ?? {})) {
      const [field, text] = [name as GridField, typed.trim()]
      if (field === 'supplierSku') fields[field] = text
      else if (text !== '') fields[field] = toNumber(text, field, decimalMark)
      else if (isOptional(field)) fields[field] = null
      // an emptied cell that needs a value is a fault; one of a new row has its default
      else if (row.product) fields[field] = ''
    }
    const { product } = row
    const body = {
      ...(product && { id: product.id, version: product.version, supplierSku: product.supplierSku }),
      ...(fields.price !== undefined && { currency: row.currency }),
      variantId: row.variantId,
      ...fields,
    } as SupplierProductRow
    return [{ row, body }]
  })
}

const isOptional = (field: GridField) => field === 'minimumQuantity' || field === 'leadTimeDays'

function toNumber(text: string, field: GridField, decimalMark: string): number | string {
  const read = readNumber(text, { decimalMark, decimals: field === 'price' ? 4 : 0 })
  return 'number' in read ? read.number : text
}

export const changeCount = (rows: readonly GridRow[], draft: Draft): number =>
  rows.reduce((sum, row) => {
    const cells = Object.keys(draft[row.key] ?? {}).length
    return sum + (row.product ? cells : Math.max(cells, 1))
  }, 0)
