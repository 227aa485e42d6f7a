import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { enqueue, jobKey } from '../../../../queue/enqueue.ts'
import { jobs } from '../../../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../../../schemas/common.ts'

/*
 * Webhooks contain only the available quantity, so the worker asks the platform for the others. A row of `level_read` is
 * a request to read the levels of a variant:
 *   (none)  -> due      enqueueReadLevels   a webhook, or a number of a count; once per variant, however often it moves
 *   due     -> claimed  claimReads          for a minute, so that two jobs of a shop do not read the same
 *   claimed -> (none)   settleReads         the reading was stored
 *   claimed -> due      settleReads         after a pause: a push of ours is under way for a level, or a newer update
 *                                           arrived; `releaseReads`: the platform did not answer
 *
 * A reading ends the requests that were committed before it began, so it stores its quantities for the counts behind them. A
 * request that is committed later has another `requested_at`, and the next reading ends it.
 */

/** Smaller ones are read first. `upgrade`: migration 36 requested all variants, when it added their other quantities. */
export const readPriorities = { count: 0, update: 1, upgrade: 2 } as const

/** Webhooks of one second lead to one request. */
const debounceSeconds = 1

/**
 * Requests a reading of these variants' levels at all locations, and enqueues the job. The last statement of a
 * transaction, since other users of the job's key wait until the commit.
 */
export async function enqueueReadLevels(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
  { priority = 'update' }: { priority?: 'count' | 'update' } = {},
): Promise<void> {
  if (variantIds.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into level_read (shop_id, variant_id, priority, requested_at, due_at)
    select shop_id, id, ${readPriorities[priority]}, clock_timestamp(), now()
    from variant
    where shop_id = ${shopId} and id = any(${sql.array([...new Set(variantIds)], 'int8')})
      and inventory_item_gid is not null and deleted_at is null
    order by id
    on conflict (shop_id, variant_id) do update
    set priority = least(level_read.priority, excluded.priority),
      requested_at = greatest(excluded.requested_at, level_read.requested_at + interval '1 microsecond'),
      due_at = least(level_read.due_at, excluded.due_at), attempts = 0
  `)
  const inSeconds = priority === 'count' ? 0 : debounceSeconds
  await enqueue(tx, jobs.readLevels, { shopId }, { key: jobKey(jobs.readLevels, shopId), inSeconds })
}

/** The same for variants by their platform ids; unknown ones are left out, since their product is read anyway. */
export async function enqueueReadLevelsOf(
  tx: Db,
  shopId: number,
  variantGids: readonly string[],
): Promise<void> {
  if (variantGids.length === 0) return
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = any(${sql.array([...new Set(variantGids)], 'text')})
  `)
  await enqueueReadLevels(tx, shopId, ids)
}

