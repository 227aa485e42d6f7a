import { type Db, sql } from '../../../../db/db.ts'

/** Adds the products that suppliers do not have, because they were ordered from them, as the last of their variants. Returns the new ids. */
export function addOrderedProducts(
  tx: Db,
  shopId: number,
  products: readonly { supplierId: number; variantId: number; supplierSku: string }[],
): Promise<readonly number[]> {
  const rows = products.map(({ supplierId, variantId, supplierSku }) => [supplierId, variantId, supplierSku])
  return tx.anyFirst(sql.typeAlias('id')`
    insert into supplier_product (shop_id, supplier_id, variant_id, supplier_sku, rank)
    select ${shopId}::bigint, given.supplier_id, given.variant_id, given.supplier_sku, least(99,
      row_number() over (partition by given.variant_id order by given.supplier_id) + coalesce((
        select max(x.rank) from supplier_product x where x.shop_id = ${shopId} and x.variant_id = given.variant_id
      ), 0))
    from ${sql.unnest(rows, ['int8', 'int8', 'text'])} as given (supplier_id, variant_id, supplier_sku)
    join supplier s on s.shop_id = ${shopId} and s.id = given.supplier_id and s.archived_at is null
    where not exists (
      select from supplier_product x
      where x.shop_id = ${shopId} and x.supplier_id = given.supplier_id and x.variant_id = given.variant_id
    )
    on conflict on constraint supplier_product_is_unique do nothing
    returning id
  `)
}

/** Deletes products of suppliers that still have the given version and are in no order. */
export async function deleteUnusedProducts(
  tx: Db,
  shopId: number,
  products: readonly { id: number; version: number }[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from supplier_product x
    using ${sql.unnest(
      products.map(({ id, version }) => [id, version]),
      ['int8', 'int4'],
    )} as given (id, version)
    where x.shop_id = ${shopId} and x.id = given.id and x.version = given.version
      and not exists (
        select from purchase_order_line l
        join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id and o.supplier_id = x.supplier_id
        where l.shop_id = ${shopId} and l.variant_id = x.variant_id
      )
  `)
}
