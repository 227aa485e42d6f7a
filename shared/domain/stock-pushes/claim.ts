import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id, Nullable } from '../../schemas/common.ts'
import { lockInstalledShop } from '../shops/shops.ts'

/** One line of what the platform is asked. Several variants may share an inventory item. */
const PushedLevel = Type.Object({
  inventoryItemId: Type.String(),
  locationId: Type.String(),
  delta: Type.Integer(),
  /** The number that the platform is expected to have, for changes that say how many there are. */
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
  isTooOld: Type.Boolean(),
  isAged: Type.Boolean(),
})

/**
 * A change that this job may tell the platform: `request` is what it is asked, word for word, with this key. One that
 * `isTooOld` was asked with it so long ago that the platform may have forgotten the key; one that `isAged` was made a
 * day ago and is not put off any more.
 */
export type ClaimedPush = Omit<Static<typeof Head>, 'request'> & {
  request: PushedLevel[]
  lines: readonly PushLine[]
}

/** What nobody has confirmed on the platform within this time is not there. */
const maxWait = sql.fragment`interval '1 day'`
/** Lines whose variant the platform has not confirmed yet: the job that asks about it is under way. */
const hasUnconfirmed = sql.fragment`exists (
  select
  from stock_push_line x
  join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
  where x.shop_id = p.shop_id and x.push_id = p.id and v.inventory_item_gid is null and v.deleted_at is null
    and p.created_at > now() - ${maxWait}
  offset 0
)`

/**
 * Two of a shop's jobs are enough: they go on until nothing is left, what was made meanwhile included, and other shops
 * have their turn.
 */
const isBusy = (shopId: number, jobId: string) => sql.fragment`(
  select count(distinct claimed_by) >= 2
  from stock_push
  where shop_id = ${shopId} and state = 'sending' and claimed_by <> ${jobId}
    and claimed_at > now() - interval '5 minutes'
)`

/**
 * Takes the oldest change of the shop that no other job works on and whose levels no other change is under way for or
 * was made for before. Committed as `sending`: what the platform tells of these levels from now on is kept until it
 * has answered. A claim of a job that died is its own again at once, and anybody's after five minutes, longer than
 * one request with all its tries mostly takes. Null: there is none.
 */
export function claimPush(db: Db, shopId: number, jobId: string): Promise<ClaimedPush | null> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return null
    // one after the other, so that two never take changes of the same level
    await tx.query(sql.typeAlias('void')`
      select from pg_advisory_xact_lock(hashtextextended('stock_push', ${shopId}::bigint))
    `)
    // `offset 0` keeps Postgres from joining all changes that wait, which takes seconds when there are thousands
    const head = await tx.maybeOne(sql.type(row(Head))`
      select p.id, p.form, p.reason, p.reference, p.idempotency_key, p.request, p.refusals,
        coalesce(p.first_sent_at < now() - interval '24 hours', false) as is_too_old,
        p.created_at < now() - interval '24 hours' as is_aged
      from stock_push p
      where p.shop_id = ${shopId} and p.state in ('queued', 'sending')
        and not ${isBusy(shopId, jobId)}
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

/** Whether changes wait for a variant that the platform has not confirmed yet. */
export function hasWaitingPushes(db: Db, shopId: number): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select
    from stock_push p
    where p.shop_id = ${shopId} and p.state in ('queued', 'sending') and ${hasUnconfirmed}
  `)
}

/** With their levels: news that is being applied may still change what the lines say. */
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

/** Which of the platform's levels a line belongs to. */
export const targetOf = ({ inventoryItemGid, locationGid }: PushLine) => `${inventoryItemGid} ${locationGid}`

/** Variants that share an item are one line there. Nothing is asked only of what was counted, to be sure of it. */
function requestFor(form: ClaimedPush['form'], lines: readonly PushLine[]): PushedLevel[] {
  return [...Map.groupBy(lines, targetOf).values()].flatMap((ofLevel): PushedLevel[] => {
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
