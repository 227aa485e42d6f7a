import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import { Sync, type SyncCause, SyncCounts, SyncPhase } from '../../../schemas/sync.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { readPriorities } from '../../ledgers/stock/platform/read-requests.ts'

/*
 * States of a sync, which reads a whole shop. A shop has at most one running sync (index catalog_sync_running).
 *   (none)  -> running  the merchant, the installation or a job starts it (`SyncCause`); its job is enqueued in the same
 *                       transaction
 *   running -> running  a page and the next cursor are stored in one transaction, so a crash repeats at most one page
 *   running -> done     the last page of the last phase was stored
 *   running -> failed   the job has no attempts left, or the app has no access to the shop
 */

export const RunningSync = Type.Object({
  id: Id,
  phase: SyncPhase,
  cursor: Nullable(Type.String()),
  counts: SyncCounts,
  startedAt: Timestamp,
})
export type RunningSync = Static<typeof RunningSync>

/** The position after a page. A null phase ends the sync. */
type SyncStep = {
  phase: SyncPhase | null
  cursor: string | null
  counts: SyncCounts
  /** A sentence for the merchant when some data could not be read. */
  reason?: string | undefined
}

const Started = Type.Object({ id: Id, isNew: Type.Boolean() })

const counts = sql.fragment`
  jsonb_build_object(
    'locations', location_count, 'products', product_count, 'variants', variant_count, 'levels', level_count,
    'orders', order_count
  ) as counts
`

/** The version of the fields that a sync reads. Raise it with each field, so that every shop is read again. */
export const fieldsVersion = 4

/** Starts a sync, unless one is running; a running one without progress for 15 minutes gets a new job. */
export function startSync(db: Db, shopId: number, cause: SyncCause): Promise<{ sync: Sync; isNew: boolean }> {
  return db.transaction(async (tx) => {
    const started = await tx.maybeOne(sql.type(row(Started))`
      insert into catalog_sync (shop_id, cause, fields_version)
      values (${shopId}, ${cause}, ${fieldsVersion})
      on conflict (shop_id) where state = 'running' do update
      set progressed_at = excluded.progressed_at
      where catalog_sync.progressed_at < excluded.progressed_at - interval '15 minutes'
      returning id, started_at = progressed_at as is_new
    `)
    if (started) await enqueue(tx, jobs.syncCatalog, { shopId, catalogSyncId: started.id })
    return { sync: await getSync(tx, shopId), isNew: started?.isNew ?? false }
  })
}

export function getSync(db: Db, shopId: number): Promise<Sync> {
  return db.one(sql.type(row(Sync))`
    select coalesce(s.state, 'none') as state, s.phase, s.cause,
      coalesce(
        s.counts,
        '{"locations": 0, "products": 0, "variants": 0, "levels": 0, "orders": 0}'
      ) as counts,
      coalesce(s.reason, '') as reason, s.started_at, s.finished_at,
      (
        select received_at from webhook_delivery where shop_id = ${shopId} order by id desc limit 1
      ) as last_webhook_at,
      (
        select count(*) from webhook_delivery where shop_id = ${shopId} and state = 'failed'
      ) as failed_deliveries,
      (
        select count(*) from level_read where shop_id = ${shopId} and priority = ${readPriorities.upgrade}
      ) as unread_variants,
      (
        select jsonb_build_object(
          'knownSince', ${isoInstant(sql.fragment`known.known_since`)},
          'knownDays', case when known.known_day is not null then least(known.today - known.known_day, 90) end,
          'readUntil', ${isoInstant(sql.fragment`r.read_until`)},
          'readingSince', ${isoInstant(sql.fragment`r.started_at`)},
          'ordersRead', coalesce(r.order_count, 0)
        )
        from (${knownDaysOf(shopId)}) known
        left join sales_reading r on r.shop_id = ${shopId}
      ) as sales
    from (values (1)) as always (one)
    left join (
      select state, case when state <> 'done' then phase end as phase, cause, ${counts}, reason, started_at, finished_at
      from catalog_sync
      where shop_id = ${shopId}
      order by id desc
      limit 1
    ) s on true
  `)
}

export function findRunningSync(db: Db, shopId: number, id: number): Promise<RunningSync | null> {
  return db.maybeOne(sql.type(row(RunningSync))`
    select id, phase, cursor, ${counts}, started_at
    from catalog_sync
    where shop_id = ${shopId} and id = ${id} and state = 'running'
  `)
}

/** Returns false when the sync has ended or moved on: then the caller must not store its page. */
export async function lockSync(tx: Db, shopId: number, { id, phase, cursor }: RunningSync): Promise<boolean> {
  const locked = await tx.maybeOne(sql.typeAlias('id')`
    select id
    from catalog_sync
    where shop_id = ${shopId} and id = ${id} and state = 'running'
      and phase = ${phase} and cursor is not distinct from ${cursor}
    for update
  `)
  return locked !== null
}

/** Stores the next position of a sync that the caller has locked, in the transaction that stores the page. */
export async function advanceSync(tx: Db, shopId: number, id: number, step: SyncStep): Promise<void> {
  const { phase, cursor, counts: read, reason } = step
  await tx.query(sql.typeAlias('void')`
    update catalog_sync
    set phase = coalesce(${phase}, phase),
      cursor = ${cursor},
      state = case when ${phase === null} then 'done' else state end,
      finished_at = ${phase === null ? sql.fragment`now()` : null},
      location_count = ${read.locations},
      product_count = ${read.products},
      variant_count = ${read.variants},
      level_count = ${read.levels},
      order_count = ${read.orders},
      reason = coalesce(${reason ?? null}, reason),
      progressed_at = now()
    where shop_id = ${shopId} and id = ${id} and state = 'running'
  `)
}

/** Marks a running sync as failed. `reason` is a sentence for the merchant. */
export async function failSync(db: Db, shopId: number, id: number, reason: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update catalog_sync
    set state = 'failed', reason = ${reason}, finished_at = now()
    where shop_id = ${shopId} and id = ${id} and state = 'running'
  `)
}
