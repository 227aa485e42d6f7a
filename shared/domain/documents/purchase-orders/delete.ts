import { type Db, sql } from '../../../db/db.ts'
import { transitionRefused } from './purchase-orders.ts'

/** Deletes a draft or a cancelled order without posted receipts, and its drafts of receipts. Its number is not used again. Throws not_found, conflict. */
export function deletePurchaseOrder(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from purchase_order where shop_id = ${shopId} and id = ${id} for update
    `)
    await deleteReceiptDrafts(tx, shopId, id)
    const order = await tx.maybeOne(sql.typeAlias('id')`
      delete from purchase_order
      where shop_id = ${shopId} and id = ${id} and status in ('draft', 'cancelled')
        and not exists (select from receipt where shop_id = ${shopId} and purchase_order_id = ${id})
      returning id
    `)
    if (!order) {
      throw await transitionRefused(tx, shopId, id, {
        sent: 'This order was sent to the supplier. Cancel it before you delete it.',
        partial: 'Goods of this order have arrived, so it cannot be deleted. Close it instead.',
        received: 'Goods of this order have arrived, so it cannot be deleted.',
        cancelled: 'This order has receipts, so it cannot be deleted, even if they were reversed.',
      })
    }
    return { message: 'Purchase order deleted.' }
  })
}

/** A refused deletion of the order brings them back. */
async function deleteReceiptDrafts(tx: Db, shopId: number, id: number): Promise<void> {
  const drafts = sql.fragment`
    select id from receipt where shop_id = ${shopId} and purchase_order_id = ${id} and state = 'draft'
  `
  await tx.query(sql.typeAlias('void')`
    delete from receipt_line where shop_id = ${shopId} and receipt_id in (${drafts})
  `)
  await tx.query(sql.typeAlias('void')`
    delete from receipt where shop_id = ${shopId} and id in (${drafts})
  `)
}
