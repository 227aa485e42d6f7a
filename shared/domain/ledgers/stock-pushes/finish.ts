import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { raiseAlert } from '../../kit/alerts/alerts.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import { levelKey } from '../stock/changes.ts'
import { lockLevels } from '../stock/move.ts'
import { applyPlatformLevels, type PlatformLevel } from '../stock/platform/platform-updates.ts'
import { releaseDeferredUpdates, type SettledLevel, settleLevels } from '../stock/platform/settle.ts'
import { type ClaimedPush, type PushLine, platformLevelKey } from './claim.ts'

/* Each function is one transaction that first checks state and key of the attempt: a late job changes nothing. */

/** The platform's quantities by `platformLevelKey`, null where it reports none, at the ISO instant `at`. */
export type PushAnswer = { at: string; quantities: ReadonlyMap<string, number | null> }

const SettledLine = Type.Object({ variantId: Id, locationId: Id, delta: Type.Integer() })

/** The platform accepted the push: its lines are no longer pending. `answer` is null when nothing had to be sent. */
export function settlePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  answer: PushAnswer | null,
): Promise<void> {
  const reportedByLevel = new Map(
    push.lines.map((line) => [levelKey(line), reportedLevel(push, line, answer)]),
  )
  return leaveSending(db, shopId, push, { state: 'done' }, async (tx) => {
    const lines = await tx.any(sql.type(row(SettledLine))`
      delete from stock_push_line where shop_id = ${shopId} and push_id = ${push.id}
      returning variant_id, location_id, delta
    `)
    const levels = lines.map(
      (line): SettledLevel => ({
        ...line,
        settledDelta: line.delta,
        reported: reportedByLevel.get(levelKey(line)) ?? null,
      }),
    )
    await settleLevels(tx, shopId, levels)
  })
}

/** A response without a quantity means the requested one. Null for a line that was not part of the request. */
function reportedLevel(
  push: ClaimedPush,
  line: PushLine,
  answer: PushAnswer | null,
): SettledLevel['reported'] {
  const requested = push.request.find(
    (level) => platformLevelKey(line) === `${level.inventoryItemId} ${level.locationId}`,
  )
  if (!answer || !requested) return null
  const available = answer.quantities.get(platformLevelKey(line)) ?? line.platformQuantity + requested.delta
  return { available, at: answer.at }
}

/**
 * The platform certainly did not apply the push: applies its deferred platform updates, then `levels`, read from the
 * platform, and queues it for a new request and key. `isRefusal` counts towards the maximum; an outage does not.
 */
export function requeuePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  {
    isRefusal,
    reason = '',
    levels = [],
  }: { isRefusal: boolean; reason?: string; levels?: readonly PlatformLevel[] },
): Promise<void> {
  const refusals = push.refusals + (isRefusal ? 1 : 0)
  return leaveSending(db, shopId, push, { state: 'queued', refusals, reason }, (tx) =>
    applyPlatformState(tx, shopId, push.lines, levels),
  )
}

/** Locks all levels first, since applying updates locks reorder rules, which come after levels in the lock order. */
export async function applyPlatformState(
  tx: Db,
  shopId: number,
  lines: readonly PushLine[],
  levels: readonly PlatformLevel[],
): Promise<void> {
  await lockLevels(tx, shopId, [...lines, ...levels])
  await releaseDeferredUpdates(tx, shopId, lines)
  await applyPlatformLevels(tx, shopId, levels, { isRead: true })
}

/**
 * No final result: a later attempt sends the same request and key. With `isOutcomeUnknown` the push stays `sending` and
 * platform updates stay deferred; else it is `queued` and they are applied, since the platform did not apply the push.
 */
