import type { StockImportBasis } from '../../../schemas/stock-imports.ts'
import { type Cell, type Importer, locationNeed, productNeed, type ReadRow } from '../../kit/csv/importer.ts'
import { ambiguityOf, plainHeading, wholeNumberOf } from '../../kit/csv/rows.ts'

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
const ignoredNames = [
  'product title bin onhand committed unavailable available incoming pendingsync unitcost locationid',
  'handle hscode coo binname',
  ...[1, 2, 3].map((option) => `option${option}name option${option}value`),
]

/** The column that the merchant fills in in the platform's export of the inventory. The file also has `On hand (current)`. */
const isNewOnHand = (name: string) => /^on hand \(new\)$/i.test(name)
const isOnHand = 'is a number of pieces on hand: choose to set on hand (`basis` `on_hand`)'

/** The quantity may be below 0: so may be the stock. */
const quantityCell: Cell<number> = {
  isNumber: true,
  read: (text, decimalSign) => {
    const value = wholeNumberOf(text, decimalSign)
    if (value === null)
      return { value: 0, message: ambiguityOf(text, decimalSign) ?? 'must be a whole number' }
    return Math.abs(value) > maxQuantity ? { value: 0, message: 'must be at most 1 000 000 000' } : { value }
  },
}
const reasonCell: Cell<string> = {
  read: (value) => ({
    value,
    message: value.length > maxReason ? `must have at most ${maxReason} characters` : undefined,
  }),
}
const cells = { quantity: quantityCell, reason: reasonCell }
export type StockRow = ReadRow<typeof cells>

/**
 * A row without a quantity keeps its stock. Of the platform's export of the inventory, `On hand (new)` is the quantity, for the basis
 * `on_hand` only.
 */
export const stockFile = (basis: StockImportBasis, hasLocation: boolean): Importer<typeof cells> => ({
  refuse: (header) => {
    const field = basis === 'on_hand' ? undefined : header.find(isNewOnHand)
    return field === undefined ? undefined : { row: 1, field, message: isOnHand }
  },
  headings: {
    quantity: quantityNames[basis].join(' '),
    ignored: ignoredNames.join(' '),
    ...{ variantId: 'variantid', sku: 'sku', barcode: 'barcode', location: 'location', reason: 'reason' },
  },
  columnOf: (heading, header) => {
    if (plainHeading(heading) !== 'onhand' || !header.some(isNewOnHand)) return undefined
    return isNewOnHand(heading) ? 'quantity' : 'ignored'
  },
  shown: `sku, barcode, variantId, location, ${quantityNames[basis].join(' or ')}, reason`,
  needs: [
    productNeed,
    { columns: ['quantity'], field: 'quantity', header: 'is required' },
    ...(hasLocation ? [] : [locationNeed]),
  ],
  cells,
  faultsOf: ({ fields }, { missing, invalid }) =>
    fields.quantity === undefined ? [] : [...invalid, ...missing],
})
