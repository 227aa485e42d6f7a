import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id, Nullable } from '../../schemas/common.ts'
import { lockInstalledShop } from '../shops/shops.ts'

const PushedLevel = Type.Object({
  inventoryItemId: Type.String(),
  locationId: Type.String(),
  delta: Type.Integer(),
  /** For `set`: the quantity that the platform must still have for the request to apply. Null for `adjust`. */
  changeFromQuantity: Nullable(Type.Integer()),
})
export type PushedLevel = Static<typeof PushedLevel>

const PushLine = Type.Object({
  variantId: Id,
  locationId: Id,
  delta: Type.Integer(),
  inventoryItemGid: Nullable(Type.String()),
  locationGid: Type.String(),
  platformQuantity: Type.Integer(),
  isCounted: Type.Boolean(),
})
export type PushLine = Static<typeof PushLine>

const Head = Type.Object({
  id: Id,
  form: Type.Union([Type.Literal('adjust'), Type.Literal('set')]),
  reason: Type.String(),
  reference: Type.String(),
  idempotencyKey: Type.String(),
  request: Nullable(Type.Array(PushedLevel)),
  refusals: Type.Integer(),
  isKeyExpired: Type.Boolean(),
  isDayOld: Type.Boolean(),
})

/**
 * Every attempt sends the same `request` and `idempotencyKey`, so the platform applies it at most once. `isKeyExpired`:
 * 24 hours after the first attempt the platform may forget the key. `isDayOld`: the worker does not postpone it again.
 */
export type ClaimedPush = Omit<Static<typeof Head>, 'request'> & {
  request: PushedLevel[]
  lines: readonly PushLine[]
}

/** A variant that the platform has not confirmed within this time is treated as missing there. */
const confirmationTimeout = sql.fragment`interval '1 day'`
const hasUnconfirmed = sql.fragment`exists (
  select
  from stock_push_line x
  join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
  where x.shop_id = p.shop_id and x.push_id = p.id and v.inventory_item_gid is null and v.deleted_at is null
    and p.created_at > now() - ${confirmationTimeout}
  offset 0
)`

/** SQL condition: two other jobs send pushes of this shop. The limit leaves workers for other shops. */
const isAtJobLimit = (shopId: number, jobId: string) => sql.fragment`(
  select count(distinct claimed_by) >= 2
  from stock_push
  where shop_id = ${shopId} and state = 'sending' and claimed_by <> ${jobId}
    and claimed_at > now() - interval '5 minutes'
)`

/**
 * Claims the oldest push of the shop that can be sent, or returns null:
 * 1. No other job has a claim younger than five minutes. A job gets its own claim back, so a retry continues it.
 * 2. None of its levels has an older push that is queued or sending, or a younger one that is sending.
 * 3. The platform has confirmed all its variants, or the push is older than a day.
 * 4. Fewer than two other jobs send pushes of this shop.
 * It is committed as `sending`, so its platform updates are deferred, and no two jobs send pushes of one level.
 */
export function claimPush(db: Db, shopId: number, jobId: string): Promise<ClaimedPush | null> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return null
    // only one claim per shop at a time: two concurrent claims could take pushes of the same level
    await tx.query(sql.typeAlias('void')`
      select from pg_advisory_xact_lock(hashtextextended('stock_push', ${shopId}::bigint))
    `)
    // `offset 0` prevents Postgres from joining all waiting pushes, which takes seconds when there are thousands
    const head = await tx.maybeOne(sql.type(row(Head))`
      select p.id, p.form, p.reason, p.reference, p.idempotency_key, p.request, p.refusals,
        coalesce(p.first_sent_at < now() - interval '24 hours', false) as is_key_expired,
        p.created_at < now() - interval '24 hours' as is_day_old
      from stock_push p
      where p.shop_id = ${shopId} and p.state in ('queued', 'sending')
        and not ${isAtJobLimit(shopId, jobId)}
        and (p.claimed_by is null or p.claimed_by = ${jobId} or p.claimed_at < now() - interval '5 minutes')
        and not exists (
          select
          from stock_push_line x
          cross join lateral (
            select y.push_id
            from stock_push_line y
            join stock_push q on q.shop_id = y.shop_id and q.id = y.push_id
            where y.shop_id = x.shop_id and y.variant_id = x.variant_id and y.location_id = x.location_id
              and q.state in ('queued', 'sending')
            order by y.push_id
            limit 1
          ) oldest
          where x.shop_id = p.shop_id and x.push_id = p.id and oldest.push_id < p.id
          offset 0
        )
        and not exists (
          select
          from stock_push q
          join stock_push_line y on y.shop_id = q.shop_id and y.push_id = q.id
          join stock_push_line x on x.shop_id = y.shop_id and x.variant_id = y.variant_id
            and x.location_id = y.location_id and x.push_id = p.id
          where q.shop_id = p.shop_id and q.state = 'sending' and q.id > p.id
          offset 0
        )
        and not ${hasUnconfirmed}
      order by p.id
      limit 1
      for no key update of p
    `)
    if (!head) return null
    const lines = await lockLines(tx, shopId, head.id)
    const request = head.request ?? requestFor(head.form, lines)
    await tx.query(sql.typeAlias('void')`
      update stock_push
      set state = 'sending', request = ${JSON.stringify(request)}::jsonb, claimed_by = ${jobId}, claimed_at = now(),
        first_sent_at = coalesce(first_sent_at, now())
      where shop_id = ${shopId} and id = ${head.id}
    `)
    return { ...head, request, lines }
  })
}

export function hasWaitingPushes(db: Db, shopId: number): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select
    from stock_push p
    where p.shop_id = ${shopId} and p.state in ('queued', 'sending') and ${hasUnconfirmed}
  `)
}

/** Locks the lines together with their levels, since a concurrent platform update may change a line's delta. */
function lockLines(tx: Db, shopId: number, pushId: number): Promise<readonly PushLine[]> {
  return tx.any(sql.type(row(PushLine))`
    select x.variant_id, x.location_id, x.delta, v.inventory_item_gid, w.gid as location_gid, l.platform_quantity,
      x.counted_at is not null as is_counted
    from stock_push_line x
    join stock_level l on l.shop_id = x.shop_id and l.variant_id = x.variant_id and l.location_id = x.location_id
    join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
    join location w on w.shop_id = x.shop_id and w.id = x.location_id
    where x.shop_id = ${shopId} and x.push_id = ${pushId}
    order by x.variant_id, x.location_id
    for no key update of l, x
  `)
}

export const platformLevelKey = ({ inventoryItemGid, locationGid }: PushLine) =>
  `${inventoryItemGid} ${locationGid}`

/** Sums variants that share an item to one line. A delta of 0 is sent only for a counted level, to confirm it. */
function requestFor(form: ClaimedPush['form'], lines: readonly PushLine[]): PushedLevel[] {
  return [...Map.groupBy(lines, platformLevelKey).values()].flatMap((ofLevel): PushedLevel[] => {
    const [first] = ofLevel
    const delta = ofLevel.reduce((sum, line) => sum + line.delta, 0)
    if (!first?.inventoryItemGid || (delta === 0 && !ofLevel.some(({ isCounted }) => isCounted))) return []
    return [
      {
        inventoryItemId: first.inventoryItemGid,
        locationId: first.locationGid,
        delta,
        changeFromQuantity: form === 'set' ? first.platformQuantity : null,
      },
    ]
  })
}
