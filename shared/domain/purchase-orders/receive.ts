import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound, unprocessable } from '../../errors.ts'
import { Id, Nullable } from '../../schemas/common.ts'
import {
  type PurchaseOrder,
  PurchaseOrderStatus,
  ReceivedPurchaseOrder,
} from '../../schemas/purchase-orders.ts'
import type { ReceiptInput } from '../../schemas/receipts.ts'
import { requestCostPushes } from '../cost-pushes/request.ts'
import { bookReceipt } from '../costs/book.ts'
import { followUnitCosts } from '../costs/follow.ts'
import { moveStock } from '../stock/move.ts'
import { quantityPath, requireLines, sumQuantities } from './receipt-lines.ts'
import { settleOrder } from './receipts.ts'

const OrderToReceive = Type.Object({
  status: PurchaseOrderStatus,
  /** Null when the location does not exist. */
  locationId: Nullable(Id),
  isInUse: Type.Boolean(),
})
type OrderToReceive = Static<typeof OrderToReceive>

/**
 * Receives goods. One transaction writes the receipt, the accepted quantities, the order's status, the costs and the stock. A
 * variant that the platform does not track or has deleted moves no stock.
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
    const order = await lockOrder(tx, shopId, id, input.locationId ?? null)
    const quantities = sumQuantities(input)
    const fingerprint = fingerprintOf(order.locationId, quantities)
    const earlier = hasKey ? null : await findRepeated(tx, shopId, id, actor, fingerprint)
    if (earlier) return earlier
    requireSent(order)
    const locationId = requireLocation(order, input)
    const lines = await requireLines(tx, shopId, id, input, quantities)

    await acceptLines(tx, shopId, id, quantities)
    const received = await settleOrder(tx, shopId, id, sql.fragment`now()`)
    const receiptLines = [...lines.values()].map((line) => [
      line.id,
      quantities.get(line.id) ?? 0,
      line.isStocked,
    ])
    const receiptId = await tx.oneFirst(sql.typeAlias('id')`
      with written as (
        insert into receipt (shop_id, purchase_order_id, location_id, notes, fingerprint, status_after, created_by)
        values (
          ${shopId}, ${id}, ${locationId}, ${input.notes ?? ''}, ${sql.binary(fingerprint)}, ${received.status},
          ${actor}
        )
        returning id
      ),
      lines as (
        insert into receipt_line (shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked)
        select ${shopId}, written.id, line.id, line.quantity, line.is_stocked
        from written, ${sql.unnest(receiptLines, ['int8', 'int4', 'bool'])} as line (id, quantity, is_stocked)
      )
      select id from written
    `)
    await bookReceipt(tx, shopId, { id: receiptId, purchaseOrderId: id }, actor)
    await followUnstocked(tx, shopId, [...lines.values()], actor)
    const stocked = input.lineItems.flatMap(({ lineItemId, quantityReceived }, index) => {
      const line = lines.get(lineItemId)
      if (!line?.isStocked) return []
      return [{ variantId: line.variantId, locationId, delta: quantityReceived, path: quantityPath(index) }]
    })
    const change = { kind: 'receipt', form: 'adjust', platformReason: 'received' } as const
    await moveStock(tx, shopId, { ...change, reference: `purchase_order/${id}`, actor }, stocked)
    return received
  })
}

/** Locks the order, so that the next receipt sees the quantities that this one accepts. */
async function lockOrder(
  tx: Db,
  shopId: number,
  id: number,
  locationGid: string | null,
): Promise<OrderToReceive> {
  const order = await tx.maybeOne(sql.type(row(OrderToReceive))`
    select o.status, w.id as location_id, coalesce(w.is_active, false) as is_in_use
    from purchase_order o
    left join location w on w.shop_id = o.shop_id and case
      when ${locationGid}::text is not null then w.gid = ${locationGid}
      when o.destination_location_id is not null then w.id = o.destination_location_id
      else w.is_primary
    end
    where o.shop_id = ${shopId} and o.id = ${id}
    for update of o
  `)
  if (!order) throw notFound('Purchase order')
  return order
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

const reasons: Partial<Record<PurchaseOrder['status'], string>> = {
  draft: 'This order is a draft. Send it before you receive goods against it.',
  received: 'This order has no outstanding quantities. Reverse a receipt that was wrong.',
  cancelled: 'This order is cancelled. Create a new one for goods that still arrive.',
}

function requireSent({ status }: OrderToReceive): void {
  const reason = reasons[status]
  if (reason) throw conflict(reason)
}

function requireLocation({ locationId, isInUse }: OrderToReceive, input: ReceiptInput): number {
  if (locationId !== null && isInUse) return locationId
  const path = '/locationId'
  if (!input.locationId) {
    const message = 'This order has no location in use. Choose one.'
    throw unprocessable('unknown_location', message, [{ path, message: 'is required for this order' }])
  }
  const message = locationId === null ? 'is not a location of this shop' : 'is no longer in use'
  throw unprocessable('unknown_location', 'Choose a location that is in use.', [{ path, message }])
}

async function acceptLines(
  tx: Db,
  shopId: number,
  id: number,
  quantities: ReadonlyMap<number, number>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order_line l
    set accepted = l.accepted + arrived.quantity
    from ${sql.unnest([...quantities], ['int8', 'int4'])} as arrived (id, quantity)
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and l.id = arrived.id
  `)
}

/** A variant without stock has no receipt in its ledger of costs, only the new cost. */
async function followUnstocked(
  tx: Db,
  shopId: number,
  lines: readonly { variantId: number; isStocked: boolean }[],
  actor: string,
): Promise<void> {
  const ids = lines.flatMap(({ variantId, isStocked }) => (isStocked ? [] : [variantId]))
  if (ids.length === 0) return
  await followUnitCosts(tx, shopId, sql.fragment`v.id = any(${sql.array(ids, 'int8')})`, actor)
  await requestCostPushes(tx, shopId, sql.fragment`c.variant_id = any(${sql.array(ids, 'int8')})`)
}
