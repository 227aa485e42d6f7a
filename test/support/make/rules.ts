import { Type } from '@sinclair/typebox'
import { type DatabasePool, type Db, row, sql } from '../../../shared/db/db.ts'
import { refreshRules } from '../../../shared/domain/reorder/low-stock.ts'
import { lockVariants } from '../../../shared/domain/stock/move.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

type Shop = Pick<Person, 'shopId'>

/** Makes a rule for variant n of `makeStock`, at all locations or at one. Returns its id. */
export function makeRule(
  db: DatabasePool,
  { shopId }: Shop,
  {
    variant = 1,
    location = null,
    reorderPoint = 5,
  }: { variant?: number; location?: number | null; reorderPoint?: number } = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const variantId = await tx.oneFirst(sql.typeAlias('id')`
      select id from variant where shop_id = ${shopId} and gid = ${variantGid(variant)}
    `)
    await lockVariants(tx, shopId, [variantId])
    const id = await tx.oneFirst(sql.typeAlias('id')`
      insert into reorder_rule (shop_id, variant_id, location_id, reorder_point, reorder_quantity, created_by)
      values (
        ${shopId}, ${variantId},
        (select id from location where shop_id = ${shopId} and gid = ${locationGid(location ?? 0)}),
        ${reorderPoint}, 20, 'alice-1'
      )
      returning id
    `)
    await refreshRules(tx, shopId, [variantId])
    return id
  })
}

const Stock = Type.Object({ currentStock: Type.Integer() })

/** The stock of the shop's rules, in the order of their creation. */
export function stockOfRules(db: Db, { shopId }: Shop): Promise<readonly number[]> {
  return db.anyFirst(sql.type(row(Stock))`
    select current_stock from reorder_rule where shop_id = ${shopId} order by id
  `)
}

/** Changes a rule in the database, without updating its alert. */
export async function setReorderPoint(
  db: Db,
  { shopId }: Shop,
  ruleId: number,
  point: number,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update reorder_rule set reorder_point = ${point} where shop_id = ${shopId} and id = ${ruleId}
  `)
}
