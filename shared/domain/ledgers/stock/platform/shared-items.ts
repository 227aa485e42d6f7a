import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'

const SharedItem = Type.Object({ variantGid: Type.String(), itemGid: Type.String() })

/**
 * The inventory items that several of these variants share, by the platform's ids of the variants. Such variants have one level at each
 * location: a request that sets it twice would send both differences. Example: two variants of an item show 10; set both to 15, and
 * the platform would get +5 twice.
 */
export async function findSharedItems(
  db: Db,
  shopId: number,
  variantGids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const gids = [...new Set(variantGids)]
  if (gids.length < 2) return new Map()
  const shared = await db.any(sql.type(row(SharedItem))`
    select variant_gid, item_gid
    from (
      select gid as variant_gid, inventory_item_gid as item_gid, count(*) over (partition by inventory_item_gid) as variants
      from variant
      where shop_id = ${shopId} and gid = any(${sql.array(gids, 'text')}) and inventory_item_gid is not null
    ) item
    where variants > 1
  `)
  return new Map(shared.map(({ variantGid, itemGid }) => [variantGid, itemGid]))
}
