import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { startOfDays } from '../../kit/date-range.ts'
import { newestBy } from '../../kit/newest-by.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { markVelocity } from '../demand/velocity-marks.ts'
import { compareStates, type Order, type SoldOrder, soldOrder } from './order-lines.ts'

/** Variants of orders, as gids. */
export type RecordedOrders = {
  /** Those of all lines of orders whose state was applied: their stock may have moved, also by a test order, which sells nothing. */
  variantGids: readonly string[]
  /** Those whose sales changed. */
  changedGids: readonly string[]
}

/** The debounce delay: sales within this time are computed by one job. */
const velocityDelaySeconds = 10

const OrderGid = Type.Object({ orderGid: Type.String() })
const VariantGid = Type.Object({ variantGid: Type.String() })

/**
 * Records the sales of orders, and marks their variants. Of an order the newest state counts, in any order of arrival
 * (`compareStates`); the same state again changes nothing. A deleted order stays deleted.
 */
export async function recordOrders(
  tx: Db,
  shopId: number,
  orders: readonly Order[],
): Promise<RecordedOrders> {
  const states = newestBy(orders.map(soldOrder), ({ orderGid }) => orderGid, compareStates)
  const newest = [...states.values()]
  const claimed = new Set(await claimOrders(tx, shopId, newest))
  const applied = newest.filter(({ orderGid }) => claimed.has(orderGid))
  const lines = orders.flatMap((order) => (claimed.has(order.orderGid) ? order.lines : []))
  return {
    variantGids: [...new Set(lines.map(({ variantGid }) => variantGid).filter((gid) => gid !== null))],
    changedGids: await writeLines(tx, shopId, applied),
  }
}

/** Removes the sales of deleted orders. Their later webhooks change nothing. Returns the variants that were sold. */
export async function removeOrders(
  tx: Db,
  shopId: number,
  orders: readonly { orderGid: string; deletedAt: string }[],
): Promise<RecordedOrders> {
  const deletedAt = new Map(orders.map(({ orderGid, deletedAt: at }) => [orderGid, at]))
  if (deletedAt.size === 0) return { variantGids: [], changedGids: [] }
  await tx.query(sql.typeAlias('void')`
    insert into sale_order (shop_id, order_gid, updated_at, deleted_at)
    select ${shopId}::bigint, order_gid, deleted_at, deleted_at
    from ${sql.unnest([...deletedAt], ['text', 'timestamptz'])} as deleted (order_gid, deleted_at)
    order by order_gid
    on conflict (shop_id, order_gid) do update
    set deleted_at = coalesce(sale_order.deleted_at, excluded.deleted_at)
  `)
  const gone = [...deletedAt].map(([orderGid]) => ({ orderGid, lineGids: [], lines: [], orderedAt: '' }))
  const changedGids = await writeLines(tx, shopId, gone)
  return { variantGids: changedGids, changedGids }
}

/**
 * Locks the orders until the end of the transaction, and returns those whose stored state is not newer. An equal state
 * is returned, too: its lines are compared, which repairs what the previous release wrote beside this one. It is not returned
 * when an earlier release stored its revenue rounded down: the smaller revenue then counts as newer.
 */
async function claimOrders(tx: Db, shopId: number, orders: readonly SoldOrder[]): Promise<readonly string[]> {
  if (orders.length === 0) return []
  const rows = orders.map(({ orderGid, updatedAt, changes, revenue }) => [
    orderGid,
    updatedAt,
    changes,
    revenue,
  ])
  return tx.anyFirst(sql.type(row(OrderGid))`
    insert into sale_order (shop_id, order_gid, updated_at, changes, revenue)
    select ${shopId}::bigint, order_gid, updated_at, changes, revenue
    from ${sql.unnest(rows, ['text', 'timestamptz', 'int8', 'numeric'])}
      as reported (order_gid, updated_at, changes, revenue)
    order by order_gid
    on conflict (shop_id, order_gid) do update
    set updated_at = excluded.updated_at, changes = excluded.changes, revenue = excluded.revenue
    where sale_order.deleted_at is null
      and (sale_order.updated_at, sale_order.changes, -sale_order.revenue)
        <= (excluded.updated_at, excluded.changes, -excluded.revenue)
    returning order_gid
  `)
}

type WrittenOrder = Pick<SoldOrder, 'orderGid' | 'orderedAt' | 'lineGids' | 'lines'>

