import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Nullable, Timestamp } from '../../../schemas/common.ts'
import { removeOldSales } from './record.ts'

/*
 * How far the orders of a shop have been read. The import reads the orders of all days that the platform shows; later
 * readings read what changed since. Webhooks report the same changes at once, so a reading finds those that were lost.
 */

/** The days of orders that the platform shows to an app without `read_all_orders`, and that we read with it. */
const daysShown = 60
const daysOfAll = 90
/** A change may be listed late, and the clocks may differ. */
const overlapMinutes = 15
/** A reading without an end is started again. It continues while its job is retried. */
const maxHours = 24

const Reading = Type.Object({
  startedAt: Timestamp,
  cursor: Nullable(Type.String()),
  orderCount: Type.Integer(),
  /** The reading lists the orders that were created, or changed if there was a reading before, since this instant. */
  since: Timestamp,
  isFirst: Type.Boolean(),
})
export type Reading = Static<typeof Reading>

/** SQL: how many days of orders the app may see, by the scopes of `shop_credential` c. */
const visibleDays = sql.fragment`
  case when 'read_all_orders' = any(string_to_array(c.scopes, ',')) then ${daysOfAll}::int else ${daysShown}::int end
`

/** The oldest instant whose orders the app may see at `at`. */
export async function oldestVisible(db: Db, shopId: number, at: string): Promise<string> {
  const { since } = await db.one(sql.type(row(Type.Object({ since: Timestamp })))`
    select ${at}::timestamptz - make_interval(days => ${visibleDays}) as since
    from shop_credential c
    where c.shop_id = ${shopId}
  `)
  return since
}

/** At the installation, the sales are known since the oldest instant that its scopes show. */
export async function startKnowingSales(tx: Db, shopId: number, installedAt: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since)
    select c.shop_id, ${installedAt}::timestamptz - make_interval(days => ${visibleDays})
    from shop_credential c
    where c.shop_id = ${shopId}
    on conflict (shop_id) do nothing
  `)
}

/**
 * Starts a reading at `startedAt`, or continues the one under way. Null while an import reads the orders. A shop that
 * installed an earlier release has no row yet: its sales are known since what its first import could see.
 */
export function openReading(db: Db, shopId: number, startedAt: string): Promise<Reading | null> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      insert into sales_reading (shop_id, known_since)
      select s.id, coalesce(imported.started_at - make_interval(days => ${visibleDays}), s.installed_at)
      from shop s
      join shop_credential c on c.shop_id = ${shopId}
      cross join lateral (
        select min(started_at) as started_at
        from catalog_sync
        where shop_id = ${shopId} and state = 'done' and reason = ''
      ) imported
      where s.id = ${shopId} and s.uninstalled_at is null
      on conflict (shop_id) do nothing
    `)
    return tx.maybeOne(sql.type(row(Reading))`
      with begun as (
        update sales_reading
        set started_at = ${startedAt}::timestamptz, cursor = null, order_count = 0
        where shop_id = ${shopId}
          and (started_at is null or started_at < ${startedAt}::timestamptz - make_interval(hours => ${maxHours}))
          and (
            read_until is not null
            or not exists (select from catalog_sync where shop_id = ${shopId} and state = 'running')
          )
        returning *
      ),
      reading as (
        select * from begun
        union all
        select *
        from sales_reading
        where shop_id = ${shopId} and started_at is not null and not exists (select from begun)
      )
      select r.started_at, r.cursor, r.order_count, r.read_until is null as is_first,
        coalesce(
          r.read_until - make_interval(mins => ${overlapMinutes}),
          r.started_at - make_interval(days => ${visibleDays})
        ) as since
      from reading r
      join shop_credential c on c.shop_id = ${shopId} and c.shop_id = r.shop_id
    `)
  })
}

/** Returns false when the reading has ended or moved on: then the caller must not store its page. */
export async function lockReading(
  tx: Db,
  shopId: number,
  { startedAt, cursor }: Pick<Reading, 'startedAt' | 'cursor'>,
): Promise<boolean> {
  const locked = await tx.maybeOne(sql.typeAlias('id')`
    select shop_id as id
    from sales_reading
    where shop_id = ${shopId} and started_at = ${startedAt}::timestamptz and cursor is not distinct from ${cursor}
    for update
  `)
  return locked !== null
}

/** Stores the position after a page, in the transaction that stores its orders. The caller has locked the reading. */
export async function advanceReading(
  tx: Db,
  shopId: number,
  { cursor, orderCount }: { cursor: string; orderCount: number },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update sales_reading set cursor = ${cursor}, order_count = ${orderCount} where shop_id = ${shopId}
  `)
}

/** Ends a reading after its last page, and removes old sales. After the first reading, all numbers that depend on sales are computed again. */
export async function endReading(
  tx: Db,
  shopId: number,
  { startedAt, since, isFirst }: Pick<Reading, 'startedAt' | 'since' | 'isFirst'>,
  orderCount: number,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update sales_reading
    set read_until = ${startedAt}::timestamptz,
      known_since = case when ${isFirst} then least(known_since, ${since}::timestamptz) else known_since end,
      started_at = null, cursor = null, order_count = ${orderCount}
    where shop_id = ${shopId}
  `)
  await removeOldSales(tx, shopId)
  if (isFirst) await computeAgain(tx, shopId)
}

/** The platform refuses orders to the app. Nothing is read; sales count from the webhooks alone. */
export async function giveUpReading(db: Db, shopId: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update sales_reading set started_at = null, cursor = null where shop_id = ${shopId} and started_at is not null
  `)
}

/** The import has read all orders since `since`; null if the platform refused them. */
export async function recordImport(
  tx: Db,
  shopId: number,
  { startedAt, since }: { startedAt: string; since: string | null },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since, read_until)
    values (${shopId}, ${since ?? startedAt}::timestamptz, ${since === null ? null : startedAt}::timestamptz)
    on conflict (shop_id) do update
    set known_since = case
        when excluded.read_until is not null then least(sales_reading.known_since, excluded.known_since)
        when sales_reading.read_until is null then greatest(sales_reading.known_since, excluded.known_since)
        else sales_reading.known_since
      end,
      read_until = coalesce(sales_reading.read_until, excluded.read_until)
  `)
}

/** Enqueues a reading at once, as after a gap in the webhooks. */
export async function readOrdersSoon(tx: Db, shopId: number): Promise<void> {
  await enqueue(tx, jobs.readOrders, { shopId }, { key: jobKey(jobs.readOrders, shopId) })
}

async function computeAgain(tx: Db, shopId: number): Promise<void> {
  await enqueue(tx, jobs.recomputeSalesVelocity, { shopId, isWhole: true })
  await enqueue(tx, jobs.recomputeReorderPoints, { shopId })
}
