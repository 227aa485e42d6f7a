import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import { Timestamp } from '../../schemas/common.ts'

/** One line of an order of any sales channel. */
const Sale = Type.Object({
  orderGid: Type.String(),
  lineGid: Type.String(),
  variantGid: Type.String(),
  quantity: Type.Integer(),
  orderedAt: Timestamp,
})
export type Sale = Static<typeof Sale>

/** The debounce delay: sales within this time are computed by one job. */
const velocityDelaySeconds = 10

/** Records sales, marks their variants and returns the new ones. Known lines stay unchanged, so repeats are safe. */
export async function recordSales(tx: Db, shopId: number, sales: readonly Sale[]): Promise<readonly Sale[]> {
  if (sales.length === 0) return []
  const rows = sales.map(({ orderGid, lineGid, variantGid, quantity, orderedAt }) => [
    orderGid,
    lineGid,
    variantGid,
    quantity,
    orderedAt,
  ])
  return tx.any(sql.type(row(Sale))`
    with recorded as (
      insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
      select ${shopId}::bigint, order_gid, line_gid, variant_gid, quantity, ordered_at
      from ${sql.unnest(rows, ['text', 'text', 'text', 'int4', 'timestamptz'])}
        as sold (order_gid, line_gid, variant_gid, quantity, ordered_at)
      order by order_gid, line_gid
      on conflict do nothing
      returning order_gid, line_gid, variant_gid, quantity, ordered_at
    ),
    marked as (
      insert into velocity_mark (shop_id, variant_gid)
      select distinct ${shopId}::bigint, variant_gid from recorded
    )
    select order_gid, line_gid, variant_gid, quantity, ordered_at from recorded
  `)
}

/** Enqueues one debounced job per shop. A concurrent enqueue waits for this transaction, so the job sees both. */
export async function computeVelocitySoon(tx: Db, shopId: number, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  const key = `shop:${shopId}:${jobs.recomputeSalesVelocity.name}`
  await enqueue(tx, jobs.recomputeSalesVelocity, { shopId }, { key, inSeconds: velocityDelaySeconds })
}
