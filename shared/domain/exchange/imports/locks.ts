import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'

/** Imports of a shop write one after the other, so that two files with the same order do not both create it. */
export const lockShopImports = (tx: Db, shopId: number) =>
  tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('imports', ${shopId}::bigint))
  `)

/** Locks the import until the end of the transaction. Waits for its dry run, which keeps its row locks until its end. */
export const lockImport = (tx: Db, importId: number) =>
  tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('import', ${importId}::bigint))
  `)

/** Locks the import unless another transaction runs it, dry or not; returns whether it did. */
export const tryLockImport = (tx: Db, importId: number): Promise<boolean> =>
  tx.oneFirst(sql.type(row(Type.Object({ isFree: Type.Boolean() })))`
    select pg_try_advisory_xact_lock(hashtextextended('import', ${importId}::bigint)) as is_free
  `)

/** Locks records that a revert deletes or empties fields of: what uses them is committed before, and then found, or waits and finds them gone. */
export const lockRecords = (
  tx: Db,
  shopId: number,
  table: 'purchase_order' | 'receipt' | 'stock_count' | 'supplier',
  ids: readonly number[],
) =>
  tx.query(sql.typeAlias('void')`
    select from ${sql.identifier([table])}
    where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
    order by id
    for update
  `)

/** Locks orders, then their receipts. */
export async function lockOrders(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  await lockRecords(tx, shopId, 'purchase_order', ids)
  await tx.query(sql.typeAlias('void')`
    select from receipt
    where shop_id = ${shopId} and purchase_order_id = any(${sql.array([...ids], 'int8')})
    order by id
    for update
  `)
}
