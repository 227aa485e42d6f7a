import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'

const Drafted = Type.Object({ variantId: Id, pieces: Type.Integer() })

/** The pieces of these variants (row ids) in draft orders. */
export async function readDrafts(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const drafted = await db.any(sql.type(row(Drafted))`
    select l.variant_id, sum(l.quantity) as pieces
    from purchase_order_line l
    join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
    where l.shop_id = ${shopId} and l.variant_id = any(${sql.array([...variantIds], 'int8')}) and o.status = 'draft'
    group by l.variant_id
  `)
  return new Map(drafted.map(({ variantId, pieces }) => [variantId, pieces]))
}
