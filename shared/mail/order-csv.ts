import { toCsv } from '../csv.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'

const columns = [
  'line',
  'supplierSku',
  'sku',
  'title',
  'barcode',
  'packs',
  'packSize',
  'quantity',
  'costPrice',
  'discountPercent',
  'taxRate',
  'lineTotal',
  'currency',
]

/**
 * The lines of an order for the supplier's system. `quantity` is in pieces; `packs` is empty when the pieces are not whole
 * packs, and the cost is empty while it is to be agreed. The headers and numbers are the API's in every language, so that a program reads them.
 */
export function orderCsv({ lines, currency }: PurchaseOrderDocument): string {
  const rows = lines.map(({ packSize = 1, discountPercent = 0, taxRate = 0, ...line }, index) => ({
    ...line,
    ...(line.isCostToBeAgreed && { costPrice: '', lineTotal: '' }),
    line: index + 1,
    packSize,
    packs: line.quantity % packSize === 0 ? line.quantity / packSize : '',
    discountPercent,
    taxRate,
    currency,
  }))
  return toCsv(rows, columns)
}
