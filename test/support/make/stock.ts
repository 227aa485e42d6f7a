import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { applyReading } from '../../../shared/domain/documents/stock-counts/apply-reading.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { moveStock } from '../../../shared/domain/ledgers/stock/move.ts'
import { applyPlatformLevels } from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { beginReading } from '../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import type { StockCount, StockCountInput } from '../../../shared/schemas/stock-counts.ts'
import type { StockTransfer, StockTransferInput } from '../../../shared/schemas/stock-transfers.ts'
import type { Person } from '../core/people.ts'
import { gidOf, product, variant } from './catalogue.ts'

export const variantGid = (number: number | bigint) => gidOf('ProductVariant', String(number))
export const locationGid = (number: number) => gidOf('Location', number)

type Shop = Pick<Person, 'shopId'>

/**
 * Makes variants and locations, numbered from 1, with `available` units of each variant at each location, as the
 * platform reports them. Variant n belongs to product n, so that order lines may use `line(n)`.
 */
export async function makeStock(
  db: Db,
  { shopId }: Shop,
  {
    variants = 1,
    locations = 1,
    available = 10,
  }: { variants?: number; locations?: number; available?: number } = {},
): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  await db.transaction(async (tx) => {
    await upsertProducts(
      tx,
      shopId,
      numbers(variants).map((number) => product(number, [variant(number)])),
    )
    await upsertLocations(
      tx,
      shopId,
      numbers(locations).map((number) => ({
        gid: locationGid(number),
        name: `Place ${number}`,
        isActive: true,
        isPrimary: number === 1,
      })),
    )
    const places = await tx.any(sql.type(row(Place))`
      select v.id as variant_id, w.id as location_id
      from variant v
      join location w on w.shop_id = v.shop_id
      where v.shop_id = ${shopId}
    `)
    await applyPlatformLevels(
      tx,
      shopId,
      places.map((place) => ({
        ...place,
        available,
        updatedAt: '2026-11-01T00:00:00Z',
        states: { committed: 0, unavailable: 0, readAt: '2026-11-01T00:00:00.000Z' },
      })),
    )
  })
}

const Reported = Type.Object({
  variantId: Type.Integer(),
  locationId: Type.Integer(),
  available: Type.Integer(),
  updatedAt: Type.Union([Type.String(), Type.Null()]),
})

/** Stores a reading of all levels as the platform last reported them, with these states. Returns its time. */
export async function readLevels(
  db: Db,
  { shopId }: Shop,
  { committed = 0, unavailable = 0 }: { committed?: number; unavailable?: number } = {},
): Promise<string> {
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} order by id
  `)
  const { readAt, requests, hasDraftCounts } = await beginReading(db, shopId, ids)
  const stored = await db.any(sql.type(row(Reported))`
    select variant_id, location_id, platform_quantity as available, platform_updated_at as updated_at
    from stock_level
    where shop_id = ${shopId}
  `)
  const states = { committed, unavailable, readAt }
  const levels = stored.flatMap(({ updatedAt, ...level }) =>
    updatedAt === null ? [] : [{ ...level, updatedAt, states }],
  )
  const unlisted = stored.filter(({ updatedAt }) => updatedAt === null)
  // pages as the worker reads them
  for (let at = 0; at < ids.length; at += 100) {
    const variantIds = ids.slice(at, at + 100)
    const isOnPage = ({ variantId }: { variantId: number }) => variantIds.includes(variantId)
    const page = { levels: levels.filter(isOnPage), unlisted: unlisted.filter(isOnPage) }
    await db.transaction((tx) =>
      applyReading(tx, shopId, { readAt, requests, hasDraftCounts, variantIds, ...page }),
    )
  }
  return readAt
}

/** Makes a location inactive. */
export async function closeLocation(db: Db, { shopId }: Shop, number: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update location set is_active = false where shop_id = ${shopId} and gid = ${locationGid(number)}
  `)
}

