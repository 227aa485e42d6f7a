import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { type ProductFilter, ProductListItem } from '../../../schemas/products.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { costOfNewLine } from '../../records/supplier-prices/cost-of-new-line.ts'

const ProductRow = Type.Composite([Type.Object({ id: Id }), ProductListItem])

/** Leaves out deleted and unconfirmed products. A search (title, SKU, barcode) returns whole products. */
export async function listProducts(
  db: Db,
  shopId: number,
  query: ProductFilter,
): Promise<Page<ProductListItem>> {
  const isShown = sql.fragment`v.shop_id = ${shopId} and v.deleted_at is null and v.confirmed_at is not null`
  const { supplierId, hideStock = false } = query
  const costPrice = costOfNewLine(shopId, sql.fragment`v`, supplierId)
  const matching = matchesSearch('v', query.search)
  const records = await db.any(sql.type(row(ProductRow))`
    select p.id, p.gid as product_id, p.title, p.status, coalesce(p.vendor, '') as vendor,
      coalesce(p.product_type, '') as product_type, coalesce(p.tags, '{}') as tags, (
      select jsonb_agg(jsonb_build_object(
        'variantId', v.gid, 'sku', v.sku, 'title', v.title, 'barcode', v.barcode, 'price', v.price,
        'costPrice', ${costPrice}, 'isTracked', v.is_tracked, 'currentStock', case when v.is_tracked and not ${hideStock} then coalesce((
          select sum(l.quantity) from stock_level l where l.shop_id = ${shopId} and l.variant_id = v.id
        ), 0) end
      ) order by v.id)
      from variant v
      where ${isShown} and v.product_id = p.id
    ) as variants
    from product p
    where ${sql.and([
      sql.fragment`p.shop_id = ${shopId} and p.deleted_at is null`,
      sql.fragment`exists (select 1 from variant v where ${isShown} and v.product_id = p.id)`,
      matching && sql.fragment`p.id in (select v.product_id from variant v where ${isShown} and ${matching})`,
      ...matchesProduct('p', query),
      query.cursor !== undefined && sql.fragment`p.id < ${query.cursor}`,
    ])}
    order by p.id desc
    limit ${pageSize(query) + 1}
  `)
  return toPage(records, query)
}