/** The variants with a request that no reading has ended: their committed and unavailable quantities may be old. */
export async function findAwaitedReads(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<Set<number>> {
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select variant_id as id from level_read where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
  `)
  return new Set(ids)
}

/**
 * A person waits for a reading of these variants: requests it, or moves its request to the front. The request stays the same, so that
 * one which is repeated every second does not outlive a reading that takes longer.
 */
export async function hurryReadLevels(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const awaited = await findAwaitedReads(tx, shopId, variantIds)
  await tx.query(sql.typeAlias('void')`
    with late as (
      select variant_id
      from level_read
      where shop_id = ${shopId} and variant_id = any(${sql.array([...awaited], 'int8')})
        and priority > ${readPriorities.count}
      order by variant_id
      for no key update
    )
    update level_read r
    set priority = ${readPriorities.count}
    from late
    where r.shop_id = ${shopId} and r.variant_id = late.variant_id
  `)
  const others = variantIds.filter((id) => !awaited.has(id))
  await enqueueReadLevels(tx, shopId, others, { priority: 'count' })
}

const ClaimedRead = Type.Object({ id: Id, inventoryItemGid: Nullable(Type.String()) })
type ClaimedRead = Static<typeof ClaimedRead>

/** Claims the next variants to read: those of counts first. A variant without an item cannot be read any more. */
export function claimReads(db: Db, shopId: number, limit: number): Promise<readonly ClaimedRead[]> {
  return db.any(sql.type(row(ClaimedRead))`
    with next as (
      select variant_id
      from level_read
      where shop_id = ${shopId} and due_at <= now()
      order by priority, requested_at, variant_id
      limit ${limit}
      for no key update skip locked
    )
    update level_read r
    set due_at = now() + interval '1 minute', attempts = r.attempts + 1
    from next
    join variant v on v.shop_id = ${shopId} and v.id = next.variant_id
    where r.shop_id = ${shopId} and r.variant_id = next.variant_id
    returning v.id, case when v.deleted_at is null then v.inventory_item_gid end as inventory_item_gid
  `)
}

const ReadRequest = Type.Object({ variantId: Id, requestedAt: Type.String() })
export type ReadRequest = Static<typeof ReadRequest>

const BegunReading = Type.Object({
  readAt: Timestamp,
  requests: Type.Array(ReadRequest),
  hasDraftCounts: Type.Boolean(),
})
type BegunReading = Static<typeof BegunReading>

/**
 * Returns the time before a reading, the requests that it ends, and whether the shop has counts that may wait for it. At
 * night most readings have neither.
 */
export function beginReading(db: Db, shopId: number, variantIds: readonly number[]): Promise<BegunReading> {
  return db.one(sql.type(row(BegunReading))`
    select now() as read_at,
      coalesce(jsonb_agg(jsonb_build_object('variantId', variant_id, 'requestedAt', requested_at)), '[]') as requests,
      exists (select from stock_count where shop_id = ${shopId} and status = 'draft') as has_draft_counts
    from level_read
    where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
  `)
}

/** The platform did not answer: the job's next attempt claims these variants again. */
export async function releaseReads(db: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update level_read
    set due_at = now()
    where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
  `)
}

/** Removes requests of variants that cannot be read. */
export async function dropReads(db: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  if (variantIds.length === 0) return
  await db.query(sql.typeAlias('void')`
    delete from level_read where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
  `)
}

/** After this many pauses, a quarter of an hour together, the request is deleted; the nightly reconciliation reads the variant. */
const maxAttempts = 18

type SettledReads = {
  /** The requests of `beginReading` for variants whose reading is stored. */
  done: readonly ReadRequest[]
  /** Variants whose reading could not be stored. */
  due: readonly number[]
}

export async function settleReads(tx: Db, shopId: number, { done, due }: SettledReads): Promise<void> {
  const rows = done.map(({ variantId, requestedAt }) => [variantId, requestedAt])
  const dueIds = sql.array([...due], 'int8')
  await tx.query(sql.typeAlias('void')`
    with ended as (
      delete from level_read r
      using ${sql.unnest(rows, ['int8', 'timestamptz'])} as done (variant_id, requested_at)
      where r.shop_id = ${shopId} and r.variant_id = done.variant_id and r.requested_at = done.requested_at
    ),
    given_up as (
      delete from level_read
      where shop_id = ${shopId} and variant_id = any(${dueIds}) and attempts >= ${maxAttempts}
    )
    update level_read
    set due_at = least(due_at, now() + make_interval(secs => least(power(2, attempts), 60)))
    where shop_id = ${shopId} and variant_id = any(${dueIds}) and attempts < ${maxAttempts}
  `)
}

const NextRead = Type.Object({ seconds: Nullable(Type.Number()) })

/**
 * Enqueues a job for the requests that are left, at the time when the first one is due. A job keeps its start time when it is
 * enqueued again, so the waits of 1 s, 2 s to 3 s, 4 s to 7 s and so on have jobs of their own.
 */
export async function resumeReads(db: Db, shopId: number): Promise<void> {
  const { seconds } = await db.one(sql.type(row(NextRead))`
    select extract(epoch from min(due_at) - now())::float8 as seconds from level_read where shop_id = ${shopId}
  `)
  if (seconds === null) return
  const inSeconds = Math.max(0, Math.ceil(seconds))
  const key = `${jobKey(jobs.readLevels, shopId)}:rest:${Math.ceil(Math.log2(inSeconds + 1))}`
  await enqueue(db, jobs.readLevels, { shopId }, { key, inSeconds })
}
