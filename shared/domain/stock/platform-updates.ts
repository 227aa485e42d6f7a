import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import { lockLevels } from './move.ts'

/** A platform update: one level as the platform reports it. `available` is null when it does not track the variant. */
export type PlatformLevel = {
  variantId: number
  locationId: number
  available: number | null
  /** ISO instant at which the platform's level last changed. */
  updatedAt: string
}

/** `ambiguousVariantIds`: variants with two different quantities for one instant; the caller must recheck them. */
export type LevelChanges = { changed: number; ambiguousVariantIds: number[] }
const LevelChanges = Type.Object({ changed: Type.Integer(), ambiguousVariantIds: Type.Array(Id) })

/**
 * Applies platform updates, of several for one level only the newest. The outcome is the first row that fits:
 *   stale     older than the level's last platform update: dropped
 *   echo      time and quantity of the response to our push: dropped, and removed from `answers`
 *   deferred  a push of the level is `sending` and may include it: waits in `held_quantity` (`settle.ts`)
 *   unclear   time of that response, but another quantity: not applied; ambiguous if it differs from platform_quantity
 *   counted   before the second of a count whose push is not done: changes only platform_quantity, since the count
 *             includes it, so the delta of the push shrinks
 *   applied   all others: changes both numbers by the same, so the pending changes stay
 * A counted or applied update with the time of the last one, but another quantity, is ambiguous, too: times are whole
 * seconds. With `isRead` the levels come from a query: they are never an echo, unclear or ambiguous.
 * Guaranteed: repeated updates and updates in any order lead to the same levels, with movements of kind `platform`.
 */
export async function applyPlatformLevels(
  tx: Db,
  shopId: number,
  levels: readonly PlatformLevel[],
  { isRead = false }: { isRead?: boolean } = {},
): Promise<LevelChanges> {
  const { newest, ambiguousVariantIds } = newestOfEach(levels)
  if (newest.length === 0) return { changed: 0, ambiguousVariantIds: [] }
  const rows = newest.map(({ variantId, locationId, available, updatedAt }) => [
    variantId,
    locationId,
    available,
    updatedAt,
  ])
  const incoming = sql.fragment`
    ${sql.unnest(rows, ['int8', 'int8', 'int4', 'timestamptz'])}
      as incoming (variant_id, location_id, available, updated_at)
  `
  await lockLevels(tx, shopId, newest)
  const changes = await tx.one(sql.type(row(LevelChanges))`
    with not_stale as (
      select l.variant_id, l.location_id, l.quantity as previous, l.platform_quantity as reported, incoming.updated_at,
        coalesce(incoming.available, 0) as available, incoming.available is not null as is_tracked,
        not ${isRead} and l.platform_updated_at = incoming.updated_at
          and l.platform_quantity <> coalesce(incoming.available, 0) as is_ambiguous,
        coalesce(push.is_sending, false) as is_sending, push.count_push_id,
        not ${isRead} and l.answered_at = incoming.updated_at as has_answer_time,
        coalesce(incoming.available, 0) = any(l.answers) as has_answer_quantity
      from stock_level l
      join ${incoming} on incoming.variant_id = l.variant_id and incoming.location_id = l.location_id
      left join lateral (
        select bool_or(p.state = 'sending') as is_sending,
          max(p.id) filter (where date_trunc('second', x.counted_at) > incoming.updated_at) as count_push_id
        from stock_push_line x
        join stock_push p on p.shop_id = x.shop_id and p.id = x.push_id
        where x.shop_id = l.shop_id and x.variant_id = l.variant_id and x.location_id = l.location_id
          and p.state in ('queued', 'sending', 'failed')
      ) push on true
      where l.shop_id = ${shopId} and (l.platform_updated_at is null or l.platform_updated_at <= incoming.updated_at)
    ),
    applied as (
      select *, case when count_push_id is null then available + previous - reported else previous end as quantity
      from not_stale
      where not is_sending and has_answer_time is not true
    ),
    echoed as (
      update stock_level l
      set answers = array_remove(l.answers, echo.available)
      from not_stale echo
      where l.shop_id = ${shopId} and l.variant_id = echo.variant_id and l.location_id = echo.location_id
        and echo.has_answer_time and echo.has_answer_quantity
    ),
    tracked as (
      update variant v
      set is_tracked = newest.is_tracked, updated_at = now()
      from (
        select distinct on (variant_id) variant_id, is_tracked from not_stale order by variant_id, updated_at desc
      ) newest
      where v.shop_id = ${shopId} and v.id = newest.variant_id and v.is_tracked <> newest.is_tracked
    ),
    deferred as (
      update stock_level l
      set held_quantity = case when n.is_tracked then n.available end, held_at = n.updated_at
      from not_stale n
      where l.shop_id = ${shopId} and l.variant_id = n.variant_id and l.location_id = n.location_id
        and n.is_sending and not coalesce(n.has_answer_time and n.has_answer_quantity, false)
        and (l.held_at is null or l.held_at <= n.updated_at)
    ),
    count_lines as (
      update stock_push_line x
      set delta = x.delta - (applied.available - applied.reported)
      from applied
      where x.shop_id = ${shopId} and x.push_id = applied.count_push_id
        and x.variant_id = applied.variant_id and x.location_id = applied.location_id
    ),
    updated as (
      update stock_level l
      set quantity = applied.quantity, platform_quantity = applied.available, platform_updated_at = applied.updated_at,
        updated_at = case when l.quantity = applied.quantity then l.updated_at else now() end
      from applied
      where l.shop_id = ${shopId} and l.variant_id = applied.variant_id and l.location_id = applied.location_id
    ),
    moved as (
      insert into stock_movement (
        shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
      )
      select ${shopId}, variant_id, location_id, previous, quantity, 'platform', updated_at
      from applied
      where previous <> quantity
      order by variant_id, location_id
      returning id
    )
    select (select count(*) from moved) as changed,
      (
        select coalesce(jsonb_agg(distinct variant_id), '[]')
        from not_stale
        where not is_sending and is_ambiguous and not coalesce(has_answer_time and has_answer_quantity, false)
      ) as ambiguous_variant_ids
  `)
  await refreshRules(
    tx,
    shopId,
    newest.map(({ variantId }) => variantId),
  )
  return {
    ...changes,
    ambiguousVariantIds: [...new Set([...ambiguousVariantIds, ...changes.ambiguousVariantIds])],
  }
}

/** The newest update of each level; of several with the same time, the last one. */
function newestOfEach(levels: readonly PlatformLevel[]): {
  newest: PlatformLevel[]
  ambiguousVariantIds: Set<number>
} {
  const newest = new Map<string, PlatformLevel>()
  const ambiguousVariantIds = new Set<number>()
  for (const level of levels) {
    const key = `${level.variantId}/${level.locationId}`
    const earlier = newest.get(key)
    const isNewer = !earlier || Date.parse(earlier.updatedAt) <= Date.parse(level.updatedAt)
    const isTie = earlier && Date.parse(earlier.updatedAt) === Date.parse(level.updatedAt)
    if (isTie && earlier.available !== level.available) ambiguousVariantIds.add(level.variantId)
    if (isNewer) newest.set(key, level)
  }
  return { newest: [...newest.values()], ambiguousVariantIds }
}
