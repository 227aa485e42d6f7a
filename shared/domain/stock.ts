import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { Id } from '../schemas/common.ts'

/*
 * The only writer of stock_level and stock_movement. A level holds two numbers: `quantity`, which we show, and
 * `platform_quantity`, which the platform last said. What lies between them is on its way to the platform and
 * survives its news. Whoever writes locks variants by id (as the catalogue does), then levels in the order (variant,
 * location), so two writers never deadlock.
 */

/** What the platform says of one level. `available` is null when it does not count the variant. */
export type PlatformLevel = {
  variantId: number
  locationId: number
  available: number | null
  /** When it became so, an ISO instant: what is older than the last news is dropped. */
  updatedAt: string
}

/** `doubtful` are variants of which two numbers were told for the same instant: only the platform knows the last. */
export type LevelChanges = { changed: number; doubtful: number[] }

const Changes = Type.Object({ changed: Type.Integer(), doubtful: Type.Array(Id) })

/**
 * Takes over what the platform says, the newest of each level, and writes a movement for every difference that
 * nothing of ours explains. May be told the same twice, and in any order.
 */
export async function applyPlatformLevels(
  tx: Db,
  shopId: number,
  levels: readonly PlatformLevel[],
): Promise<LevelChanges> {
  const { newest, doubtful } = newestOfEach(levels)
  const rows = [...newest.values()].map(({ variantId, locationId, available, updatedAt }) => [
    variantId,
    locationId,
    available,
    updatedAt,
  ])
  if (rows.length === 0) return { changed: 0, doubtful: [] }
  const news = sql.fragment`
    ${sql.unnest(rows, ['int8', 'int8', 'int4', 'timestamptz'])}
      as news (variant_id, location_id, available, updated_at)
  `
  const variantIds = sql.array([...new Set(levels.map(({ variantId }) => variantId))], 'int8')
  await tx.query(sql.typeAlias('void')`
    select id from variant where shop_id = ${shopId} and id = any(${variantIds}) order by id for no key update
  `)
  await tx.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id)
    select ${shopId}::bigint, variant_id, location_id
    from ${news}
    order by variant_id, location_id
    on conflict do nothing
  `)
  await tx.query(sql.typeAlias('void')`
    select l.variant_id
    from stock_level l
    join ${news} on news.variant_id = l.variant_id and news.location_id = l.location_id
    where l.shop_id = ${shopId}
    order by l.variant_id, l.location_id
    for no key update of l
  `)
  const changes = await tx.one(sql.type(row(Changes))`
    with fresh as (
      select l.variant_id, l.location_id, l.quantity as previous, news.updated_at,
        news.available is not null as is_tracked,
        l.platform_updated_at = news.updated_at and l.platform_quantity <> coalesce(news.available, 0) as is_doubtful,
        coalesce(news.available, 0) as told,
        coalesce(news.available, 0) + l.quantity - l.platform_quantity as quantity
      from stock_level l
      join ${news} on news.variant_id = l.variant_id and news.location_id = l.location_id
      where l.shop_id = ${shopId} and (l.platform_updated_at is null or l.platform_updated_at <= news.updated_at)
    ),
    tracked as (
      update variant v
      set is_tracked = newest.is_tracked, updated_at = now()
      from (
        select distinct on (variant_id) variant_id, is_tracked from fresh order by variant_id, updated_at desc
      ) newest
      where v.shop_id = ${shopId} and v.id = newest.variant_id and v.is_tracked <> newest.is_tracked
    ),
    changed as (
      update stock_level l
      set quantity = fresh.quantity, platform_quantity = fresh.told, platform_updated_at = fresh.updated_at,
        updated_at = case when l.quantity = fresh.quantity then l.updated_at else now() end
      from fresh
      where l.shop_id = ${shopId} and l.variant_id = fresh.variant_id and l.location_id = fresh.location_id
    ),
    moved as (
      insert into stock_movement (
        shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
      )
      select ${shopId}, variant_id, location_id, previous, quantity, 'platform', updated_at
      from fresh
      where previous <> quantity
      order by variant_id, location_id
      returning id
    )
    select (select count(*) from moved) as changed,
      (select coalesce(jsonb_agg(distinct variant_id), '[]') from fresh where is_doubtful) as doubtful
  `)
  return { ...changes, doubtful: [...new Set([...doubtful, ...changes.doubtful])] }
}

function newestOfEach(levels: readonly PlatformLevel[]) {
  const newest = new Map<string, PlatformLevel>()
  const doubtful = new Set<number>()
  for (const level of levels) {
    const key = `${level.variantId}/${level.locationId}`
    const known = newest.get(key)
    const isNewer = !known || Date.parse(known.updatedAt) <= Date.parse(level.updatedAt)
    const isTie = known && Date.parse(known.updatedAt) === Date.parse(level.updatedAt)
    if (isTie && known.available !== level.available) doubtful.add(level.variantId)
    if (isNewer) newest.set(key, level)
  }
  return { newest, doubtful }
}
