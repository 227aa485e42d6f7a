import { type Db, row, sql } from '../../../db/db.ts'
import { CancelledPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import { resolveOrderAlerts } from './alerts.ts'
import { withdrawQueuedMail } from './mail/mail.ts'
import { transitionRefused } from './purchase-orders.ts'

/** Cancels a draft or a sent order, with its queued e-mail. Throws not_found, conflict. */
export function cancelPurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
): Promise<CancelledPurchaseOrder> {
  return db.transaction(async (tx) => {
    const order = await tx.maybeOne(sql.type(row(CancelledPurchaseOrder))`
      update purchase_order
      set status = 'cancelled', cancelled_at = now(), cancelled_by = ${actor}, updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and status in ('draft', 'sent')
      returning id, status
    `)
    if (!order) {
      throw await transitionRefused(tx, shopId, id, {
        partial: 'Goods of this order have already arrived. Close it instead.',
        received: 'This order has been received. Undo its receipts before you cancel it.',
        cancelled: 'This order is already cancelled.',
      })
    }
    await withdrawQueuedMail(tx, shopId, id)
    await resolveOrderAlerts(tx, shopId, id)
    return order
  })
}
