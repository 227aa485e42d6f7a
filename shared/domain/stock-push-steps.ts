import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { Id, Nullable } from '../schemas/common.ts'
import { raiseAlert } from './alerts.ts'
import { type SettledLevel, settleLevels } from './stock.ts'

/** One line of what the platform is asked. Several variants may share an inventory item. */
export const PushedLevel = Type.Object({
  inventoryItemId: Type.String(),
  locationId: Type.String(),
  delta: Type.Integer(),
  /** The number that the platform is expected to have, for changes that say how many there are. */
  changeFromQuantity: Nullable(Type.Integer()),
})
export type PushedLevel = Static<typeof PushedLevel>

export const PushLine = Type.Object({
  variantId: Id,
  locationId: Id,
  delta: Type.Integer(),
  inventoryItemGid: Nullable(Type.String()),
  locationGid: Type.String(),
  platformQuantity: Type.Integer(),
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
})

/** A change that this job may tell the platform: `request` is what it is asked, word for word, with this key. */
export type ClaimedPush = Omit<Static<typeof Head>, 'request'> & {
  request: PushedLevel[]
  lines: readonly PushLine[]
}

/**
 * Takes the oldest change of the shop that no other job works on and that has no earlier change of one of its levels
 * before it. Committed as `sending`: what the platform tells of these levels from now on is kept until it has
 * answered. A claim of a job that died is its own again, and anybody's after two minutes. Null: there is none.
 */
export function claimPush(db: Db, shopId: number, jobId: string): Promise<ClaimedPush | null> {
  return db.transaction(async (tx) => {
    const head = await tx.maybeOne(sql.type(row(Head))`
      select p.id, p.form, p.reason, p.reference, p.idempotency_key, p.request, p.refusals,
        coalesce(p.first_sent_at < now() - interval '24 hours', false) as is_too_old
      from stock_push p
      where p.shop_id = ${shopId} and p.state in ('queued', 'sending')
        and (p.claimed_by is null or p.claimed_by = ${jobId} or p.claimed_at < now() - interval '2 minutes')
        and not exists (
          select
          from stock_push_line x
          join stock_push_line before on before.shop_id = x.shop_id and before.variant_id = x.variant_id
            and before.location_id = x.location_id and before.push_id < x.push_id
          join stock_push q on q.shop_id = before.shop_id and q.id = before.push_id
          where x.shop_id = p.shop_id and x.push_id = p.id and q.state in ('queued', 'sending')
        )
        and not exists (
          select
          from stock_push_line x
          join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
          where x.shop_id = p.shop_id and x.push_id = p.id and v.inventory_item_gid is null and v.deleted_at is null
        )
      order by p.id
      limit 1
      for no key update of p skip locked
    `)
    if (!head) return null
    const lines = await readLines(tx, shopId, head.id)
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

function readLines(tx: Db, shopId: number, pushId: number): Promise<readonly PushLine[]> {
  return tx.any(sql.type(row(PushLine))`
    select x.variant_id, x.location_id, x.delta, v.inventory_item_gid, w.gid as location_gid, l.platform_quantity
    from stock_push_line x
    join stock_level l on l.shop_id = x.shop_id and l.variant_id = x.variant_id and l.location_id = x.location_id
    join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
    join location w on w.shop_id = x.shop_id and w.id = x.location_id
    where x.shop_id = ${shopId} and x.push_id = ${pushId}
    order by x.variant_id, x.location_id
  `)
}

/** Variants that share an item are one line there. A line that has become nothing is not asked for. */
function requestFor(form: ClaimedPush['form'], lines: readonly PushLine[]): PushedLevel[] {
  const asked = lines.filter(({ inventoryItemGid }) => inventoryItemGid !== null)
  const byLevel = Map.groupBy(
    asked,
    ({ inventoryItemGid, locationGid }) => `${inventoryItemGid} ${locationGid}`,
  )
  return [...byLevel.values()].flatMap((ofLevel): PushedLevel[] => {
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

/** What the platform answered of one level. */
export type PushedAnswer = { inventoryItemId: string; locationId: string; available: number | null }

/**
 * The platform has taken a claimed change: its lines are not pending any more. Does nothing when it was settled
 * before. Answers the variants of which only the platform knows the last number.
 */
export function settlePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  answers: readonly PushedAnswer[],
  at: string,
): Promise<number[]> {
  const answerOf = new Map(
    answers.map((answer) => [`${answer.inventoryItemId} ${answer.locationId}`, answer.available]),
  )
  return db.transaction(async (tx) => {
    if (!(await leaveSending(tx, shopId, push, 'done'))) return []
    const lines = await readLines(tx, shopId, push.id)
    const levels = lines.map((line): SettledLevel => {
      const available = answerOf.get(`${line.inventoryItemGid} ${line.locationGid}`) ?? null
      return { ...line, explained: line.delta, told: available === null ? null : { available, at } }
    })
    const doubtful = await settleLevels(tx, shopId, levels)
    await tx.query(sql.typeAlias('void')`
      delete from stock_push_line where shop_id = ${shopId} and push_id = ${push.id}
    `)
    return doubtful
  })
}

/** The platform has certainly not taken it: it may be asked again, in other words and with a new key. */
export function requeuePush(db: Db, shopId: number, push: ClaimedPush): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await leaveSending(tx, shopId, push, 'queued'))) return
    await release(tx, shopId, push.id)
  })
}

