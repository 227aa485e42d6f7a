import { type Db, row, sql } from '../db.ts'
import { CancelledPurchaseOrder, ClosedPurchaseOrder } from '../schemas/purchase-orders.ts'
import { resolveOrderAlerts } from './order-alerts.ts'
import { withdrawQueuedMail } from './outgoing-mail.ts'
import { whyNot } from './purchase-orders.ts'

/** Cancels a draft or a sent order. An e-mail of it that has not left yet stays here. */
export function cancelPurchaseOrder(db: Db, shopId: number, id: number): Promise<CancelledPurchaseOrder> {
  return db.transaction(async (tx) => {
    const order = await tx.maybeOne(sql.type(row(CancelledPurchaseOrder))`
      update purchase_order
      set status = 'cancelled', updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and status in ('draft', 'sent')
      returning id, status
    `)
    if (!order) {
      throw await whyNot(tx, shopId, id, {
        partial: 'Goods of this order have arrived already. Close it instead.',
        received: 'This order has been received. Reverse its receipts before you cancel it.',
        cancelled: 'This order is cancelled already.',
      })
    }
    await withdrawQueuedMail(tx, shopId, id)
    await resolveOrderAlerts(tx, shopId, id)
    return order
  })
}

/**
 * Ends an order of which nothing more is to come: what is outstanding is cancelled. It is received when something
 * was accepted, else cancelled, and then an e-mail of it that has not left yet stays here.
 */
export function closePurchaseOrder(db: Db, shopId: number, id: number): Promise<ClosedPurchaseOrder> {
  return db.transaction(async (tx) => {
    const order = await tx.maybeOne(sql.type(row(ClosedPurchaseOrder))`
      update purchase_order
      set status = case status when 'partial' then 'received' else 'cancelled' end,
        updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and status in ('sent', 'partial')
      returning id, status
    `)
    if (!order) {
      throw await whyNot(tx, shopId, id, {
        draft: 'A draft has nothing to close. Cancel it, or delete it.',
        received: 'This order is closed already: nothing of it is outstanding.',
        cancelled: 'This order is cancelled already.',
      })
    }
    await tx.query(sql.typeAlias('void')`
      update purchase_order_line
      set cancelled = quantity - accepted
      where shop_id = ${shopId} and purchase_order_id = ${id} and quantity > accepted + cancelled
    `)
    if (order.status === 'cancelled') await withdrawQueuedMail(tx, shopId, id)
    await resolveOrderAlerts(tx, shopId, id)
    return order
  })
}

/** Deletes a draft or a cancelled order that never had a receipt; its number is not given again. */
export async function deletePurchaseOrder(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const order = await db.maybeOne(sql.typeAlias('id')`
    delete from purchase_order
    where shop_id = ${shopId} and id = ${id} and status in ('draft', 'cancelled')
      and not exists (select from receipt where shop_id = ${shopId} and purchase_order_id = ${id})
    returning id
  `)
  if (!order) {
    throw await whyNot(db, shopId, id, {
      sent: 'This order is with the supplier. Cancel it before you delete it.',
      partial: 'Goods of this order have arrived, so it is kept.',
      received: 'Goods of this order have arrived, so it is kept.',
      cancelled: 'This order has receipts, though they were reversed, so it is kept.',
    })
  }
  return { message: 'Purchase order deleted.' }
}
