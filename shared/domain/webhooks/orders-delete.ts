import type { Db } from '../../db/db.ts'
import { makeGid } from '../../platform/gid.ts'
import { DeletedOrderPayload } from '../../schemas/webhooks.ts'
import { computeVelocitySoon, removeOrders } from '../sales/record.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readDeletions = createPayloadReader(DeletedOrderPayload)

/** Removes the sales of deleted orders (topic ORDERS_DELETE). A state of the order that arrives later is dropped. */
export async function applyOrderDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readDeletions(deliveries)
  const deleted = readable.filter(isDeletion)
  const removed = await removeOrders(
    tx,
    shopId,
    deleted.map(({ payload, happenedAt }) => ({
      orderGid: makeGid(namespace, 'Order', String(payload.id)),
      deletedAt: happenedAt,
    })),
  )
  await computeVelocitySoon(tx, shopId, removed)
  return [...rejected, ...readable.map(settle)]
}

/** The topic is not signed: a body with lines is that of another topic, sent again under this name. */
const isDeletion = ({ payload }: ReadDelivery<DeletedOrderPayload>) => !('line_items' in payload)

const settle = (delivery: ReadDelivery<DeletedOrderPayload>): Settlement =>
  isDeletion(delivery)
    ? { id: delivery.id, state: 'applied', reason: '' }
    : { id: delivery.id, state: 'rejected', reason: 'The payload is not that of a deleted order.' }
