import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { jobs } from '../jobs.ts'
import { enqueue } from '../queue.ts'

/** One line of an order: so many of a variant were sold, in whatever sales channel. */
export type Sale = {
  orderGid: string
  lineGid: string
  variantGid: string
  quantity: number
  /** ISO instant. */
  orderedAt: string
}

const Marked = Type.Object({ count: Type.Integer() })

/** Sales that come within so many seconds are computed together. */
const velocityDelaySeconds = 10

/**
 * Records what was sold. A line that is known already stays as it is, so the same order may be told twice. The velocity
 * of what is new here is computed soon after: by one job of the shop, so whoever records more of the same shop at the
 * same time waits at the end of this until the transaction is over.
 */
export async function recordSales(tx: Db, shopId: number, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  const rows = sales.map(({ orderGid, lineGid, variantGid, quantity, orderedAt }) => [
    orderGid,
    lineGid,
    variantGid,
    quantity,
    orderedAt,
  ])
  const marked = await tx.oneFirst(sql.type(row(Marked))`
    with recorded as (
      insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
      select ${shopId}::bigint, order_gid, line_gid, variant_gid, quantity, ordered_at
      from ${sql.unnest(rows, ['text', 'text', 'text', 'int4', 'timestamptz'])}
        as sold (order_gid, line_gid, variant_gid, quantity, ordered_at)
      order by order_gid, line_gid
      on conflict do nothing
      returning variant_gid
    ),
    marked as (
      insert into velocity_mark (shop_id, variant_gid)
      select distinct ${shopId}::bigint, variant_gid from recorded
      returning id
    )
    select count(*) from marked
  `)
  if (marked === 0) return
  const key = `shop:${shopId}:${jobs.recomputeSalesVelocity.name}`
  await enqueue(tx, jobs.recomputeSalesVelocity, { shopId }, { key, inSeconds: velocityDelaySeconds })
}
