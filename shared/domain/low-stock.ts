import { type Db, sql } from '../db.ts'

/**
 * Brings the reorder rules of some variants in line with their stock, after levels or rules have changed. Rules are
 * locked before the levels are read: of two who change levels of one variant, the second counts both.
 */
export async function refreshRules(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select id
    from reorder_rule
    where shop_id = ${shopId} and variant_id = any(${sql.array([...new Set(variantIds)], 'int8')})
    order by id
    for no key update
  `)
  if (ids.length === 0) return
  await tx.query(sql.typeAlias('void')`
    update reorder_rule r
    set current_stock = level.sum
    from reorder_rule x
    cross join lateral (
      select coalesce(sum(l.quantity), 0) as sum
      from stock_level l
      where l.shop_id = x.shop_id and l.variant_id = x.variant_id
        and (x.location_id is null or l.location_id = x.location_id)
    ) level
    where x.shop_id = ${shopId} and x.id = any(${sql.array([...ids], 'int8')})
      and r.shop_id = ${shopId} and r.id = x.id and r.current_stock <> level.sum
  `)
}
