import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import { lockLevels } from './move.ts'

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
const LevelChanges = Type.Object({ changed: Type.Integer(), doubtful: Type.Array(Id) })

/**
 * Takes over what the platform says, the newest of each level, and writes a movement for every difference that
 * nothing of ours explains. May be told the same twice, and in any order. While a change of ours is under way to the
 * platform nobody knows whether the news holds it already: such news is kept until that is answered. What the
 * platform tells from before the second in which a number was counted is part of that number. The echo of a change of
 * ours is no news; another number for the second of our last change is not believed before the platform was asked,
 * which `isRead` says it was.
 */
export async function applyPlatformLevels(
  tx: Db,
  shopId: number,
  levels: readonly PlatformLevel[],
  { isRead = false }: { isRead?: boolean } = {},
): Promise<LevelChanges> {
  const { newest, doubtful } = newestOfEach(levels)
  if (newest.length === 0) return { changed: 0, doubtful: [] }
  const rows = newest.map(({ variantId, locationId, available, updatedAt }) => [
    variantId,
    locationId,
    available,
    updatedAt,
  ])
  const news = sql.fragment`
    ${sql.unnest(rows, ['int8', 'int8', 'int4', 'timestamptz'])}
      as news (variant_id, location_id, available, updated_at)
  `
  await lockLevels(tx, shopId, newest)
  const changes = await tx.one(sql.type(row(LevelChanges))`
    with told as (
      select l.variant_id, l.location_id, l.quantity as previous, l.platform_quantity as known, news.updated_at,
        coalesce(news.available, 0) as available, news.available is not null as is_tracked,
        not ${isRead} and l.platform_updated_at = news.updated_at
          and l.platform_quantity <> coalesce(news.available, 0) as is_doubtful,
        coalesce(push.is_under_way, false) as is_under_way, push.counting_id,
        not ${isRead} and l.answered_at = news.updated_at as is_of_answer,
        coalesce(news.available, 0) = any(l.answers) as is_answer
      from stock_level l
      join ${news} on news.variant_id = l.variant_id and news.location_id = l.location_id
      left join lateral (
        select bool_or(p.state = 'sending') as is_under_way,
          max(p.id) filter (where date_trunc('second', x.counted_at) > news.updated_at) as counting_id
        from stock_push_line x
        join stock_push p on p.shop_id = x.shop_id and p.id = x.push_id
        where x.shop_id = l.shop_id and x.variant_id = l.variant_id and x.location_id = l.location_id
          and p.state in ('queued', 'sending', 'failed')
      ) push on true
      where l.shop_id = ${shopId} and (l.platform_updated_at is null or l.platform_updated_at <= news.updated_at)
    ),
    fresh as (
      select *, case when counting_id is null then available + previous - known else previous end as quantity
      from told
      where not is_under_way and is_of_answer is not true
    ),
    echoed as (
      update stock_level l
      set answers = array_remove(l.answers, told.available)
      from told
      where l.shop_id = ${shopId} and l.variant_id = told.variant_id and l.location_id = told.location_id
        and told.is_of_answer and told.is_answer
    ),
    tracked as (
      update variant v
      set is_tracked = newest.is_tracked, updated_at = now()
      from (
        select distinct on (variant_id) variant_id, is_tracked from told order by variant_id, updated_at desc
      ) newest
      where v.shop_id = ${shopId} and v.id = newest.variant_id and v.is_tracked <> newest.is_tracked
    ),
    held as (
      update stock_level l
      set held_quantity = case when told.is_tracked then told.available end, held_at = told.updated_at
      from told
      where l.shop_id = ${shopId} and l.variant_id = told.variant_id and l.location_id = told.location_id
        and told.is_under_way and not coalesce(told.is_of_answer and told.is_answer, false)
        and (l.held_at is null or l.held_at <= told.updated_at)
    ),
    counted as (
      update stock_push_line x
      set delta = x.delta - (fresh.available - fresh.known)
      from fresh
      where x.shop_id = ${shopId} and x.push_id = fresh.counting_id
        and x.variant_id = fresh.variant_id and x.location_id = fresh.location_id
    ),
    changed as (
      update stock_level l
      set quantity = fresh.quantity, platform_quantity = fresh.available, platform_updated_at = fresh.updated_at,
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
      (
        select coalesce(jsonb_agg(distinct variant_id), '[]')
        from told
        where not is_under_way and is_doubtful and not coalesce(is_of_answer and is_answer, false)
      ) as doubtful
  `)
  await refreshRules(
    tx,
    shopId,
    newest.map(({ variantId }) => variantId),
  )
  return { ...changes, doubtful: [...new Set([...doubtful, ...changes.doubtful])] }
}

/**
 * Of several numbers for one level, the newest; of those told for one instant, the last. `doubtful` are the variants
 * of which two different numbers were told for one instant.
 */
function newestOfEach(levels: readonly PlatformLevel[]): {
  newest: PlatformLevel[]
  doubtful: Set<number>
} {
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
  return { newest: [...newest.values()], doubtful }
}
