import type { Db } from '../../../db/db.ts'
import { computeVelocitySoon, removeOrders } from '../../ledgers/sales/record.ts'
import { readDeleted } from './deletions.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'

/** Removes the sales of deleted orders (topic ORDERS_DELETE). A state of the order that arrives later is dropped. */
export async function applyOrderDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { deleted, rejected } = readDeleted(namespace, 'Order', deliveries)
  const removed = await removeOrders(
    tx,
    shopId,
    deleted.map(({ gid, deletedAt }) => ({ orderGid: gid, deletedAt })),
  )
  await computeVelocitySoon(tx, shopId, removed)
  return [...rejected, ...deleted.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}
