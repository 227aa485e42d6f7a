import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { ReceivedPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import { requestCostPushes } from '../../ledgers/cost-pushes/request.ts'
import { bookReceipt } from '../../ledgers/costs/book.ts'
import { followUnitCosts } from '../../ledgers/costs/follow.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { type CountSheet, type LineToReceive, requireLines, sumCounts } from './counts.ts'

type Posting = {
  purchaseOrderId: number
  locationId: number
  actor: string
  sheet: CountSheet
  allowOverReceipt?: boolean | undefined
}

const Posted = Type.Composite([ReceivedPurchaseOrder, Type.Object({ receiptId: Id })])

/**
 * Posts what was counted of an order, for `POST …/receive` and for a draft. The caller holds the row lock of the order.
 *
 * 1. The lines take the accepted and the credited pieces, the order gets its status, and the receipt is written: `write` returns the
 *    select that does it, with the columns of `Posted`.
 * 2. The costs are booked, and the accepted pieces move into stock. A variant that the platform does not track or has
 *    deleted moves none.
 *
 * Throws the errors of `requireLines`.
 */
export async function postCounts(
  tx: Db,
  shopId: number,
  { purchaseOrderId, locationId, actor, sheet, allowOverReceipt }: Posting,
  write: (lines: ReadonlyMap<number, LineToReceive>) => FragmentSqlToken,
): Promise<ReceivedPurchaseOrder> {
  const lines = await requireLines(tx, shopId, purchaseOrderId, sheet, { allowOverReceipt })
  const { receiptId, ...received } = await tx.one(sql.type(row(Posted))`${write(lines)}`)
  await bookReceipt(tx, shopId, { id: receiptId, purchaseOrderId }, actor)
  const reference = `purchase_order/${purchaseOrderId}`
  const arrived = sheet.counts.filter(({ accepted }) => accepted > 0)
  const unstocked = arrived.flatMap(({ lineItemId }) => {
    const line = lines.get(lineItemId)
    return line && !line.isStocked ? [line.variantId] : []
  })
  await followUnstocked(tx, shopId, unstocked, { reference, actor })
  const stocked = arrived.flatMap(({ lineItemId, accepted, path }) => {
    const line = lines.get(lineItemId)
    if (!line?.isStocked) return []
    return [{ variantId: line.variantId, locationId, delta: accepted, path: `${path}/${sheet.field}` }]
  })
  const change = { kind: 'receipt', form: 'adjust', platformReason: 'received' } as const
  await moveStock(tx, shopId, { ...change, reference, actor }, stocked)
  return received
}

/** SQL: `receive_lines` (db/functions/) adds the pieces to the lines, and settles the order. */
export function receiveLines(shopId: number, purchaseOrderId: number, { counts }: CountSheet) {
  const sums = [...sumCounts(counts).values()]
  return sql.fragment`receive_lines(
    ${shopId},
    ${purchaseOrderId},
    ${arrayOf('int8', sums, ({ lineItemId }) => lineItemId)},
    ${arrayOf('int4', sums, ({ accepted }) => accepted)},
    ${arrayOf('int4', sums, ({ credited }) => credited)}
  )`
}

/** A variant without stock has no receipt in its ledger of costs, only the new cost. */
async function followUnstocked(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
  { reference, actor }: { reference: string; actor: string },
): Promise<void> {
  if (variantIds.length === 0) return
  const ids = sql.array([...variantIds], 'int8')
  await followUnitCosts(tx, shopId, sql.fragment`v.id = any(${ids})`, actor, { reference })
  await requestCostPushes(tx, shopId, sql.fragment`c.variant_id = any(${ids})`)
}
