import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { raiseAlert } from '../alerts/alerts.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { lockInstalledShop } from '../shops/shops.ts'
import { levelKey } from '../stock/changes.ts'
import { lockLevels } from '../stock/move.ts'
import { applyPlatformLevels, type PlatformLevel } from '../stock/platform-updates.ts'
import { releaseLevels, type SettledLevel, settleLevels } from '../stock/settle.ts'
import { type ClaimedPush, type PushLine, targetOf } from './claim.ts'

/*
 * How a claimed change goes on. Each of these is guarded by the key with which the platform was asked: a job that was
 * thought dead and comes back late changes nothing.
 */

/** What the platform answered: a number of each of its levels, as in `<item> <location>`, where it says one. */
export type PushAnswer = { at: string; quantities: ReadonlyMap<string, number | null> }

const SettledLine = Type.Object({ variantId: Id, locationId: Id, delta: Type.Integer() })

/** The platform has taken it: its lines are not pending any more. Without an answer there was nothing to ask. */
export function settlePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  answer: PushAnswer | null,
): Promise<void> {
  const toldOf = new Map(push.lines.map((line) => [levelKey(line), readNumber(push, line, answer)]))
  return leaveSending(db, shopId, push, { state: 'done' }, async (tx) => {
    const lines = await tx.any(sql.type(row(SettledLine))`
      delete from stock_push_line where shop_id = ${shopId} and push_id = ${push.id}
      returning variant_id, location_id, delta
    `)
    const levels = lines.map(
      (line): SettledLevel => ({ ...line, explained: line.delta, told: toldOf.get(levelKey(line)) ?? null }),
    )
    await settleLevels(tx, shopId, levels)
  })
}

/** An answer need not say a number: then it is the one that was asked for. Null for a line that was not. */
function readNumber(push: ClaimedPush, line: PushLine, answer: PushAnswer | null): SettledLevel['told'] {
  const asked = push.request.find(
    (level) => targetOf(line) === `${level.inventoryItemId} ${level.locationId}`,
  )
  if (!answer || !asked) return null
  const available = answer.quantities.get(targetOf(line)) ?? line.platformQuantity + asked.delta
  return { available, at: answer.at }
}

/**
 * The platform has certainly not taken it: it is asked again in other words and with a new key, from the numbers that
 * it has told meanwhile. `isRefusal` when that was the change's fault, which is not put up with for ever.
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
    takeOver(tx, shopId, push.lines, levels),
  )
}

/** What was kept meanwhile, then what was read, of other levels, too: all are locked first, before any rule is. */
async function takeOver(
  tx: Db,
  shopId: number,
  lines: readonly PushLine[],
  levels: readonly PlatformLevel[],
): Promise<void> {
  await lockLevels(tx, shopId, [...lines, ...levels])
  await releaseLevels(tx, shopId, lines)
  await applyPlatformLevels(tx, shopId, levels, { isRead: true })
}

/**
 * No answer that settles it: the job, or whoever comes next, asks again with the same words and the same key. While
 * the platform may have taken it, it stays under way; when it serves nobody of this shop, it does not hold up news.
 */
export function pausePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  { isUnderWay, reason }: { isUnderWay: boolean; reason: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return
    const paused = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = ${isUnderWay ? 'sending' : 'queued'}, claimed_by = null, claimed_at = null, error = ${reason}
      where shop_id = ${shopId} and id = ${push.id} and state = 'sending' and idempotency_key = ${push.idempotencyKey}
      returning id
    `)
    if (paused && !isUnderWay) await releaseLevels(tx, shopId, push.lines)
  })
}

/**
 * The platform will never take these lines of a claimed change; the rest of it, where there is one, is queued again. A
 * transfer takes from one place what it puts at another: the lines of a variant fail together. A person hears of it.
 */
export function failPush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  {
    lines: refused,
    reason,
    levels = [],
  }: { lines: readonly PushLine[]; reason: string; levels?: readonly PlatformLevel[] },
): Promise<void> {
  const lines = push.reference.startsWith('stock_transfer/') ? withPartners(push, refused) : refused
  const isWhole = lines.length === push.lines.length
  const end: End = isWhole ? { state: 'failed', reason } : { state: 'queued', refusals: 0, reason: '' }
  return leaveSending(db, shopId, push, end, async (tx) => {
    await takeOver(tx, shopId, push.lines, levels)
    const failedId = isWhole ? push.id : await splitPush(tx, shopId, push, lines, reason)
    await raiseConflict(tx, shopId, failedId, reason)
  })
}

function withPartners(push: ClaimedPush, lines: readonly PushLine[]): PushLine[] {
  const variantIds = new Set(lines.map(({ variantId }) => variantId))
  return push.lines.filter(({ variantId }) => variantIds.has(variantId))
}

type End =
  | { state: 'done' }
  | { state: 'failed'; reason: string }
  | { state: 'queued'; refusals: number; reason: string }

/** One transaction; nothing happens in it when somebody else was first, or the shop has uninstalled the app. */
function leaveSending(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  end: End,
  write: (tx: Db) => Promise<void>,
): Promise<void> {
  const renewed = sql.fragment`, request = null, idempotency_key = gen_random_uuid(), first_sent_at = null`
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return
    const left = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = ${end.state}, claimed_by = null, claimed_at = null,
        error = ${end.state === 'done' ? '' : end.reason},
        refusals = ${end.state === 'queued' ? end.refusals : push.refusals},
        settled_at = case when ${end.state === 'done'} then now() end
        ${end.state === 'queued' ? renewed : sql.fragment``}
      where shop_id = ${shopId} and id = ${push.id} and state = 'sending' and idempotency_key = ${push.idempotencyKey}
      returning id
    `)
    if (left) await write(tx)
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
    set push_id = ${id}
    from ${sql.unnest(rows, ['int8', 'int8'])} as line (variant_id, location_id)
    where x.shop_id = ${shopId} and x.push_id = ${push.id}
      and x.variant_id = line.variant_id and x.location_id = line.location_id
  `)
  return id
}

const Named = Type.Object({
  title: Type.String(),
  locationName: Type.String(),
  count: Type.Integer(),
  gid: Type.String(),
})

async function raiseConflict(tx: Db, shopId: number, pushId: number, reason: string): Promise<void> {
  const named = await tx.one(sql.type(row(Named))`
    select ${variantTitle} as title, w.name as location_name, p.gid,
      count(*) over () as count
    from stock_push_line x
    join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    join location w on w.shop_id = x.shop_id and w.id = x.location_id
    where x.shop_id = ${shopId} and x.push_id = ${pushId}
    order by x.variant_id, x.location_id
    limit 1
  `)
  const others = named.count > 1 ? ` and ${named.count - 1} more` : ''
  await raiseAlert(tx, shopId, {
    type: 'sync_conflict',
    subject: `stock_push/${pushId}`,
    message: `The platform did not take over a stock change of ${named.title}${others} at ${named.locationName}. ${reason}`,
    productGid: named.gid,
  })
}
