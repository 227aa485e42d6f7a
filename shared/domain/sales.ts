import { type Db, sql } from '../db.ts'

/** One line of an order: so many of a variant were sold, in whatever sales channel. */
export type Sale = {
  orderGid: string
  lineGid: string
  variantGid: string
  quantity: number
  /** ISO instant. */
  orderedAt: string
}

/** Records what was sold. A line that is known already stays as it is, so the same order may be told twice. */
export async function recordSales(tx: Db, shopId: number, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  const rows = sales.map(({ orderGid, lineGid, variantGid, quantity, orderedAt }) => [
    orderGid,
    lineGid,
    variantGid,
    quantity,
    orderedAt,
  ])
  await tx.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select ${shopId}::bigint, order_gid, line_gid, variant_gid, quantity, ordered_at
    from ${sql.unnest(rows, ['text', 'text', 'text', 'int4', 'timestamptz'])}
      as sold (order_gid, line_gid, variant_gid, quantity, ordered_at)
    order by order_gid, line_gid
    on conflict do nothing
  `)
}
