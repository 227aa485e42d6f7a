import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'

/** A variant whose stock can be read from the platform. Several variants may share one inventory item. */
export const StockedVariant = Type.Object({ id: Id, inventoryItemGid: Type.String() })
export type StockedVariant = Static<typeof StockedVariant>

const StoredLevel = Type.Object({
  variantId: Id,
  locationId: Id,
  platformQuantity: Type.Integer(),
  platformUpdatedAt: Nullable(Timestamp),
})
type StoredLevel = Static<typeof StoredLevel>

export function listStockedVariants(
  db: Db,
  shopId: number,
  after: number,
  limit: number,
): Promise<readonly StockedVariant[]> {
  return db.any(sql.type(row(StockedVariant))`
    select id, inventory_item_gid
    from variant
    where shop_id = ${shopId} and id > ${after} and inventory_item_gid is not null and deleted_at is null
    order by id
    limit ${limit}
  `)
}

export function listStockedVariantsOf(
  db: Db,
  shopId: number,
  productGid: string,
): Promise<readonly StockedVariant[]> {
  return db.any(sql.type(row(StockedVariant))`
    select v.id, v.inventory_item_gid
    from product p
    join variant v on v.shop_id = ${shopId} and v.product_id = p.id
    where p.shop_id = ${shopId} and p.gid = ${productGid}
      and v.inventory_item_gid is not null and v.deleted_at is null
    order by v.id
  `)
}

/** The levels of these variants where the platform had goods in any state, or that were never read. */
export function listReportedLevels(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly StoredLevel[]> {
  return db.any(sql.type(row(StoredLevel))`
    select variant_id, location_id, platform_quantity, platform_updated_at
    from stock_level
    where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
      and (platform_quantity <> 0 or committed is distinct from 0 or unavailable is distinct from 0)
  `)
}
