import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id, Nullable, Timestamp } from '../../schemas/common.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import { lockLevels } from './move.ts'
import { applyPlatformLevels } from './platform-updates.ts'
import { recheckLevels } from './recheck.ts'

export type SettledLevel = {
  variantId: number
  locationId: number
  /** The part of the pending change that is not pending any more: the line's delta, accepted or discarded. */
  settledDelta: number
  /** The platform's quantity after the push, and its time; null when the platform reported none. */
  reported: { available: number; at: string } | null
}

/** SQL condition: a push of level `l` is being sent. */
const isSending = sql.fragment`exists (
  select
  from stock_push_line x
  join stock_push p on p.shop_id = x.shop_id and p.id = x.push_id
  where x.shop_id = l.shop_id and x.variant_id = l.variant_id and x.location_id = l.location_id
    and p.state = 'sending'
)`

/**
 * Applies the result of a push to its levels:
 * 1. platform_quantity = the reported quantity, unless a later platform update is known, which includes the push.
 * 2. quantity = platform_quantity + the changes that are still pending, with a movement of `kind` if it changes.
 * 3. The reported quantity is added to `answers`, so that its echo by webhook is recognised.
 * 4. Deferred platform updates of these levels are applied as if they had just arrived.
 * Example: quantity 12, platform_quantity 10, push of +2. The platform reports 9: it sold 3. Both become 9, with a
 * movement of -3. When the push is discarded (settledDelta 2), both become 10, with a movement of -2.
 */
export async function settleLevels(
  tx: Db,
  shopId: number,
  levels: readonly SettledLevel[],
  kind: 'platform' | 'discard' = 'platform',
): Promise<void> {
  if (levels.length === 0) return
  await lockLevels(tx, shopId, levels)
  const rows = levels.map(({ variantId, locationId, settledDelta, reported }) => [
    variantId,
    locationId,
    settledDelta,
    reported?.available ?? null,
    reported?.at ?? null,
  ])
  await tx.query(sql.typeAlias('void')`
    with answered as (
      select l.variant_id, l.location_id, l.quantity as previous, l.platform_quantity, l.platform_updated_at,
        answer.settled_delta, answer.available, answer.at,
        coalesce(answer.at >= coalesce(l.platform_updated_at, '-infinity'), false) as is_newer
      from stock_level l
      join ${sql.unnest(rows, ['int8', 'int8', 'int4', 'int4', 'timestamptz'])}
        as answer (variant_id, location_id, settled_delta, available, at)
        on answer.variant_id = l.variant_id and answer.location_id = l.location_id
      where l.shop_id = ${shopId}
    ),
    settled as (
      select variant_id, location_id, previous, previous - platform_quantity - settled_delta as pending,
        platform_updated_at as previously_updated_at, available, at,
        case when is_newer then available else platform_quantity end as reported,
        case when is_newer then at else platform_updated_at end as reported_at
      from answered
    ),
    changed as (
      update stock_level l
      set quantity = s.reported + s.pending, platform_quantity = s.reported, platform_updated_at = s.reported_at,
        answers = case
          when s.at > coalesce(l.answered_at, '-infinity') then array[s.available]
          when s.at = l.answered_at then l.answers || s.available
          else l.answers
        end,
        answered_at = greatest(l.answered_at, s.at),
        updated_at = case when l.quantity = s.reported + s.pending then l.updated_at else now() end
      from settled s
      where l.shop_id = ${shopId} and l.variant_id = s.variant_id and l.location_id = s.location_id
    )
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
    )
    select ${shopId}, variant_id, location_id, previous, reported + pending, ${kind},
      coalesce(nullif(reported_at, previously_updated_at), now())
    from settled
    where previous <> reported + pending
    order by variant_id, location_id
  `)
  await refreshRules(
    tx,
    shopId,
    levels.map(({ variantId }) => variantId),
  )
  await applyDeferred(tx, shopId, levels)
}

type LevelKey = { variantId: number; locationId: number }

const DeferredLevel = Type.Object({
  variantId: Id,
  locationId: Id,
  available: Nullable(Type.Integer()),
  updatedAt: Timestamp,
})

/** For a push that was not applied: applies its deferred platform updates as if they had just arrived. */
export async function releaseDeferredUpdates(
  tx: Db,
  shopId: number,
  levelKeys: readonly LevelKey[],
): Promise<void> {
  await lockLevels(tx, shopId, levelKeys)
  await applyDeferred(tx, shopId, levelKeys)
}

/** Expects locked levels. An update stays deferred while another push of its level is being sent. */
async function applyDeferred(tx: Db, shopId: number, levelKeys: readonly LevelKey[]): Promise<void> {
  const rows = levelKeys.map(({ variantId, locationId }) => [variantId, locationId])
  const deferred = await tx.any(sql.type(row(DeferredLevel))`
    with deferred as (
      select l.variant_id, l.location_id, l.held_quantity, l.held_at
      from stock_level l
      join ${sql.unnest(rows, ['int8', 'int8'])} as level_key (variant_id, location_id)
        on level_key.variant_id = l.variant_id and level_key.location_id = l.location_id
      where l.shop_id = ${shopId} and l.held_at is not null and not ${isSending}
    )
    update stock_level l
    set held_quantity = null, held_at = null
    from deferred
    where l.shop_id = ${shopId} and l.variant_id = deferred.variant_id and l.location_id = deferred.location_id
    returning deferred.variant_id, deferred.location_id, deferred.held_quantity as available,
      deferred.held_at as updated_at
  `)
  const { ambiguousVariantIds } = await applyPlatformLevels(tx, shopId, deferred)
  await recheckLevels(tx, shopId, ambiguousVariantIds)
}
