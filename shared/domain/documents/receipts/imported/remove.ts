import { type Db, sql } from '../../../../db/db.ts'

/*
 * For the revert of an import. The receipts are not stocked, so no stock moves. The caller must have locked them.
 */

/** Deletes all receipts of orders. */
export async function deleteReceiptsOfOrders(
  tx: Db,
  shopId: number,
  orderIds: readonly number[],
): Promise<void> {
  const orders = sql.array([...orderIds], 'int8')
  await tx.query(sql.typeAlias('void')`
    delete from receipt_line x
    using receipt r
    where x.shop_id = ${shopId} and r.shop_id = ${shopId} and r.id = x.receipt_id and r.purchase_order_id = any(${orders})
  `)
  await tx.query(sql.typeAlias('void')`
    delete from receipt where shop_id = ${shopId} and purchase_order_id = any(${orders})
  `)
}

/** Deletes what was received of lines of orders, and the imported receipts that have no other lines. */
export async function deleteReceiptsOfLines(
  tx: Db,
  shopId: number,
  orderLineIds: readonly number[],
): Promise<void> {
  const receipts = await tx.anyFirst(sql.typeAlias('id')`
    delete from receipt_line
    where shop_id = ${shopId} and purchase_order_line_id = any(${sql.array([...orderLineIds], 'int8')})
    returning receipt_id as id
  `)
  await tx.query(sql.typeAlias('void')`
    delete from receipt r
    where r.shop_id = ${shopId} and r.is_imported and r.id = any(${sql.array([...new Set(receipts)], 'int8')})
      and not exists (select from receipt_line x where x.shop_id = ${shopId} and x.receipt_id = r.id)
  `)
}

/** Deletes receipts without an order. */
export async function deleteDirectReceipts(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  const receipts = sql.array([...ids], 'int8')
  await tx.query(sql.typeAlias('void')`
    delete from direct_receipt_line where shop_id = ${shopId} and receipt_id = any(${receipts})
  `)
  await tx.query(sql.typeAlias('void')`
    delete from receipt where shop_id = ${shopId} and id = any(${receipts}) and purchase_order_id is null
  `)
}
