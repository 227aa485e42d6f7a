import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import { joinFollowing } from './join.ts'
import { packWaiting } from './pack.ts'

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
  /** The push that the line was of before it was packed (`pack.ts`). */
  packedPushId: Nullable(Id),
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
  claimedBy: Nullable(Type.String()),
  isClaimExpired: Type.Boolean(),
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
const hasUnconfirmed = (shopId: number) => sql.fragment`exists (
  select
  from stock_push_line x
  join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
  where x.shop_id = ${shopId} and x.push_id = p.id and v.inventory_item_gid is null and v.deleted_at is null
    and p.created_at > now() - ${confirmationTimeout}
  offset 0
)`

/**
 * Claims the next push of the shop, or returns null. A shop has one push at a time on the way to the platform:
 * 1. A push that is `sending` comes first: a job gets its own claim back, and one that is older than five minutes. With
 *    a claim of another job it returns null, as that job goes on with all pushes that wait.
 * 2. Otherwise the oldest queued push whose variants the platform has confirmed, or that is older than a day. None of
 *    its levels may have an older push that waits. Those like it are sent with it: of other levels (`pack.ts`), and those
 *    behind it of its levels (`join.ts`).
 * It is committed as `sending`, so its platform updates are deferred. With `isOwnOnly` it returns what the job has claimed before, and
 * claims nothing new.
 */
export function claimPush(
  db: Db,
  shopId: number,
  jobId: string,
  { isOwnOnly = false }: { isOwnOnly?: boolean } = {},
): Promise<ClaimedPush | null> {
  return inInstalledShop(db, shopId, async (tx) => {
    // one claim per shop at a time
    await tx.query(sql.typeAlias('void')`
      select from pg_advisory_xact_lock(hashtextextended('stock_push', ${shopId}::bigint))
    `)
    const sending = await findPush(tx, shopId, sql.fragment`p.state = 'sending'`)
    if (isOwnOnly && sending?.claimedBy !== jobId) return null
    const isOfOther = sending?.claimedBy != null && sending.claimedBy !== jobId
    if (sending && isOfOther && !sending.isClaimExpired) return null
    const head = sending ?? (await findPush(tx, shopId, isNext(shopId)))
    if (!head) return null
    if (!sending) await packWaiting(tx, shopId, head, isNext(shopId))
    const { reason, reference } = sending ?? (await joinFollowing(tx, shopId, head))
    const lines = await lockLines(tx, shopId, head.id)
    const request = head.request ?? requestFor(head.form, lines)
    await tx.query(sql.typeAlias('void')`
      update stock_push
      set state = 'sending', request = ${JSON.stringify(request)}::jsonb, reason = ${reason}, reference = ${reference},
        claimed_by = ${jobId}, claimed_at = now(), first_sent_at = least(first_sent_at, now())
      where shop_id = ${shopId} and id = ${head.id}
    `)
    return { ...head, reason, reference, request, lines }
  })
}

/** Locks the oldest push `p` that fits the condition. */
function findPush(tx: Db, shopId: number, condition: FragmentSqlToken): Promise<Static<typeof Head> | null> {
  return tx.maybeOne(sql.type(row(Head))`
    select p.id, p.form, p.reason, p.reference, p.idempotency_key, p.request, p.refusals, p.claimed_by,
      coalesce(p.claimed_at < now() - interval '5 minutes', false) as is_claim_expired,
      coalesce(p.first_sent_at < now() - interval '24 hours', false) as is_key_expired,
      p.created_at < now() - interval '24 hours' as is_day_old
    from stock_push p
    where p.shop_id = ${shopId} and ${condition}
    order by p.id
    limit 1
    for no key update of p
  `)
}

/** `offset 0` prevents Postgres from joining all waiting pushes, which takes seconds when there are thousands. */
const isNext = (shopId: number) => sql.fragment`
  p.state = 'queued'
  and not exists (
    select
    from stock_push_line x
    join stock_push_line y on y.shop_id = ${shopId} and y.variant_id = x.variant_id and y.location_id = x.location_id
      and y.push_id < x.push_id
    join stock_push q on q.shop_id = ${shopId} and q.id = y.push_id and q.state = 'queued'
    where x.shop_id = ${shopId} and x.push_id = p.id
    offset 0
  )
  and not ${hasUnconfirmed(shopId)}
`

/**
 * Pushes wait for the platform to confirm a variant. False while another job sends: that job checks again after it has sent them all.
 * Thousands of jobs may wait behind it, and none of them has to read thousands of pushes.
 */
export function hasWaitingPushes(db: Db, shopId: number): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select
    from stock_push p
    where p.shop_id = ${shopId} and p.state = 'queued' and ${hasUnconfirmed(shopId)}
      and not exists (select from stock_push where shop_id = ${shopId} and state = 'sending')
  `)
}

/** Reads the lines and locks their levels: a concurrent platform update ends before the quantities are read. */
function lockLines(tx: Db, shopId: number, pushId: number): Promise<readonly PushLine[]> {
  return tx.any(sql.type(row(PushLine))`
    select x.variant_id, x.location_id, x.delta, v.inventory_item_gid, w.gid as location_gid, l.platform_quantity,
      x.packed_push_id
    from stock_push_line x
    join stock_level l on l.shop_id = ${shopId} and l.variant_id = x.variant_id and l.location_id = x.location_id
    join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
    join location w on w.shop_id = ${shopId} and w.id = x.location_id
    where x.shop_id = ${shopId} and x.push_id = ${pushId}
    order by x.variant_id, x.location_id
    for no key update of l
  `)
}

export const platformLevelKey = ({ inventoryItemGid, locationGid }: PushLine) =>
  `${inventoryItemGid} ${locationGid}`

/**
 * Sums variants that share an item to one line; a document that sets quantities has one of them (`findSharedItems`). A delta of 0 is not
 * sent.
 */
function requestFor(form: ClaimedPush['form'], lines: readonly PushLine[]): PushedLevel[] {
  return [...Map.groupBy(lines, platformLevelKey).values()].flatMap((ofLevel): PushedLevel[] => {
    const [first] = ofLevel
    const delta = ofLevel.reduce((sum, line) => sum + line.delta, 0)
    if (!first?.inventoryItemGid || delta === 0) return []
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
