import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'

const Drafted = Type.Object({ variantId: Id, pieces: Type.Integer() })

type Wanted = {
  supplierId?: number
  /** An order that does not count. */
  exceptId?: number
  /** The destination; an order without one goes to the primary location. */
  locationId?: string | undefined
}

/** The pieces of these variants (row ids) in draft orders. */
export async function readDrafts(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
  { supplierId, exceptId, locationId }: Wanted = {},
): Promise<ReadonlyMap<number, number>> {
  const drafted = await db.any(sql.type(row(Drafted))`
    select l.variant_id, sum(l.quantity) as pieces
    from purchase_order_line l
    join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
    where ${sql.and([
      sql.fragment`l.shop_id = ${shopId} and l.variant_id = any(${sql.array([...variantIds], 'int8')})`,
      sql.fragment`o.status = 'draft'`,
      supplierId !== undefined && sql.fragment`o.supplier_id = ${supplierId}`,
      exceptId !== undefined && sql.fragment`o.id <> ${exceptId}`,
      locationId !== undefined &&
        sql.fragment`coalesce(
          o.destination_location_id, (select w.id from location w where w.shop_id = ${shopId} and w.is_primary)
        ) = (select w.id from location w where w.shop_id = ${shopId} and w.gid = ${locationId})`,
    ])}
    group by l.variant_id
  `)
  return new Map(drafted.map(({ variantId, pieces }) => [variantId, pieces]))
}