/**
 * Replaces the lines of orders that the transaction has locked. A line without a variant keeps what is stored of it:
 * its product was deleted after the sale. Returns the variants whose sales changed, and marks them.
 */
async function writeLines(
  tx: Db,
  shopId: number,
  orders: readonly WrittenOrder[],
): Promise<readonly string[]> {
  if (orders.length === 0) return []
  const listed = orders.flatMap(({ orderGid, lineGids }) => lineGids.map((lineGid) => [orderGid, lineGid]))
  const rows = orders.flatMap(({ orderGid, orderedAt, lines }) =>
    lines.map(({ lineGid, variantGid, quantity, cancelled, returned, revenue }) => [
      orderGid,
      lineGid,
      variantGid,
      quantity,
      cancelled,
      returned,
      revenue,
      orderedAt,
    ]),
  )
  const columns = ['text', 'text', 'text', 'int4', 'int4', 'int4', 'numeric', 'timestamptz']
  return tx.anyFirst(sql.type(row(VariantGid))`
    with listed as (
      select order_gid, line_gid from ${sql.unnest(listed, ['text', 'text'])} as listed (order_gid, line_gid)
    ),
    removed as (
      delete from sale s
      where s.shop_id = ${shopId}
        and s.order_gid = any(${arrayOf('text', orders, ({ orderGid }) => orderGid)})
        and not exists (
          select from listed l where l.order_gid = s.order_gid and l.line_gid = s.line_gid
        )
      returning s.variant_gid, s.ordered_at
    ),
    recorded as (
      insert into sale (
        shop_id, order_gid, line_gid, variant_gid, quantity, cancelled, returned, revenue, ordered_at
      )
      select ${shopId}::bigint, order_gid, line_gid, variant_gid, quantity, cancelled, returned,
        round(revenue, minor_digits(${currencyOf(shopId)})), ordered_at
      from ${sql.unnest(rows, columns)}
        as sold (order_gid, line_gid, variant_gid, quantity, cancelled, returned, revenue, ordered_at)
      order by order_gid, line_gid
      on conflict (shop_id, order_gid, line_gid) do update
      set variant_gid = excluded.variant_gid,
        quantity = excluded.quantity,
        cancelled = excluded.cancelled,
        returned = excluded.returned,
        revenue = excluded.revenue,
        ordered_at = excluded.ordered_at
      where (sale.variant_gid, sale.quantity, sale.cancelled, sale.returned, sale.revenue, sale.ordered_at)
        is distinct from (
          excluded.variant_gid, excluded.quantity, excluded.cancelled, excluded.returned, excluded.revenue,
          excluded.ordered_at
        )
      returning variant_gid, ordered_at
    ),
    changed as (
      select variant_gid, bool_or(ordered_at < ${startOfDays(shopId, 1)}) as is_past
      from (select * from removed union all select * from recorded) line
      group by variant_gid
    ),
    marked as (
      ${markVelocity(shopId, sql.fragment`select variant_gid, is_past from changed`)}
    )
    select variant_gid from changed
  `)
}

/** Longer than any report looks back: 730 days. The day of a variant's last sale stays stored in its velocity. */
export const keptYears = 3
const maxRemoved = 20_000

/** Deletes a batch of the oldest sales of a shop. */
export async function removeOldSales(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with orders as (
      delete from sale_order
      where shop_id = ${shopId} and order_gid = any(array(
        select order_gid from sale_order
        where shop_id = ${shopId} and updated_at < now() - make_interval(years => ${keptYears})
        order by updated_at
        limit ${maxRemoved}
      ))
    )
    delete from sale
    where shop_id = ${shopId} and (order_gid, line_gid) in (
      select order_gid, line_gid from sale
      where shop_id = ${shopId} and ordered_at < now() - make_interval(years => ${keptYears})
      order by ordered_at
      limit ${maxRemoved}
    )
  `)
}

/** Enqueues one debounced job per shop. A concurrent enqueue waits for this transaction, so the job sees both. */
export async function computeVelocitySoon(
  tx: Db,
  shopId: number,
  { changedGids }: Pick<RecordedOrders, 'changedGids'>,
): Promise<void> {
  if (changedGids.length === 0) return
  const key = jobKey(jobs.recomputeSalesVelocity, shopId)
  await enqueue(tx, jobs.recomputeSalesVelocity, { shopId }, { key, inSeconds: velocityDelaySeconds })
}
