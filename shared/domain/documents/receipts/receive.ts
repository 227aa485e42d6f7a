import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { ReceivedPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import type { ReceiptInput } from '../../../schemas/receipts.ts'
import { receivedSheet, requireLines, sumCounts } from './counts.ts'
import { lockOrderToReceive, requireLocation, requireSent } from './locked-order.ts'
import { postReceipt } from './post.ts'

const Written = Type.Composite([ReceivedPurchaseOrder, Type.Object({ receiptId: Id })])

/**
 * Receives goods: creates a receipt and posts it in one transaction, by the steps of `receipts.ts`.
 * A request with the same lines, location and person as one in the last 10 seconds counts as a double click: it changes
 * nothing and returns the result of the first. With `hasKey` the request has an idempotency key, and this check is off.
 * Throws not_found, conflict when the order's state does not allow it, unknown_location, and the errors of
 * `requireLines`.
 */
export function receivePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  input: ReceiptInput,
  { hasKey = false }: { hasKey?: boolean } = {},
): Promise<ReceivedPurchaseOrder> {
  return db.transaction(async (tx) => {
    const locationGid = input.locationId ?? null
    const order = await lockOrderToReceive(tx, shopId, id, { locationGid, lock: 'update' })
    const sheet = receivedSheet(input)
    const sums = sumCounts(sheet.counts)
    const quantities = new Map([...sums].map(([lineId, { accepted }]) => [lineId, accepted]))
    const fingerprint = fingerprintOf(order.locationId, quantities)
    const earlier = hasKey ? null : await findRepeated(tx, shopId, id, actor, fingerprint)
    if (earlier) return earlier
    requireSent(order)
    const locationId = requireLocation(order, locationGid !== null)
    const lines = await requireLines(tx, shopId, id, sheet, { allowOverReceipt: input.allowOverReceipt })
    const rows = [...lines.values()].map((line) => ({ ...line, accepted: quantities.get(line.id) ?? 0 }))
    const { receiptId, ...received } = await tx.one(sql.type(row(Written))`
      select id, status, received_at, receipt_id
      from insert_receipt(
        ${shopId}, ${id}, ${locationId}, ${input.notes ?? ''}, ${sql.binary(fingerprint)}, ${actor},
        ${arrayOf('int8', rows, (line) => line.id)},
        ${arrayOf('int4', rows, (line) => line.accepted)},
        ${arrayOf('bool', rows, (line) => line.isStocked)}
      )
    `)
    await postReceipt(tx, shopId, { id: receiptId, purchaseOrderId: id, locationId, sheet, lines }, actor)
    return received
  })
}

function fingerprintOf(locationId: number | null, quantities: ReadonlyMap<number, number>): Buffer {
  const lines = [...quantities].sort(([a], [b]) => a - b)
  return createHash('sha256')
    .update(JSON.stringify([locationId, lines]))
    .digest()
}

/** The result of an equal recent receipt. Checked before the order's status, which that receipt may have changed. */
function findRepeated(
  tx: Db,
  shopId: number,
  id: number,
  actor: string,
  fingerprint: Buffer,
): Promise<ReceivedPurchaseOrder | null> {
  return tx.maybeOne(sql.type(row(ReceivedPurchaseOrder))`
    select purchase_order_id as id, status_after as status, created_at as received_at
    from receipt
    where shop_id = ${shopId} and purchase_order_id = ${id} and fingerprint = ${sql.binary(fingerprint)}
      and created_by = ${actor} and reversed_at is null and created_at > now() - interval '10 seconds'
    order by id desc
    limit 1
  `)
}
