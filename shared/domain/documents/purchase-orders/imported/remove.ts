import { type Db, sql } from '../../../../db/db.ts'

/** Deletes lines, which must have no lines of receipts any more. `restoreImportedOrders` gives the orders their totals. */
export async function deleteImportedLines(tx: Db, shopId: number, lineIds: readonly number[]): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from purchase_order_line where shop_id = ${shopId} and id = any(${sql.array([...lineIds], 'int8')})
  `)
}

/** Deletes orders with their lines and charges. They must have no receipts any more. */
export async function deleteImportedOrders(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from purchase_order where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
  `)
}
