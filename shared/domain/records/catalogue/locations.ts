import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import { Location, type LocationAddress } from '../../../schemas/locations.ts'
import { compareInstants, newestBy } from '../../kit/newest-by.ts'
import { addressLines, addressOf } from './address.ts'

/**
 * The platform's address may lack parts. Without an address, the stored one stays. `updatedAt`: when the platform changed
 * the location, ISO 8601; without it, the report counts as the newest.
 */
export type PlatformLocation = {
  gid: string
  name: string
  isActive: boolean
  isPrimary: boolean
  updatedAt?: string | null
  address?: { [part in keyof LocationAddress]?: string | null }
}

const KnownLocation = Type.Object({ id: Id, gid: Type.String() })
const StoredLocation = Type.Omit(Location, ['addressLines'])

export async function listLocations(db: Db, shopId: number): Promise<readonly Location[]> {
  const locations = await db.any(sql.type(row(StoredLocation))`
    select w.gid as location_id, w.name, w.is_active, w.is_primary, ${addressOf('w')} as address
    from location w
    where w.shop_id = ${shopId}
    order by w.is_primary desc, w.is_active desc, lower(w.name), w.id
  `)
  return locations.map((location) => ({ ...location, addressLines: addressLines(location.address) }))
}

export async function findLocationIds(db: Db, shopId: number): Promise<ReadonlyMap<string, number>> {
  const locations = await db.any(sql.type(row(KnownLocation))`
    select id, gid from location where shop_id = ${shopId}
  `)
  return new Map(locations.map(({ id, gid }) => [gid, id]))
}

/** SQL: the row id of a location by its platform id; null for one that is not of the shop. */
export const locationIdOf = (shopId: number, gid: string) =>
  sql.fragment`(select id from location where shop_id = ${shopId} and gid = ${gid})`

export function listActiveLocations(db: Db, shopId: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(row(Type.Object({ gid: Type.String() })))`
    select gid from location where shop_id = ${shopId} and is_active
  `)
}

/**
 * Stores the reported locations, unless the stored ones are newer or their deletion is; others do not change. A newer stored one counts as
 * reported, so the sync does not retire it. Exactly one is primary afterwards, the first that exists of: the merchant's active choice;
 * the platform's primary in this call; its previous one, if active; the oldest active one.
 */
export async function upsertLocations(
  tx: Db,
  shopId: number,
  locations: readonly PlatformLocation[],
): Promise<void> {
  const newest = newestBy(
    locations,
    ({ gid }) => gid,
    (a, b) => compareInstants(a.updatedAt, b.updatedAt),
  )
  const rows = [...newest.values()]
  if (rows.length === 0) return
  await lockLocations(tx, shopId)
  const values = rows.map(({ gid, name, isActive, updatedAt, address }) => [
    ...[gid, storable(name), isActive, updatedAt ?? null],
    ...addressParts.map((part) => (address ? storable(address[part] ?? '') : null)),
  ])
  await tx.query(sql.typeAlias('void')`
    insert into location (
      shop_id, gid, name, is_active, source_updated_at, address1, address2, city, province, zip, country, country_code,
      phone
    )
    select ${shopId}::bigint, r.gid, r.name, r.is_active, r.updated_at,
      coalesce(r.address1, w.address1, ''), coalesce(r.address2, w.address2, ''), coalesce(r.city, w.city, ''),
      coalesce(r.province, w.province, ''), coalesce(r.zip, w.zip, ''), coalesce(r.country, w.country, ''),
      coalesce(r.country_code, w.country_code, ''), coalesce(r.phone, w.phone, '')
    from ${sql.unnest(values, ['text', 'text', 'bool', 'timestamptz', ...addressParts.map(() => 'text' as const)])} as r (
      gid, name, is_active, updated_at, address1, address2, city, province, zip, country, country_code, phone
    )
    left join location w on w.shop_id = ${shopId} and w.gid = r.gid
    where not exists (
      select from location_deletion d
      where d.shop_id = ${shopId} and d.gid = r.gid and d.deleted_at > r.updated_at
    )
    order by r.gid
    on conflict (shop_id, gid) do update
    set name = excluded.name, is_active = excluded.is_active, address1 = excluded.address1,
      address2 = excluded.address2, city = excluded.city, province = excluded.province, zip = excluded.zip,
      country = excluded.country, country_code = excluded.country_code, phone = excluded.phone,
      source_updated_at = coalesce(excluded.source_updated_at, location.source_updated_at),
      updated_at = excluded.updated_at
    where location.source_updated_at is null or excluded.source_updated_at is null
      or location.source_updated_at <= excluded.source_updated_at
  `)
  const gids = arrayOf('text', rows, ({ gid }) => gid)
  await tx.query(sql.typeAlias('void')`
    update location set updated_at = now()
    where shop_id = ${shopId} and gid = any(${gids}) and is_active and updated_at < now()
  `)
  await choosePrimary(tx, shopId, rows.find(({ isPrimary }) => isPrimary)?.gid ?? null)
}

