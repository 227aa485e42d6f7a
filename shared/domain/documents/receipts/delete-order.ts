import { type Db, sql } from '../../../db/db.ts'
import { deleteOrder } from '../purchase-orders/delete.ts'

/** Deletes a draft or a cancelled order without posted receipts, and its drafts of receipts. Its number is not used again. Throws not_found, conflict. */
export function deletePurchaseOrder(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from purchase_order where shop_id = ${shopId} and id = ${id} for update
    `)
    await deleteReceiptDrafts(tx, shopId, id)
    await deleteOrder(tx, shopId, id)
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
