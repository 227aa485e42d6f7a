import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id, Nullable, Timestamp } from '../../schemas/common.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import { lockLevels } from './move.ts'
import { applyPlatformLevels } from './platform-updates.ts'
import { recheckLevels } from './recheck.ts'

/*
 * What becomes of levels when a change of ours is not under way to the platform any more: with `stock.ts` and
 * `platform-levels.ts` the only writer of stock_level and stock_movement.
 */

/** What became of one line of a change that was under way to the platform. */
export type SettledLevel = {
  variantId: number
  locationId: number
  /** How much of what is on its way has arrived, or never will. */
  explained: number
  /** What the platform answered, and when that was so; null when it has not answered with a number. */
  told: { available: number; at: string } | null
}

/** Whether a change of the level `l` is under way. */
const isUnderWay = sql.fragment`exists (
  select
  from stock_push_line x
  join stock_push p on p.shop_id = x.shop_id and p.id = x.push_id
  where x.shop_id = l.shop_id and x.variant_id = l.variant_id and x.location_id = l.location_id
    and p.state = 'sending'
)`

/**
 * Ends what was under way: `platform_quantity` becomes what the platform answered, unless later news is known
 * already, which then holds the change; what else is pending stays so. Writes a movement of the given kind where that
 * changes the level. News that was kept meanwhile counts then, as if it came now.
 */
export async function settleLevels(
  tx: Db,
  shopId: number,
  levels: readonly SettledLevel[],
  kind: 'platform' | 'discard' = 'platform',
): Promise<void> {
  if (levels.length === 0) return
  await lockLevels(tx, shopId, levels)
  const rows = levels.map(({ variantId, locationId, explained, told }) => [
    variantId,
    locationId,
    explained,
    told?.available ?? null,
    told?.at ?? null,
  ])
  await tx.query(sql.typeAlias('void')`
    with answered as (
      select l.variant_id, l.location_id, l.quantity as previous, l.platform_quantity as known,
        l.platform_updated_at as known_at, answer.explained, answer.available, answer.at,
        coalesce(answer.at >= coalesce(l.platform_updated_at, '-infinity'), false) as is_newer
      from stock_level l
      join ${sql.unnest(rows, ['int8', 'int8', 'int4', 'int4', 'timestamptz'])}
        as answer (variant_id, location_id, explained, available, at)
        on answer.variant_id = l.variant_id and answer.location_id = l.location_id
      where l.shop_id = ${shopId}
    ),
    settled as (
      select variant_id, location_id, previous, previous - known - explained as pending, known_at, available, at,
        case when is_newer then available else known end as told,
        case when is_newer then at else known_at end as told_at
      from answered
    ),
    changed as (
      update stock_level l
      set quantity = s.told + s.pending, platform_quantity = s.told, platform_updated_at = s.told_at,
        answers = case
          when s.at > coalesce(l.answered_at, '-infinity') then array[s.available]
          when s.at = l.answered_at then l.answers || s.available
          else l.answers
        end,
        answered_at = greatest(l.answered_at, s.at),
        updated_at = case when l.quantity = s.told + s.pending then l.updated_at else now() end
      from settled s
      where l.shop_id = ${shopId} and l.variant_id = s.variant_id and l.location_id = s.location_id
    )
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
    )
    select ${shopId}, variant_id, location_id, previous, told + pending, ${kind},
      coalesce(nullif(told_at, known_at), now())
    from settled
    where previous <> told + pending
    order by variant_id, location_id
  `)
  await refreshRules(
    tx,
    shopId,
    levels.map(({ variantId }) => variantId),
  )
  await applyHeld(tx, shopId, levels)
}

type Place = { variantId: number; locationId: number }

const HeldLevel = Type.Object({
  variantId: Id,
  locationId: Id,
  available: Nullable(Type.Integer()),
  updatedAt: Timestamp,
})

/** The platform has taken nothing of what was under way: news that was kept meanwhile counts as if it came now. */
export async function releaseLevels(tx: Db, shopId: number, places: readonly Place[]): Promise<void> {
  await lockLevels(tx, shopId, places)
  await applyHeld(tx, shopId, places)
}

/** Of levels that are locked; what belongs to another change that is under way is kept on. */
async function applyHeld(tx: Db, shopId: number, places: readonly Place[]): Promise<void> {
  const rows = places.map(({ variantId, locationId }) => [variantId, locationId])
  const held = await tx.any(sql.type(row(HeldLevel))`
    with held as (
      select l.variant_id, l.location_id, l.held_quantity, l.held_at
      from stock_level l
      join ${sql.unnest(rows, ['int8', 'int8'])} as place (variant_id, location_id)
        on place.variant_id = l.variant_id and place.location_id = l.location_id
      where l.shop_id = ${shopId} and l.held_at is not null and not ${isUnderWay}
    )
    update stock_level l
    set held_quantity = null, held_at = null
    from held
    where l.shop_id = ${shopId} and l.variant_id = held.variant_id and l.location_id = held.location_id
    returning held.variant_id, held.location_id, held.held_quantity as available, held.held_at as updated_at
  `)
  const { doubtful } = await applyPlatformLevels(tx, shopId, held)
  await recheckLevels(tx, shopId, doubtful)
}
