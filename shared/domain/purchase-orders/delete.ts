import { type Db, sql } from '../../db/db.ts'
import { transitionRefused } from './purchase-orders.ts'

/** Deletes a draft or a cancelled order that never had a receipt; its number is not given again. */
export async function deletePurchaseOrder(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const order = await db.maybeOne(sql.typeAlias('id')`
    delete from purchase_order
    where shop_id = ${shopId} and id = ${id} and status in ('draft', 'cancelled')
      and not exists (select from receipt where shop_id = ${shopId} and purchase_order_id = ${id})
    returning id
  `)
  if (!order) {
    throw await transitionRefused(db, shopId, id, {
      sent: 'This order is with the supplier. Cancel it before you delete it.',
      partial: 'Goods of this order have arrived, so it is kept.',
      received: 'Goods of this order have arrived, so it is kept.',
      cancelled: 'This order has receipts, though they were reversed, so it is kept.',
    })
  }
  return { message: 'Purchase order deleted.' }
}
