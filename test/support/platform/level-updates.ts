import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { startDeliveries } from './deliveries.ts'

const Level = Type.Object({ quantity: Type.Integer(), platformQuantity: Type.Integer() })
const Movement = Type.Object({
  previousQuantity: Type.Integer(),
  newQuantity: Type.Integer(),
  kind: Type.String(),
})

/** A shop with item 5 (used by one or more variants) and location 6. */
export async function startStock(t: Test, variants = 1) {
  const context = await startDeliveries(t)
  const { db, alice } = context
  const { shopId } = alice
  const product = await db.oneFirst(sql.typeAlias('id')`
    insert into product (shop_id, gid, title) values (${shopId}, 'gid://platform/Product/1', 'Mug') returning id
  `)
  for (let number = 1; number <= variants; number += 1) {
    await db.query(sql.typeAlias('void')`
      insert into variant (shop_id, gid, product_id, inventory_item_gid)
      values (${shopId}, ${`gid://platform/ProductVariant/${number}`}, ${product}, 'gid://platform/InventoryItem/5')
    `)
  }
  await db.query(sql.typeAlias('void')`
    insert into location (shop_id, gid, name) values (${shopId}, 'gid://platform/Location/6', 'Shop')
  `)
  return {
    ...context,
    levels: () =>
      db.any(sql.type(row(Level))`
        select quantity, platform_quantity from stock_level where shop_id = ${shopId} order by variant_id
      `),
    movements: () =>
      db.any(sql.type(row(Movement))`
        select previous_quantity, new_quantity, kind from stock_movement where shop_id = ${shopId} order by id
      `),
  }
}

/** The body of a webhook about item 5 at location 6. */
export const level = (available: number | null, minute: number, fields = {}) => ({
  inventory_item_id: 5,
  location_id: 6,
  available,
  updated_at: `2026-11-01T10:${String(minute).padStart(2, '0')}:00Z`,
  ...fields,
})
