import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { ReceivedPurchaseOrder } from '../../../schemas/purchase-orders.ts'

/** Throws not_found for an order that the shop does not have. */
export async function requireOrder(db: Db, shopId: number, id: number): Promise<void> {
  const order = await db.maybeOne(sql.typeAlias('id')`
    select id from purchase_order where shop_id = ${shopId} and id = ${id}
  `)
  if (!order) throw notFound('Purchase order')
}

/**
 * Computes the status of an order from its lines, after accepted quantities have changed, and resolves the alerts of a
 * received order (`functions/settle_order.sql`). The caller must hold the row lock of the order. `receivedAt` is the time of the
 * newest receipt.
 */
export const settleOrder = (
  tx: Db,
  shopId: number,
  id: number,
  receivedAt: FragmentSqlToken,
): Promise<ReceivedPurchaseOrder> =>
  tx.one(sql.type(row(ReceivedPurchaseOrder))`
    select id, status, received_at from settle_order(${shopId}, ${id}, (${receivedAt}))
  `)
