import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { Id } from '../schemas/common.ts'
import { Location } from '../schemas/locations.ts'

/** Where a shop keeps its stock, as the platform tells it. */
export type PlatformLocation = { gid: string; name: string; isActive: boolean; isPrimary: boolean }

const KnownLocation = Type.Object({ id: Id, gid: Type.String() })

/** All of the shop's locations, the primary one first, then by name. */
export function listLocations(db: Db, shopId: number): Promise<readonly Location[]> {
  return db.any(sql.type(row(Location))`
    select gid as location_id, name, is_active, is_primary
    from location
    where shop_id = ${shopId}
    order by is_primary desc, is_active desc, lower(name), id
  `)
}

/** Our ids of the platform's locations. */
export async function findLocationIds(db: Db, shopId: number): Promise<ReadonlyMap<string, number>> {
  const locations = await db.any(sql.type(row(KnownLocation))`
    select id, gid from location where shop_id = ${shopId}
  `)
  return new Map(locations.map(({ id, gid }) => [gid, id]))
}

/**
 * Takes over locations as the platform tells them; those that are not told stay as they are. Afterwards exactly one
 * is the primary one: the one that is told as such, else the one that was, else the oldest active one.
 */
export async function upsertLocations(
  tx: Db,
  shopId: number,
  locations: readonly PlatformLocation[],
): Promise<void> {
  const rows = [...new Map(locations.map((location) => [location.gid, location])).values()]
  if (rows.length === 0) return
  await lockLocations(tx, shopId)
  const values = rows.map(({ gid, name, isActive }) => [gid, name.replaceAll('\u0000', ''), isActive])
  await tx.query(sql.typeAlias('void')`
    insert into location (shop_id, gid, name, is_active)
    select ${shopId}::bigint, gid, name, is_active
    from ${sql.unnest(values, ['text', 'text', 'bool'])} as told (gid, name, is_active)
    order by gid
    on conflict (shop_id, gid) do update
    set name = excluded.name, is_active = excluded.is_active, updated_at = now()
  `)
  await settlePrimary(tx, shopId, rows.find(({ isPrimary }) => isPrimary)?.gid ?? null)
}

/** A shop's locations that were told before this instant and not since have been removed there. */
export async function retireLocations(tx: Db, shopId: number, toldBefore: string): Promise<void> {
  await lockLocations(tx, shopId)
  await tx.query(sql.typeAlias('void')`
    update location
    set is_active = false, updated_at = now()
    where shop_id = ${shopId} and is_active and updated_at < ${toldBefore}::timestamptz
  `)
  await settlePrimary(tx, shopId, null)
}

/** One writer at a time, also while there is no location yet: of two, the second sees what the first has chosen. */
async function lockLocations(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('location', ${shopId}::bigint))
  `)
}

async function settlePrimary(tx: Db, shopId: number, told: string | null): Promise<void> {
  const chosen = await tx.maybeOne(sql.typeAlias('id')`
    select id
    from location
    where shop_id = ${shopId}
    order by coalesce(gid = ${told}, false) desc, is_primary and is_active desc, is_active desc, is_primary desc, id
    limit 1
  `)
  if (!chosen) return
  await tx.query(sql.typeAlias('void')`
    update location set is_primary = false where shop_id = ${shopId} and is_primary and id <> ${chosen.id}
  `)
  await tx.query(sql.typeAlias('void')`
    update location set is_primary = true where shop_id = ${shopId} and id = ${chosen.id} and not is_primary
  `)
}