/**
 * No answer that settles it: the job, or whoever comes next, asks again with the same words and the same key. While
 * the platform may have taken it, it stays under way; when it serves nobody of this shop, it is not.
 */
export function pausePush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  error: string,
  { isUnderWay }: { isUnderWay: boolean },
): Promise<void> {
  return db.transaction(async (tx) => {
    const paused = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = ${isUnderWay ? 'sending' : 'queued'}, claimed_by = null, claimed_at = null, error = ${error}
      where shop_id = ${shopId} and id = ${push.id} and state = 'sending' and idempotency_key = ${push.idempotencyKey}
      returning id
    `)
    if (paused && !isUnderWay) await release(tx, shopId, push.id)
  })
}

/**
 * The platform will never take these lines of a claimed change; the rest of it, where there is one, is queued again.
 * A person hears of it.
 */
export function failPush(
  db: Db,
  shopId: number,
  push: ClaimedPush,
  lines: readonly PushLine[],
  reason: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    const isWhole = lines.length === push.lines.length
    if (!(await leaveSending(tx, shopId, push, isWhole ? 'failed' : 'queued'))) return
    await release(tx, shopId, push.id)
    const failedId = isWhole ? push.id : await splitPush(tx, shopId, push, lines)
    await tx.query(sql.typeAlias('void')`
      update stock_push set error = ${reason} where shop_id = ${shopId} and id = ${failedId}
    `)
    await raiseConflict(tx, shopId, failedId, reason)
  })
}

async function splitPush(
  tx: Db,
  shopId: number,
  push: ClaimedPush,
  lines: readonly PushLine[],
): Promise<number> {
  const { id } = await tx.one(sql.typeAlias('id')`
    insert into stock_push (shop_id, form, reason, reference, state)
    values (${shopId}, ${push.form}, ${push.reason}, ${push.reference}, 'failed')
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

/** News that was kept while the platform was asked counts now. */
async function release(tx: Db, shopId: number, pushId: number): Promise<void> {
  const lines = await readLines(tx, shopId, pushId)
  await settleLevels(
    tx,
    shopId,
    lines.map(({ variantId, locationId }) => ({ variantId, locationId, explained: 0, told: null })),
  )
}

/** Guarded by the key: a job that was thought dead and comes back late changes nothing. */
async function leaveSending(
  tx: Db,
  shopId: number,
  push: ClaimedPush,
  state: 'done' | 'queued' | 'failed',
): Promise<boolean> {
  const left = await tx.maybeOne(sql.typeAlias('id')`
    update stock_push
    set state = ${state}, claimed_by = null, claimed_at = null, error = '',
      request = case when ${state} = 'queued' then null else request end,
      idempotency_key = case when ${state} = 'queued' then gen_random_uuid() else idempotency_key end,
      refusals = refusals + case when ${state} = 'queued' then 1 else 0 end,
      settled_at = case when ${state} = 'done' then now() end
    where shop_id = ${shopId} and id = ${push.id} and state = 'sending' and idempotency_key = ${push.idempotencyKey}
    returning id
  `)
  return left !== null
}

const Named = Type.Object({
  title: Type.String(),
  locationName: Type.String(),
  count: Type.Integer(),
  gid: Type.String(),
})

async function raiseConflict(tx: Db, shopId: number, pushId: number, reason: string): Promise<void> {
  const named = await tx.maybeOne(sql.type(row(Named))`
    select concat_ws(' - ', p.title, nullif(v.title, '')) as title, w.name as location_name, p.gid,
      count(*) over () as count
    from stock_push_line x
    join variant v on v.shop_id = x.shop_id and v.id = x.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    join location w on w.shop_id = x.shop_id and w.id = x.location_id
    where x.shop_id = ${shopId} and x.push_id = ${pushId}
    order by x.variant_id, x.location_id
    limit 1
  `)
  if (!named) return
  const others = named.count > 1 ? ` and ${named.count - 1} more` : ''
  await raiseAlert(tx, shopId, {
    type: 'sync_conflict',
    subject: `stock_push/${pushId}`,
    message: `The shop did not take over a stock change of ${named.title}${others} at ${named.locationName}: ${reason}`,
    productGid: named.gid,
  })
}

/** Whether changes of the shop still wait to be told. */
export function hasOpenPushes(db: Db, shopId: number): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
  `)
}
