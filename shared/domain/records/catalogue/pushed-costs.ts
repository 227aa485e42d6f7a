import { arrayOf, type Db, sql } from '../../../db/db.ts'

/** A cost of an inventory item; null where the variant has no item. */
type SentCost = { inventoryItemGid: string | null; cost: string | null }

/**
 * Stores that costs are about to be sent to the platform, so that its reports of them are recognised (`reported-items.ts`). Three costs, since
 * reports of the one before may arrive late, within the same second.
 */
export async function rememberPushedCosts(tx: Db, shopId: number, costs: readonly SentCost[]): Promise<void> {
  const rows = costs.flatMap(({ inventoryItemGid, cost }) =>
    inventoryItemGid === null ? [] : [[inventoryItemGid, cost]],
  )
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select id from variant
    where shop_id = ${shopId} and inventory_item_gid = any(${arrayOf('text', rows, ([gid]) => gid ?? '')})
    order by id
    for no key update
  `)
  await tx.query(sql.typeAlias('void')`
    update variant v
    set pushed_costs = (array[x.cost] || v.pushed_costs)[1:3], pushed_at = now()
    from ${sql.unnest(rows, ['text', 'numeric'])} as x (item_gid, cost)
    where v.shop_id = ${shopId} and v.id = any(${sql.array([...ids], 'int8')}) and v.inventory_item_gid = x.item_gid
  `)
}

/** Stores the cost that the platform has accepted for an item, unless a newer report of the item is stored. `updatedAt`: ISO instant. */
export async function storePushedCost(
  tx: Db,
  shopId: number,
  { itemGid, cost, updatedAt }: { itemGid: string | null; cost: string | null; updatedAt: string },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with locked as (
      select id from variant
      where shop_id = ${shopId} and inventory_item_gid = ${itemGid}
      order by id
      for no key update
    )
    update variant v
    set platform_cost = ${cost}::numeric, item_updated_at = ${updatedAt}::timestamptz,
      pushed_costs = case
        when ${cost}::numeric(19, 4) = any(v.pushed_costs) then v.pushed_costs
        else (array[${cost}::numeric] || v.pushed_costs)[1:3]
      end
    from locked
    where v.shop_id = ${shopId} and v.id = locked.id
      and coalesce(v.item_updated_at, '-infinity') <= ${updatedAt}::timestamptz
  `)
}
