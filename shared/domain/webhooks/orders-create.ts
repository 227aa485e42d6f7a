import type { Db } from '../../db/db.ts'
import { makeGid } from '../../platform/gid.ts'
import { OrderPayload } from '../../schemas/webhooks.ts'
import { checkSoldVariants } from '../reorder/low-stock.ts'
import { computeVelocitySoon, recordSales, type Sale } from '../sales/record.ts'
import { enqueueReadLevelsOf } from '../stock/read-requests.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readOrders = createPayloadReader(OrderPayload)

/** Lines without a variant, such as tips, are skipped; the reason has their number (topic ORDERS_CREATE). */
export async function applyOrders(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readOrders(deliveries)
  const sales = await recordSales(
    tx,
    shopId,
    readable.flatMap((delivery) => salesOf(namespace, delivery)),
  )
  await checkSoldVariants(tx, shopId, sales)
  await computeVelocitySoon(tx, shopId, sales)
  // a sale commits stock
  await enqueueReadLevelsOf(
    tx,
    shopId,
    sales.map(({ variantGid }) => variantGid),
  )
  return [...rejected, ...readable.map(settle)]
}

function salesOf(namespace: string, { payload, happenedAt }: ReadDelivery<OrderPayload>): Sale[] {
  return payload.line_items.flatMap(({ id, variant_id: variantId, quantity }) =>
    isSale(variantId, quantity)
      ? [
          {
            orderGid: makeGid(namespace, 'Order', String(payload.id)),
            lineGid: makeGid(namespace, 'LineItem', String(id)),
            variantGid: makeGid(namespace, 'ProductVariant', String(variantId)),
            quantity,
            orderedAt: payload.created_at ?? happenedAt,
          },
        ]
      : [],
  )
}

const isSale = (variantId: unknown, quantity: number) =>
  variantId !== null && variantId !== undefined && quantity > 0

function settle({ id, payload }: ReadDelivery<OrderPayload>): Settlement {
  const skipped = payload.line_items.filter((line) => !isSale(line.variant_id, line.quantity)).length
  return {
    id,
    state: 'applied',
    reason: skipped > 0 ? `${skipped} lines without a variant were skipped.` : '',
  }
}
