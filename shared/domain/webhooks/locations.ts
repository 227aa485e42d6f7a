import type { Db } from '../../db/db.ts'
import { makeGid } from '../../platform/gid.ts'
import { enqueue, jobKey } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import { LocationPayload } from '../../schemas/webhooks.ts'
import {
  listActiveLocations,
  type PlatformLocation,
  retireDeletedLocations,
  upsertLocations,
} from '../catalogue/locations.ts'
import { readDeleted } from './deletions.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

const readLocations = createPayloadReader(LocationPayload)

/**
 * Topics LOCATIONS_CREATE, LOCATIONS_UPDATE, LOCATIONS_ACTIVATE and LOCATIONS_DEACTIVATE: their payloads have the whole location. The
 * platform shows the levels of an activated location again without a webhook for them, so a job reads the levels.
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
  const isActivated = (await listActiveLocations(tx, shopId)).some((gid) => !before.has(gid))
  if (isActivated) {
    await enqueue(tx, jobs.reconcileStock, { shopId }, { key: jobKey(jobs.reconcileStock, shopId) })
  }
  return [...rejected, ...readable.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}

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

/** Retires deleted locations. */
export async function applyLocationDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { deleted, rejected } = readDeleted(namespace, 'Location', deliveries)
  const known = new Set(await retireDeletedLocations(tx, shopId, deleted))
  const settled = deleted.map(
    ({ id, gid }): Settlement =>
      known.has(gid)
        ? { id, state: 'applied', reason: '' }
        : { id, state: 'ignored', reason: 'The location is not known.' },
  )
  return [...rejected, ...settled]
}
