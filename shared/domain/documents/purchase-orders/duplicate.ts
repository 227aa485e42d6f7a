import { type Db, sql } from '../../../db/db.ts'
import { conflict, unprocessable } from '../../../errors.ts'
import {
  type CreatedPurchaseOrder,
  maxOrderLines,
  type PurchaseOrder,
} from '../../../schemas/purchase-orders.ts'
import { type LineTerms, readLineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { readLines } from './edit.ts'
import type { ExistingLine } from './lines/lines.ts'
import { createPurchaseOrder, getPurchaseOrder } from './purchase-orders.ts'

/**
 * Creates a draft with the supplier, currency, destination, cc, note to the supplier and lines of an order in any state.
 * Prices and pack sizes are those of the catalogue today; where it has none, those of the order. References, expected
 * date, internal note, discount of the order and typed tax stay with the old order. `warnings` also name a destination
 * that is out of use, which the draft does not get. Throws not_found, conflict when the supplier is archived,
 * too_many_items, and the errors of `createPurchaseOrder`.
 */
export function duplicatePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
): Promise<CreatedPurchaseOrder> {
  return db.transaction(async (tx) => {
    const order = await getPurchaseOrder(tx, shopId, id)
    const { supplierId, currency } = order
    await requireListedSupplier(tx, shopId, order)
    const lines = await readLines(tx, shopId, id)
    if (lines.length > maxOrderLines) {
      const message = `${order.poNumber} has ${lines.length} lines, and a new order may have ${maxOrderLines}. Create several orders.`
      throw unprocessable('too_many_items', message)
    }
    const wanted = lines.map(({ variantRowId, supplierSku, quantity }) => ({
      ...{ variantRowId, supplierId, currency, quantity },
      supplierSku: supplierSku || undefined,
    }))
    const terms = await readLineTerms(tx, shopId, wanted)
    const isInUse = await isDestinationInUse(tx, shopId, order)
    const created = await createPurchaseOrder(tx, shopId, actor, {
      supplierId,
      currency,
      supplierNotes: order.supplierNotes,
      cc: order.cc,
      destinationLocationId: isInUse ? order.destinationLocationId : null,
      lineItems: lines.map((line, index) => copyOf(line, terms[index])),
    })
    if (isInUse) return created
    const message = `${order.destinationLocationName} is no longer in use. Choose another location.`
    return { ...created, warnings: [{ path: '/destinationLocationId', message }, ...created.warnings] }
  })
}

async function requireListedSupplier(tx: Db, shopId: number, order: PurchaseOrder): Promise<void> {
  const isArchived = await tx.exists(sql.typeAlias('void')`
    select from supplier where shop_id = ${shopId} and id = ${order.supplierId} and archived_at is not null
  `)
  if (isArchived)
    throw conflict(`${order.supplierName} is archived. Restore the supplier before you order again.`)
}

const copyOf = (line: ExistingLine, terms: LineTerms | undefined) => ({
  productId: line.productId,
  variantId: line.variantId,
  ...(line.isOwnSku && { sku: line.sku }),
  ...(line.isOwnTitle && { title: line.title }),
  quantity: line.quantity,
  costPrice: terms?.priceSource === 'catalogue' && terms.price !== null ? terms.price : line.costPrice,
  packSize: terms && terms.supplierProductId !== null ? terms.packSize : line.packSize,
  ...(line.supplierSku !== '' && { supplierSku: line.supplierSku }),
  discountPercent: line.discountPercent,
  taxRate: line.taxRate,
})

async function isDestinationInUse(tx: Db, shopId: number, order: PurchaseOrder): Promise<boolean> {
  if (order.destinationLocationId === null) return true
  return tx.exists(sql.typeAlias('void')`
    select from location where shop_id = ${shopId} and gid = ${order.destinationLocationId} and is_active
  `)
}
