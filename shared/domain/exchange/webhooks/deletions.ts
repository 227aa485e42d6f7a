import { makeGid } from '../../../platform/gid.ts'
import { DeletedPayload } from '../../../schemas/webhooks.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readDeletions = createPayloadReader(DeletedPayload)

/** What the platform has deleted. `id` is that of the delivery; the payload has no time, so that of the event counts. */
type Deletion = { id: number; gid: string; deletedAt: string }

/**
 * Reads the deliveries of a topic about deletions of a `type`, such as `Order`. The topic is not signed: a body with more
 * than an id is the signed webhook of another topic, sent again under this name, and is rejected.
 */
export function readDeleted(
  namespace: string,
  type: 'Location' | 'Order' | 'Product',
  deliveries: readonly WebhookDelivery[],
): { deleted: Deletion[]; rejected: Settlement[] } {
  const { readable, rejected } = readDeletions(deliveries)
  const reason = `The payload is not that of a deleted ${type.toLowerCase()}.`
  return {
    deleted: readable.filter(isDeletion).map(({ id, payload, happenedAt }) => ({
      id,
      gid: makeGid(namespace, type, String(payload.id)),
      deletedAt: happenedAt,
    })),
    rejected: [
      ...rejected,
      ...readable
        .filter((delivery) => !isDeletion(delivery))
        .map(({ id }): Settlement => ({ id, state: 'rejected', reason })),
    ],
  }
}

const isDeletion = ({ payload }: ReadDelivery<DeletedPayload>) =>
  Object.keys(payload).every((name) => name === 'id')
