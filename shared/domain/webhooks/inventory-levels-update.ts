import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { makeGid } from '../../platform/gid.ts'
import { Id } from '../../schemas/common.ts'
import { InventoryLevelPayload } from '../../schemas/webhooks.ts'
import { applyPlatformLevels, type PlatformLevel } from '../stock/platform-updates.ts'
import { recheckLevels } from '../stock/recheck.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readLevels = createPayloadReader(InventoryLevelPayload)

/** A level as the platform names it. */
type NamedLevel = ReadDelivery<InventoryLevelPayload> & { itemGid: string; locationGid: string }

/**
 * Takes over the stock that the platform tells of (specification, topic INVENTORY_LEVELS_UPDATE), as far as item and
 * location are known: the platform has to be asked for the others before they can be applied.
 */
export async function applyInventoryLevels(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  return (await applyKnown(tx, shopId, namespace, deliveries)).settlements
}

/** The same after the platform was asked: what is still unknown is not there any more. */
export async function applyFetchedLevels(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { settlements, unknown } = await applyKnown(tx, shopId, namespace, deliveries)
  const reason = 'The platform does not know this item or this location any more.'
  return [...settlements, ...unknown.map(({ id }): Settlement => ({ id, state: 'ignored', reason }))]
}

/** The platform's ids of what some deliveries name. */
export function namedIn(namespace: string, deliveries: readonly WebhookDelivery[]): string[] {
  const named = nameLevels(namespace, readLevels(deliveries).readable)
  return [...new Set(named.flatMap(({ itemGid, locationGid }) => [itemGid, locationGid]))]
}

async function applyKnown(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<{ settlements: Settlement[]; unknown: NamedLevel[] }> {
  const { readable, rejected } = readLevels(deliveries)
  const named = nameLevels(namespace, readable)
  const { levelsOf, isKnown } = await resolveLevels(tx, shopId, named)
  const known = named.filter(isKnown)
  const { doubtful } = await applyPlatformLevels(tx, shopId, known.flatMap(levelsOf))
  await recheckLevels(tx, shopId, doubtful)
  const applied = known.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))
  return { settlements: [...rejected, ...applied], unknown: named.filter((level) => !isKnown(level)) }
}

const nameLevels = (
  namespace: string,
  deliveries: readonly ReadDelivery<InventoryLevelPayload>[],
): NamedLevel[] =>
  deliveries.map((delivery) => ({
    ...delivery,
    itemGid: makeGid(namespace, 'InventoryItem', String(delivery.payload.inventory_item_id)),
    locationGid: makeGid(namespace, 'Location', String(delivery.payload.location_id)),
  }))

const Item = Type.Object({ id: Id, gid: Type.String() })
type Item = Static<typeof Item>

/** One inventory item may be that of several variants. */
async function resolveLevels(tx: Db, shopId: number, named: readonly NamedLevel[]) {
  const itemGids = [...new Set(named.map(({ itemGid }) => itemGid))]
  const locationGids = [...new Set(named.map(({ locationGid }) => locationGid))]
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
    isKnown: ({ itemGid, locationGid }: NamedLevel) => variantsOf.has(itemGid) && locationOf.has(locationGid),
    levelsOf: ({ itemGid, locationGid, payload, happenedAt }: NamedLevel): PlatformLevel[] =>
      (variantsOf.get(itemGid) ?? []).map(({ id }: Item) => ({
        variantId: id,
        locationId: locationOf.get(locationGid) ?? 0,
        available: payload.available,
        updatedAt: payload.updated_at ?? happenedAt,
      })),
  }
}
