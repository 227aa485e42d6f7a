import { type Db, row, sql } from '../../../db/db.ts'
import { ClosedPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import { resolveOrderAlerts } from './alerts.ts'
import { withdrawQueuedMail } from './mail/mail.ts'
import { transitionRefused } from './purchase-orders.ts'

/** Status: `received` if goods were accepted, else `cancelled`; withdraws a queued mail. Throws not_found, conflict. */
export function closePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
): Promise<ClosedPurchaseOrder> {
  return db.transaction(async (tx) => {
    const order = await tx.maybeOne(sql.type(row(ClosedPurchaseOrder))`
      update purchase_order
      set status = case when status = 'partial' then 'received' else 'cancelled' end,
        closed_at = now(), closed_by = ${actor}, updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and status in ('sent', 'partial')
      returning id, status
    `)
    if (!order) {
      throw await transitionRefused(tx, shopId, id, {
        draft: 'A draft cannot be closed. Cancel or delete it.',
        received: 'This order has no outstanding quantities, so it is already closed.',
        cancelled: 'This order is already cancelled.',
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
