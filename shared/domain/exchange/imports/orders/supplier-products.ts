import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import type { Made } from '../outcomes.ts'
import type { WrittenOrder } from './written.ts'

/** Adds a product of the supplier for each variant that was ordered from it. */
export async function addSupplierProducts(
  tx: Db,
  shopId: number,
  orders: readonly WrittenOrder[],
): Promise<Made[]> {
  const sold = new Map<string, [number, number, string]>()
  for (const { each, lines } of orders) {
    for (const { variant, supplierSku } of lines) {
      if (variant.isDeleted) continue
      const key = `${each.supplier.id} ${variant.id}`
      const known = sold.get(key)
      sold.set(key, [each.supplier.id, variant.id, supplierSku.slice(0, 200) || (known?.[2] ?? '')])
    }
  }
  if (sold.size === 0) return []
  const rows = await tx.any(sql.type(row(Type.Object({ id: Id })))`
    insert into supplier_product (shop_id, supplier_id, variant_id, supplier_sku, rank)
    select ${shopId}::bigint, given.supplier_id, given.variant_id, given.supplier_sku, least(99,
      row_number() over (partition by given.variant_id order by given.supplier_id) + coalesce((
        select max(x.rank) from supplier_product x where x.shop_id = ${shopId} and x.variant_id = given.variant_id
      ), 0))
    from ${sql.unnest([...sold.values()], ['int8', 'int8', 'text'])} as given (supplier_id, variant_id, supplier_sku)
    join supplier s on s.shop_id = ${shopId} and s.id = given.supplier_id and s.archived_at is null
    where not exists (
      select from supplier_product x
      where x.shop_id = ${shopId} and x.supplier_id = given.supplier_id and x.variant_id = given.variant_id
    )
    on conflict on constraint supplier_product_is_unique do nothing
    returning id
  `)
  return rows.map(({ id }) => ({ target: 'supplier_product', targetId: id, version: 1 }))
}