const addressParts = [
  'address1',
  'address2',
  'city',
  'province',
  'zip',
  'country',
  'countryCode',
  'phone',
] as const satisfies (keyof LocationAddress)[]

/** Postgres stores no text with a null character. */
const storable = (text: string) => text.replaceAll('\u0000', '')

/**
 * Deactivates deleted locations, since documents may name them; later reports that are older have no effect, also of a location that
 * is not known yet. Returns the ids of those that the shop has.
 */
export async function retireDeletedLocations(
  tx: Db,
  shopId: number,
  deleted: readonly { gid: string; deletedAt: string }[],
): Promise<readonly string[]> {
  await lockLocations(tx, shopId)
  const rows = [...new Map(deleted.map(({ gid, deletedAt }) => [gid, deletedAt]))]
  const gids = await tx.anyFirst(sql.type(row(Type.Object({ gid: Type.String() })))`
    update location w
    set is_active = false, source_updated_at = greatest(w.source_updated_at, d.deleted_at), updated_at = now()
    from ${sql.unnest(rows, ['text', 'timestamptz'])} as d (gid, deleted_at)
    where w.shop_id = ${shopId} and w.gid = d.gid
    returning w.gid
  `)
  await rememberDeletions(
    tx,
    shopId,
    rows.filter(([gid]) => !gids.includes(gid)),
  )
  await choosePrimary(tx, shopId, null)
  return gids
}

/** Not as rows of `location`: all that lists locations, or chooses one, would have to leave them out. */
async function rememberDeletions(
  tx: Db,
  shopId: number,
  rows: readonly (readonly [gid: string, deletedAt: string])[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into location_deletion (shop_id, gid, deleted_at)
    select ${shopId}::bigint, gid, deleted_at
    from ${sql.unnest(rows, ['text', 'timestamptz'])} as deleted (gid, deleted_at)
    order by gid
    on conflict (shop_id, gid) do update
    set deleted_at = greatest(location_deletion.deleted_at, excluded.deleted_at)
  `)
}

/** Deactivates the locations that the platform has not reported since `since` (ISO instant): it has deleted them. */
export async function retireLocations(tx: Db, shopId: number, since: string): Promise<void> {
  await lockLocations(tx, shopId)
  await tx.query(sql.typeAlias('void')`
    update location
    set is_active = false, updated_at = now()
    where shop_id = ${shopId} and is_active and updated_at < ${since}::timestamptz
  `)
  await choosePrimary(tx, shopId, null)
}

/** Null removes the merchant's choice. Throws unknown_location when the shop has no such active location. */
export async function chooseLocation(tx: Db, shopId: number, gid: string | null): Promise<void> {
  await lockLocations(tx, shopId)
  await tx.query(sql.typeAlias('void')`
    update location set is_chosen = false where shop_id = ${shopId} and is_chosen
  `)
  if (gid !== null) {
    const chosen = await tx.maybeOne(sql.typeAlias('id')`
      update location set is_chosen = true where shop_id = ${shopId} and gid = ${gid} and is_active
      returning id
    `)
    if (!chosen) {
      const fault = { path: '/defaultLocationId', message: 'is not a location of this shop that is in use' }
      throw unprocessable('unknown_location', 'Choose a location that is in use.', [fault])
    }
  }
  await choosePrimary(tx, shopId, null)
}

/** Serializes writers, so that each sees the primary location of the one before. Row locks fail without any row. */
async function lockLocations(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('location', ${shopId}::bigint))
  `)
}

/** `reportedGid` is the location that the platform has just reported as primary, if it has. */
async function choosePrimary(tx: Db, shopId: number, reportedGid: string | null): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with platform as (
      select id
      from location
      where shop_id = ${shopId}
      order by coalesce(gid = ${reportedGid}, false) desc, is_platform_primary and is_active desc, is_active desc,
        is_platform_primary desc, id
      limit 1
    )
    update location w
    set is_platform_primary = (w.id = platform.id)
    from platform
    where w.shop_id = ${shopId} and w.is_platform_primary <> (w.id = platform.id)
  `)
  const primary = await tx.maybeOne(sql.typeAlias('id')`
    select id
    from location
    where shop_id = ${shopId} and (is_platform_primary or (is_chosen and is_active))
    order by is_chosen and is_active desc
    limit 1
  `)
  if (!primary) return
  // Two statements, because a unique index never allows two primary locations.
  await tx.query(sql.typeAlias('void')`
    update location set is_primary = false where shop_id = ${shopId} and is_primary and id <> ${primary.id}
  `)
  await tx.query(sql.typeAlias('void')`
    update location set is_primary = true where shop_id = ${shopId} and id = ${primary.id} and not is_primary
  `)
}
