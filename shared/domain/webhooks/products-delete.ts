import type { Db } from '../../db/db.ts'
import { makeGid } from '../../platform/gid.ts'
import { DeletedPayload } from '../../schemas/webhooks.ts'
import { retireProducts } from '../catalogue/retire.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

const readDeleted = createPayloadReader(DeletedPayload)

/** The payload has no time, so the product counts as deleted when the event happened. */
export async function applyProductDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readDeleted(deliveries)
  if (readable.length === 0) return rejected
  const deleted = readable.map(({ payload, happenedAt }) => ({
    gid: makeGid(namespace, 'Product', String(payload.id)),
    deletedAt: happenedAt,
  }))
  // resolves the alerts of the variants
  await refreshRules(tx, shopId, await retireProducts(tx, shopId, deleted))
  return [...rejected, ...readable.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}
