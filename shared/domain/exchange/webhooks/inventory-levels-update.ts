import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { makeGid } from '../../../platform/gid.ts'
import { Id } from '../../../schemas/common.ts'
import { InventoryLevelPayload } from '../../../schemas/webhooks.ts'
import { applyPlatformLevels, type PlatformLevel } from '../../ledgers/stock/platform/platform-updates.ts'
import { enqueueReadLevels } from '../../ledgers/stock/platform/read-requests.ts'
import { recheckLevels } from '../../ledgers/stock/platform/recheck.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readLevels = createPayloadReader(InventoryLevelPayload)

type ReportedLevel = ReadDelivery<InventoryLevelPayload> & { itemGid: string; locationGid: string }

/** Deliveries of unknown items or locations are not settled: a job fetches those from the platform first. */
export async function applyInventoryLevels(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  return (await applyKnown(tx, shopId, namespace, deliveries)).settlements
}

/** After the fetch: deliveries of items or locations that are still unknown are ignored. */
export async function applyFetchedLevels(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { settlements, unknown } = await applyKnown(tx, shopId, namespace, deliveries)
  const reason = 'The item or the location no longer exists on the platform.'
  return [...settlements, ...unknown.map(({ id }): Settlement => ({ id, state: 'ignored', reason }))]
}

/** The platform ids of the inventory items and locations in the deliveries. */
export function platformIdsIn(namespace: string, deliveries: readonly WebhookDelivery[]): string[] {
  const reported = withPlatformIds(namespace, readLevels(deliveries).readable)
  return [...new Set(reported.flatMap(({ itemGid, locationGid }) => [itemGid, locationGid]))]
}

async function applyKnown(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<{ settlements: Settlement[]; unknown: ReportedLevel[] }> {
  const { readable, rejected } = readLevels(deliveries)
  const reported = withPlatformIds(namespace, readable)
  const { levelsOf, isKnown } = await resolveLevels(tx, shopId, reported)
  const known = reported.filter(isKnown)
  const { ambiguousVariantIds, dueVariantIds } = await applyPlatformLevels(
    tx,
    shopId,
    known.flatMap(levelsOf),
  )
  await recheckLevels(tx, shopId, ambiguousVariantIds)
  await enqueueReadLevels(tx, shopId, dueVariantIds)
  const applied = known.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))
  return { settlements: [...rejected, ...applied], unknown: reported.filter((level) => !isKnown(level)) }
}

const withPlatformIds = (
  namespace: string,
  deliveries: readonly ReadDelivery<InventoryLevelPayload>[],
): ReportedLevel[] =>
  deliveries.map((delivery) => ({
    ...delivery,
    itemGid: makeGid(namespace, 'InventoryItem', String(delivery.payload.inventory_item_id)),
    locationGid: makeGid(namespace, 'Location', String(delivery.payload.location_id)),
  }))

const Item = Type.Object({ id: Id, gid: Type.String() })
type Item = Static<typeof Item>

/** Several variants may have the same inventory item. */
async function resolveLevels(tx: Db, shopId: number, reported: readonly ReportedLevel[]) {
  const itemGids = [...new Set(reported.map(({ itemGid }) => itemGid))]
  const locationGids = [...new Set(reported.map(({ locationGid }) => locationGid))]
  const variants = await tx.any(sql.type(row(Item))`
    select id, inventory_item_gid as gid
    from variant
    where shop_id = ${shopId} and inventory_item_gid = any(${sql.array(itemGids, 'text')})
  `)
  const locations = await tx.any(sql.type(row(Item))`
    select id, gid from location where shop_id = ${shopId} and gid = any(${sql.array(locationGids, 'text')})
  `)
  const variantsOf = Map.groupBy(variants, ({ gid }) => gid)
  const locationOf = new Map(locations.map(({ id, gid }) => [gid, id]))

  return {
    isKnown: ({ itemGid, locationGid }: ReportedLevel) =>
      variantsOf.has(itemGid) && locationOf.has(locationGid),
    levelsOf: ({ itemGid, locationGid, payload, happenedAt }: ReportedLevel): PlatformLevel[] =>
      (variantsOf.get(itemGid) ?? []).map(({ id }: Item) => ({
        variantId: id,
        locationId: locationOf.get(locationGid) ?? 0,
        available: payload.available,
        updatedAt: payload.updated_at ?? happenedAt,
      })),
  }
}
