import type { Db } from '../../../db/db.ts'
import { makeGid } from '../../../platform/gid.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { LocationPayload } from '../../../schemas/webhooks.ts'
import {
  listActiveLocations,
  type PlatformLocation,
  retireDeletedLocations,
  upsertLocations,
} from '../../records/catalogue/locations.ts'
import { readDeleted } from './deletions.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

const readLocations = createPayloadReader(LocationPayload)

/**
 * Topics LOCATIONS_CREATE, LOCATIONS_UPDATE, LOCATIONS_ACTIVATE and LOCATIONS_DEACTIVATE: their payloads have the whole location. The
 * platform shows the levels of an activated location again, and hides those of a deactivated one, without a webhook for them, so a job
 * reads the levels.
 */
export async function applyLocations(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readLocations(deliveries)
  const locations = readable.map(({ payload, happenedAt }) => ({
    gid: makeGid(namespace, 'Location', String(payload.id)),
    name: payload.name,
    isActive: payload.active,
    isPrimary: false,
    updatedAt: payload.updated_at ?? happenedAt,
    ...addressOf(payload),
  }))
  const before = new Set(await listActiveLocations(tx, shopId))
  await upsertLocations(tx, shopId, locations)
  const after = await listActiveLocations(tx, shopId)
  if (after.length !== before.size || after.some((gid) => !before.has(gid)))
    await enqueueReconciliation(tx, shopId)
  return [...rejected, ...readable.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}

const enqueueReconciliation = (tx: Db, shopId: number) =>
  enqueue(tx, jobs.reconcileStock, { shopId }, { key: jobKey(jobs.reconcileStock, shopId) })

/** The platform leaves out no part of an address; without its first line the payload counts as one without an address. */
function addressOf(payload: LocationPayload): Pick<PlatformLocation, 'address'> {
  if (payload.address1 === undefined) return {}
  const {
    address1,
    address2,
    city,
    province,
    zip,
    country_name: country,
    country_code: countryCode,
    phone,
  } = payload
  const parts = { address1, address2, city, province, zip, country, countryCode, phone }
  return { address: Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) }
}

/** Retires deleted locations. The platform does not list their levels any more, so a job reads the levels. */
export async function applyLocationDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { deleted, rejected } = readDeleted(namespace, 'Location', deliveries)
  const known = new Set(await retireDeletedLocations(tx, shopId, deleted))
  if (known.size > 0) await enqueueReconciliation(tx, shopId)
  const settled = deleted.map(
    ({ id, gid }): Settlement =>
      known.has(gid)
        ? { id, state: 'applied', reason: '' }
        : { id, state: 'ignored', reason: 'The location is not known.' },
  )
  return [...rejected, ...settled]
}
