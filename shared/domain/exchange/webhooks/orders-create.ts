import type { Db } from '../../../db/db.ts'
import { makeGid } from '../../../platform/gid.ts'
import { OrderPayload } from '../../../schemas/webhooks.ts'
import { notShipped, type Order } from '../../ledgers/sales/order-lines.ts'
import { computeVelocitySoon, recordOrders } from '../../ledgers/sales/record.ts'
import { checkSoldVariants } from '../../ledgers/stock/low-stock.ts'
import { enqueueReadLevelsOf } from '../../ledgers/stock/platform/read-requests.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readOrders = createPayloadReader(OrderPayload)

/**
 * Applies the states of orders (topics ORDERS_CREATE and ORDERS_UPDATED, which have the same body). Lines without a
 * variant, such as tips, are skipped; the reason has their number.
 */
export async function applyOrders(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readOrders(deliveries)
  const recorded = await recordOrders(
    tx,
    shopId,
    readable.map((delivery) => orderOf(namespace, delivery)),
  )
  await checkSoldVariants(tx, shopId, recorded.changedGids)
  await computeVelocitySoon(tx, shopId, recorded)
  // Orders commit stock, and shipments take it off the shelf.
  await enqueueReadLevelsOf(tx, shopId, recorded.variantGids)
  return [...rejected, ...readable.map(settle)]
}

/** Without `updated_at`, a body is as of the order's creation: any later state is newer. */
export function orderOf(namespace: string, { payload, happenedAt }: ReadDelivery<OrderPayload>): Order {
  const createdAt = payload.created_at ?? happenedAt
  const lineGid = (id: unknown) => makeGid(namespace, 'LineItem', String(id))
  return {
    orderGid: makeGid(namespace, 'Order', String(payload.id)),
    orderedAt: payload.processed_at ?? createdAt,
    updatedAt: payload.updated_at ?? createdAt,
    isTest: payload.test ?? false,
    isCancelled: (payload.cancelled_at ?? null) !== null,
    lines: payload.line_items.map((line) => ({
      lineGid: lineGid(line.id),
      variantGid: hasVariant(line) ? makeGid(namespace, 'ProductVariant', String(line.variant_id)) : null,
      quantity: line.quantity,
      currentQuantity: line.current_quantity ?? null,
      unshippedQuantity: line.fulfillable_quantity ?? null,
      price: amountOf(line.price),
      discount: discountOf(line),
      tax: payload.taxes_included ? taxOf(line) : 0,
    })),
    refunds: (payload.refunds ?? []).flatMap((refund) =>
      (refund.refund_line_items ?? []).map(({ line_item_id, quantity, restock_type }) => ({
        lineGid: lineGid(line_item_id),
        quantity,
        restockType: restock_type ?? 'no_restock',
      })),
    ),
    shipments: (payload.fulfillments ?? [])
      .filter(({ status }) => !notShipped.has(status ?? ''))
      .flatMap(({ line_items: lines }) => lines ?? [])
      .map(({ id, quantity }) => ({ lineGid: lineGid(id), quantity })),
  }
}

type Line = OrderPayload['line_items'][number]

/** Bodies of old versions have no allocations. */
function discountOf({ discount_allocations: allocations, total_discount: total }: Line): number {
  return allocations
    ? allocations.reduce((sum, { amount }) => sum + (amountOf(amount) ?? 0), 0)
    : (amountOf(total) ?? 0)
}

const taxOf = ({ tax_lines: taxes }: Line) =>
  (taxes ?? []).reduce((sum, { price }) => sum + (amountOf(price) ?? 0), 0)

function amountOf(text: string | null | undefined): number | null {
  const amount = Number(text ?? Number.NaN)
  return Number.isFinite(amount) ? amount : null
}

const hasVariant = ({ variant_id: id }: Line) => id !== null && id !== undefined

function settle({ id, payload }: ReadDelivery<OrderPayload>): Settlement {
  const skipped = payload.line_items.filter((line) => !hasVariant(line) || line.quantity === 0).length
  const reason = payload.test
    ? 'A test order does not count.'
    : skipped > 0
      ? `${skipped} ${skipped === 1 ? 'line' : 'lines'} without a variant or units ${skipped === 1 ? 'was' : 'were'} skipped.`
      : ''
  return { id, state: 'applied', reason }
}
