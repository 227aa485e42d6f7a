import type { Db } from '../../db/db.ts'
import { makeGid } from '../../platform/gid.ts'
import { DeletedOrderPayload } from '../../schemas/webhooks.ts'
import { computeVelocitySoon, removeOrders } from '../sales/record.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

const readDeletions = createPayloadReader(DeletedOrderPayload)

/** Removes the sales of deleted orders (topic ORDERS_DELETE). A state of the order that arrives later is dropped. */
export async function applyOrderDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readDeletions(deliveries)
  const removed = await removeOrders(
    tx,
    shopId,
    readable.map(({ payload, happenedAt }) => ({
      orderGid: makeGid(namespace, 'Order', String(payload.id)),
      deletedAt: happenedAt,
    })),
  )
  await computeVelocitySoon(tx, shopId, removed)
  return [...rejected, ...readable.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}