export async function pausePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  { isOutcomeUnknown, reason }: { isOutcomeUnknown: boolean; reason: string },
): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    const paused = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = ${isOutcomeUnknown ? 'sending' : 'queued'}, claimed_by = null, claimed_at = null, error = ${reason}
      where shop_id = ${shopId} and id = ${push.id} and state = 'sending' and idempotency_key = ${push.idempotencyKey}
      returning id
    `)
    if (paused && !isOutcomeUnknown) await releaseDeferredUpdates(tx, shopId, push.lines)
  })
}

/**
 * The platform will never accept these lines (nor, of a transfer, the other lines of their variants): applies the
 * deferred updates and `levels`, moves the lines to a failed push with the alert `sync_conflict`, and queues the rest
 * again.
 */
export function failPush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  {
    lines: refusedLines,
    reason,
    levels = [],
  }: { lines: readonly PushLine[]; reason: string; levels?: readonly PlatformLevel[] },
): Promise<void> {
  const lines = push.reference.startsWith('stock_transfer/')
    ? withLinesOfSameVariants(push, refusedLines)
    : refusedLines
  const isWhole = lines.length === push.lines.length
  const transition: Transition = isWhole
    ? { state: 'failed', reason }
    : { state: 'queued', refusals: 0, reason: '' }
  return leaveSending(db, shopId, push, transition, async (tx) => {
    await applyPlatformState(tx, shopId, push.lines, levels)
    const failedId = isWhole ? push.id : await splitPush(tx, shopId, push, lines, reason)
    await raiseConflict(tx, shopId, failedId, reason)
  })
}

function withLinesOfSameVariants(push: ClaimedPush, lines: readonly PushLine[]): PushLine[] {
  const variantIds = new Set(lines.map(({ variantId }) => variantId))
  return push.lines.filter(({ variantId }) => variantIds.has(variantId))
}

export type Transition =
  | { state: 'done' }
  | { state: 'failed'; reason: string }
  | { state: 'queued'; refusals: number; reason: string }

/** Runs `write` in the transaction that ends `sending`; skips it if another job ended it or the app is uninstalled. */
export async function leaveSending(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  transition: Transition,
  write: (tx: Db) => Promise<void>,
): Promise<void> {
  const newRequest = sql.fragment`, request = null, idempotency_key = ${randomUUID()}, first_sent_at = null`
  await inInstalledShop(db, shopId, async (tx) => {
    const ended = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = ${transition.state}, claimed_by = null, claimed_at = null,
        error = ${transition.state === 'done' ? '' : transition.reason},
        refusals = ${transition.state === 'queued' ? transition.refusals : push.refusals},
        settled_at = ${transition.state === 'done' ? sql.fragment`now()` : null}
        ${transition.state === 'queued' ? newRequest : sql.fragment``}
      where shop_id = ${shopId} and id = ${push.id} and state = 'sending' and idempotency_key = ${push.idempotencyKey}
      returning id
    `)
    if (ended) await write(tx)
  })
}

async function splitPush(
  tx: Db,
  shopId: number,
  push: ClaimedPush,
  lines: readonly PushLine[],
  reason: string,
): Promise<number> {
  const { id } = await tx.one(sql.typeAlias('id')`
    insert into stock_push (shop_id, form, reason, reference, state, error, created_at)
    select shop_id, form, reason, reference, 'failed', ${reason}, created_at
    from stock_push
    where shop_id = ${shopId} and id = ${push.id}
    returning id
  `)
  const rows = lines.map(({ variantId, locationId }) => [variantId, locationId])
  await tx.query(sql.typeAlias('void')`
    update stock_push_line x
    set push_id = ${id}, packed_push_id = null
    from ${sql.unnest(rows, ['int8', 'int8'])} as line (variant_id, location_id)
    where x.shop_id = ${shopId} and x.push_id = ${push.id}
      and x.variant_id = line.variant_id and x.location_id = line.location_id
  `)
  return id
}

const FirstLine = Type.Object({
  title: Type.String(),
  locationName: Type.String(),
  count: Type.Integer(),
  gid: Type.String(),
})

async function raiseConflict(tx: Db, shopId: number, pushId: number, reason: string): Promise<void> {
  const first = await tx.one(sql.type(row(FirstLine))`
    select ${variantTitle('v', 'p')} as title, w.name as location_name, p.gid,
      count(*) over () as count
    from stock_push_line x
    join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    join location w on w.shop_id = ${shopId} and w.id = x.location_id
    where x.shop_id = ${shopId} and x.push_id = ${pushId}
    order by x.variant_id, x.location_id
    limit 1
  `)
  const others = first.count > 1 ? ` and ${first.count - 1} more` : ''
  await raiseAlert(tx, shopId, {
    type: 'sync_conflict',
    subject: `stock_push/${pushId}`,
    message: `A stock change was not synced to the platform: ${first.title}${others} at ${first.locationName}. ${reason}`,
    productGid: first.gid,
  })
}
