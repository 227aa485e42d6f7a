import { type Db, sql } from '../../db/db.ts'
import { transitionRefused } from './purchase-orders.ts'

/** Deletes a draft or a cancelled order without receipts. Its number is not used again. Throws not_found, conflict. */
export async function deletePurchaseOrder(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const order = await db.maybeOne(sql.typeAlias('id')`
    delete from purchase_order
    where shop_id = ${shopId} and id = ${id} and status in ('draft', 'cancelled')
      and not exists (select from receipt where shop_id = ${shopId} and purchase_order_id = ${id})
    returning id
  `)
  if (!order) {
    throw await transitionRefused(db, shopId, id, {
      sent: 'This order was sent to the supplier. Cancel it before you delete it.',
      partial: 'An order with received goods cannot be deleted.',
      received: 'An order with received goods cannot be deleted.',
      cancelled: 'An order with receipts cannot be deleted, even if they were reversed.',
    })
  }
  return { message: 'Purchase order deleted.' }
}