/** Marks a variant as tracked (counted), untracked or deleted on the platform. */
export async function markVariant(
  db: Db,
  { shopId }: Shop,
  number: number,
  how: 'counted' | 'untracked' | 'deleted',
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update variant
    set is_tracked = ${how !== 'untracked'}, deleted_at = case when ${how === 'deleted'} then now() end
    where shop_id = ${shopId} and gid = ${variantGid(number)}
  `)
}

/** Gives variants one inventory item of the platform. */
export async function shareItem(db: Db, { shopId }: Shop, numbers: readonly number[]): Promise<void> {
  const gids = sql.array(numbers.map(variantGid), 'text')
  await db.query(sql.typeAlias('void')`
    update variant
    set inventory_item_gid = (
      select min(inventory_item_gid) from variant where shop_id = ${shopId} and gid = any(${gids})
    )
    where shop_id = ${shopId} and gid = any(${gids})
  `)
}

/** Reduces the stock of a variant at a location. */
export async function takeStock(
  db: Db,
  { shopId }: Shop,
  { variant, location, quantity }: { variant: number; location: number; quantity: number },
): Promise<void> {
  const place = await db.one(sql.type(row(Place))`
    select v.id as variant_id, w.id as location_id
    from variant v
    join location w on w.shop_id = v.shop_id
    where v.shop_id = ${shopId} and v.gid = ${variantGid(variant)} and w.gid = ${locationGid(location)}
  `)
  const change = { kind: 'delta', form: 'adjust', reference: '', actor: 'someone' } as const
  await db.transaction((tx) => moveStock(tx, shopId, change, [{ ...place, delta: -quantity }]))
}

const Place = Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })
const Level = Type.Object({
  levelKey: Type.String(),
  quantity: Type.Integer(),
  platformQuantity: Type.Integer(),
})

/** The levels of a shop by variant and location, as in `1/2`: our quantity and the platform's last quantity. */
export async function levelsOf(db: Db, { shopId }: Shop): Promise<Record<string, [number, number]>> {
  const levels = await db.any(sql.type(row(Level))`
    select substring(v.gid from '\\d+$') || '/' || substring(w.gid from '\\d+$') as level_key, l.quantity,
      l.platform_quantity
    from stock_level l
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
    join location w on w.shop_id = l.shop_id and w.id = l.location_id
    where l.shop_id = ${shopId}
    order by v.id, w.id
  `)
  return Object.fromEntries(
    levels.map(({ levelKey, quantity, platformQuantity }) => [levelKey, [quantity, platformQuantity]]),
  )
}

const Movement = Type.Object({
  levelKey: Type.String(),
  kind: Type.String(),
  delta: Type.Integer(),
  reason: Type.String(),
  reference: Type.String(),
  actor: Type.String(),
})

/** The movements of a shop, oldest first, without those of `makeStock`. */
export function movementsOf(db: Db, { shopId }: Shop) {
  return db.any(sql.type(row(Movement))`
    select substring(v.gid from '\\d+$') || '/' || substring(w.gid from '\\d+$') as level_key, m.kind, m.delta, m.reason,
      m.reference, m.actor
    from stock_movement m
    join variant v on v.shop_id = m.shop_id and v.id = m.variant_id
    join location w on w.shop_id = m.shop_id and w.id = m.location_id
    where m.shop_id = ${shopId} and not (m.kind = 'platform' and m.occurred_at = '2026-11-01T00:00:00Z')
    order by m.id
  `)
}

const Gap = Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })

/**
 * Checks the ledger:
 * 1. every level is the sum of its movements;
 * 2. each movement starts at the quantity where the previous one ended;
 * 3. the difference to the platform's quantity is the sum of the pending pushes.
 */
export async function expectLedger(t: Test, db: Db, { shopId }: Shop): Promise<void> {
  const unequal = await db.any(sql.type(row(Gap))`
    select l.variant_id, l.location_id
    from stock_level l
    where l.shop_id = ${shopId} and l.quantity <> (
      select coalesce(sum(m.delta), 0)
      from stock_movement m
      where m.shop_id = l.shop_id and m.variant_id = l.variant_id and m.location_id = l.location_id
    )
  `)
  t.strictSame(unequal, [], 'every level is the sum of its movements')
  const broken = await db.any(sql.type(row(Gap))`
    select variant_id, location_id
    from (
      select variant_id, location_id, previous_quantity,
        coalesce(lag(new_quantity) over (partition by variant_id, location_id order by id), 0) as ended
      from stock_movement
      where shop_id = ${shopId}
    ) m
    where previous_quantity <> ended
  `)
  t.strictSame(broken, [], 'each movement starts where the previous one ended')
  const unaccounted = await db.any(sql.type(row(Gap))`
    select l.variant_id, l.location_id
    from stock_level l
    where l.shop_id = ${shopId} and l.quantity - l.platform_quantity <> (
      select coalesce(sum(x.delta), 0)
      from stock_push_line x
      join stock_push p on p.shop_id = x.shop_id and p.id = x.push_id
      where x.shop_id = l.shop_id and x.variant_id = l.variant_id and x.location_id = l.location_id
        and p.state in ('queued', 'sending', 'failed')
    )
  `)
  t.strictSame(unaccounted, [], 'the difference to the platform is the sum of the pending pushes')
}

const PushLine = Type.Object({
  push: Type.Integer(),
  form: Type.String(),
  reason: Type.String(),
  reference: Type.String(),
  state: Type.String(),
  levelKey: Type.String(),
  delta: Type.Integer(),
})

/** The lines of the shop's pushes, oldest first. */
export async function pushLinesOf(db: Db, { shopId }: Shop) {
  const lines = await db.any(sql.type(row(PushLine))`
    select p.id as push, p.form, p.reason, p.reference, p.state,
      substring(v.gid from '\\d+$') || '/' || substring(w.gid from '\\d+$') as level_key, x.delta
    from stock_push_line x
    join stock_push p on p.shop_id = x.shop_id and p.id = x.push_id
    join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
    join location w on w.shop_id = x.shop_id and w.id = x.location_id
    where x.shop_id = ${shopId}
    order by p.id, v.id, w.id
  `)
  return lines.map(({ push: _push, ...line }) => line)
}

/** A transfer item of variant n. */
export const item = (number: number, quantity: number) => ({ variantId: variantGid(number), quantity })

/** A valid transfer from location 1 to location 2 (`makeStock` makes both). Tests change single fields. */
export const transfer = (fields: Partial<StockTransferInput> = {}): StockTransferInput => ({
  sourceLocationId: locationGid(1),
  destinationLocationId: locationGid(2),
  items: [item(1, 1)],
  ...fields,
})

export async function makeTransfer(
  person: Person,
  fields: Partial<StockTransferInput> = {},
): Promise<number> {
  const response = await person.post('/api/stock-transfers', transfer(fields))
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

/** Ships it whatever the stock is. */
export async function makeShippedTransfer(
  person: Person,
  fields: Partial<StockTransferInput> = {},
): Promise<{ id: number; eventId: number }> {
  const id = await makeTransfer(person, fields)
  const response = await person.post(`/api/stock-transfers/${id}/ship`, { allowNegative: true })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export async function readTransfer(person: Person, id: number): Promise<StockTransfer> {
  const response = await person.get(`/api/stock-transfers/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** A count item of variant n; null when it is not counted yet. */
export const counted = (number: number, countedQuantity: number | null) => ({
  variantId: variantGid(number),
  countedQuantity,
})

/** Starts a count of location 1 (`makeStock` makes it), without items by default. */
export async function makeCount(person: Person, fields: Partial<StockCountInput> = {}): Promise<number> {
  const response = await person.post('/api/stock-counts', {
    locationId: locationGid(1),
    items: [],
    ...fields,
  })
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

export async function readCount(person: Person, id: number): Promise<StockCount> {
  const response = await person.get(`/api/stock-counts/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export async function setPrimaryCountry(db: Db, { shopId }: Shop, code: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update location set country_code = ${code} where shop_id = ${shopId} and is_primary
  `)
}
