import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { AppError, notFound } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import type { PurchaseOrderBulkInput, PurchaseOrderBulkOutcome } from '../../../schemas/purchase-orders.ts'
import { cancelPurchaseOrder } from '../purchase-orders/cancel.ts'
import { sendPurchaseOrder } from '../purchase-orders/send.ts'
import { deletePurchaseOrder } from './delete-order.ts'

const Numbered = Type.Object({ id: Id, poNumber: Type.String() })

/**
 * Sends, cancels or deletes orders by the rules of the single action. An order that is refused does not stop the others: the
 * answer says why. Throws not_found when the shop has none of them.
 *   with an idempotency key   one transaction: an unexpected error changes no order
 *   without                   one transaction per order: an unexpected error keeps what came before it
 */
export async function changeOrders(
  db: Db,
  shopId: number,
  actor: string,
  { action, ids }: PurchaseOrderBulkInput,
): Promise<PurchaseOrderBulkOutcome> {
  const orders = await db.any(sql.type(row(Numbered))`
    select id, po_number from purchase_order where shop_id = ${shopId} and id = any(${sql.array(ids, 'int8')})
  `)
  if (orders.length === 0) throw notFound('Purchase order')
  const numbers = new Map(orders.map(({ id, poNumber }) => [id, poNumber]))
  const change = {
    send: (id: number) => sendPurchaseOrder(db, shopId, id, actor, {}),
    cancel: (id: number) => cancelPurchaseOrder(db, shopId, id, actor),
    delete: (id: number) => deletePurchaseOrder(db, shopId, id),
  }[action]
  const outcome: PurchaseOrderBulkOutcome = { done: [], failed: [] }
  // in the order of all statements that lock several orders, so that two of them cannot wait for each other
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const poNumber = numbers.get(id) ?? null
    try {
      await change(id)
      outcome.done.push({ id, poNumber: poNumber ?? '' })
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      outcome.failed.push({ id, poNumber, code: error.code, message: error.message })
    }
  }
  return outcome
}
