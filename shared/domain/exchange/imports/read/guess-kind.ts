import { plainName } from '../../../kit/csv/rows.ts'
import { guessFields, productFields, type SheetKind } from './columns.ts'
import { ownListOf } from './own-lists.ts'

/** Lists of other systems that Quartermaster has no records for. */
const unknownLists = /transfer|tax_?type|webhook/i

/** Guesses the kind of a table from its columns; null when they fit no kind. `name` is the name of the file, sheet or list. */
export function guessKind(name: string, columns: readonly string[]): SheetKind | null {
  const own = ownListOf(name, columns)
  if (own) return own.kind
  if (unknownLists.test(name.replace(/\s/g, '_'))) return null
  const has = (kind: SheetKind, ...fields: string[]) => {
    const guessed = guessFields(kind, columns)
    return fields.some((field) => guessed.includes(field))
  }
  const hasProduct = (kind: SheetKind) => has(kind, ...productFields)
  const names = columns.map(plainName)
  const isAdjustment = /adjustment/i.test(name) || names.includes('adjustedat')
  if (isAdjustment && (hasProduct('adjustments') || has('adjustments', 'adjustedAt'))) return 'adjustments'
  if (hasProduct('reorder_rules') && has('reorder_rules', 'reorderPoint')) return 'reorder_rules'
  const isLine = hasProduct('purchase_orders') && has('purchase_orders', 'quantity')
  if (hasProduct('supplier_products') && !isLine && isSupplierProduct(has)) return 'supplier_products'
  if (hasProduct('stock_counts') && has('stock_counts', 'counted') && !isLine) return 'stock_counts'
  if (isStockList(name, columns)) return null
  if (isLine) return 'purchase_orders'
  if (hasProduct('costs') && has('costs', 'cost')) return isOfOrders(columns) ? null : 'costs'
  const isOrder = has(
    'purchase_orders',
    'orderedAt',
    'total',
    'received',
    'invoiceNumber',
    'expectedAt',
    'createdAt',
  )
  const hasSupplier = has('purchase_orders', 'supplier', 'supplierId')
  const hasContact = ['email', 'contactemail', 'address1', 'address', 'phone', 'contactname'].some((word) =>
    names.includes(word),
  )
  if (isOrder && hasSupplier && has('purchase_orders', 'number', 'orderId') && !hasContact)
    return 'purchase_orders'
  if (has('suppliers', 'name') && (hasContact || names.length <= 3 || /supplier|vendor/i.test(name)))
    return 'suppliers'
  return null
}

const orderFields = [
  ...['number', 'supplier', 'supplierId', 'received', 'lineStatus', 'lineId'],
  ...['orderedAt', 'createdAt', 'expectedAt', 'receivedAt', 'invoiceDate', 'paymentDueOn', 'paidAt'],
]

/** Whether a list with costs says something of an order, so that its costs may be those of the order's lines. */
function isOfOrders(columns: readonly string[]): boolean {
  const names = columns.map(plainName)
  return guessFields('purchase_orders', columns).some(
    (field, at) => field !== null && orderFields.includes(field) && names[at] !== 'id',
  )
}

const plainQuantities = ['quantity', 'qty']
const stockWords = ['onhand', 'onhandnew', 'available', 'availablenoteditable', ...plainQuantities]
/** Fields that a list of stock levels may have, too. */
const stockFields = ['quantity', 'location', 'title', 'notes', 'lineId', 'orderId', ...productFields]

/**
 * Whether a list has the stock of products at locations, or pieces without a word that only an order has. Stock levels have an import of
 * their own (`stock-imports.ts`). `name` is the name of the file or sheet.
 */
export function isStockList(name: string, columns: readonly string[]): boolean {
  if (ownListOf(name, columns)) return false
  const names = columns.map(plainName)
  const fields = guessFields('purchase_orders', columns)
  const has = (words: readonly string[]) => words.some((word) => names.includes(word))
  if (!productFields.some((field) => fields.includes(field)) || !has(stockWords)) return false
  const isLevels = fields.includes('location') && has(stockWords.slice(0, -plainQuantities.length))
  if (!fields.includes('quantity')) return isLevels
  const isPlain = names.some((plain, at) => fields[at] === 'quantity' && plainQuantities.includes(plain))
  const isNamedOrder = /purchase|order|(^|[^a-z])po([^a-z]|$)/i.test(name)
  return isPlain && !isNamedOrder && fields.every((field) => field === null || stockFields.includes(field))
}

/** A list of products of suppliers names the supplier and something that only a supplier says of a product. */
const isSupplierProduct = (has: (kind: SheetKind, ...fields: string[]) => boolean): boolean =>
  has('supplier_products', 'supplier', 'supplierId') &&
  has('supplier_products', 'supplierSku', 'supplierTitle', 'packSize', 'minimumQuantity')
