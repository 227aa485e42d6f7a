import { type Db, sql } from '../../../db/db.ts'
import { transitionRefused } from './purchase-orders.ts'

/** Deletes a draft or a cancelled order without receipts. The caller has locked it. Throws not_found, conflict. */
export async function deleteOrder(tx: Db, shopId: number, id: number): Promise<void> {
  const order = await tx.maybeOne(sql.typeAlias('id')`
    delete from purchase_order
    where shop_id = ${shopId} and id = ${id} and status in ('draft', 'cancelled')
      and not exists (select from receipt where shop_id = ${shopId} and purchase_order_id = ${id})
    returning id
  `)
  if (order) return
  throw await transitionRefused(tx, shopId, id, {
    sent: 'This order was sent to the supplier. Cancel it before you delete it.',
    partial: 'Goods of this order have arrived, so it cannot be deleted. Close it instead.',
    received: 'Goods of this order have arrived, so it cannot be deleted.',
    cancelled: 'This order has receipts, so it cannot be deleted, even if they were reversed.',
  })
}
