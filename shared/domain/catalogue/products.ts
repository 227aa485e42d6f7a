import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { type ProductFilter, ProductListItem } from '../../schemas/products.ts'
import { todayOf } from '../date-range.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { matchesSearch } from '../search.ts'
import { currencyOf } from '../shops/currency.ts'
import { packagingOf } from '../supplier-prices/price-of-line.ts'
import { matchesProduct } from './product-filter.ts'

const ProductRow = Type.Composite([Type.Object({ id: Id }), ProductListItem])

/**
 * The price of the supplier's newest order line in its currency for the variant that was sent and not cancelled, as a
 * query without a row else.
 */
const lastPrice = (
  shopId: number,
  variantId: ReturnType<typeof sql.fragment>,
  supplierId: ReturnType<typeof sql.fragment>,
) => sql.fragment`
  select l.cost_price
  from purchase_order_line l
  join purchase_order o on o.shop_id = l.shop_id and o.id = l.purchase_order_id
  where l.shop_id = ${shopId} and l.variant_id = ${variantId} and o.supplier_id = ${supplierId}
    and o.status not in ('draft', 'cancelled')
    and coalesce(o.currency, ${currencyOf(shopId)}) = coalesce(${supplierCurrency(shopId, supplierId)}, ${currencyOf(shopId)})
  order by l.id desc
  limit 1
`

/** The supplier's price of one piece today, in its currency, as a query without a row else. */
const cataloguePrice = (
  shopId: number,
  variant: ReturnType<typeof sql.fragment>,
  supplier: ReturnType<typeof sql.fragment>,
) => sql.fragment`
  select c.price
  from (${packagingOf(shopId, { variant, supplier, sku: sql.fragment`null` })}) x
  join supplier_price c on c.shop_id = ${shopId} and c.supplier_product_id = x.id
  where c.min_quantity = 1 and c.currency = coalesce(${supplierCurrency(shopId, supplier)}, ${currencyOf(shopId)})
    and daterange(c.valid_from, c.valid_to, '[]') @> ${todayOf(shopId)}
`

/** SQL for the currency of a supplier; null: the shop's. */
const supplierCurrency = (shopId: number, supplierId: ReturnType<typeof sql.fragment>) =>
  sql.fragment`(select currency from supplier where shop_id = ${shopId} and id = ${supplierId})`

/** Leaves out deleted and unconfirmed products. A search (title, SKU, barcode) returns whole products. */
export async function listProducts(
  db: Db,
  shopId: number,
  query: ProductFilter,
): Promise<Page<ProductListItem>> {
  const isShown = sql.fragment`v.shop_id = ${shopId} and v.deleted_at is null and v.confirmed_at is not null`
  const { supplierId } = query
  const costPrice =
    supplierId === undefined
      ? sql.fragment`v.unit_cost`
      : sql.fragment`coalesce(
          (${cataloguePrice(shopId, sql.fragment`v.id`, sql.fragment`${supplierId}`)}),
          (${lastPrice(shopId, sql.fragment`v.id`, sql.fragment`${supplierId}`)}),
          case when coalesce(${supplierCurrency(shopId, sql.fragment`${supplierId}`)} = ${currencyOf(shopId)}, true)
            then v.unit_cost
          end
        )`
  const matching = matchesSearch('v', query.search)
  const records = await db.any(sql.type(row(ProductRow))`
    select p.id, p.gid as product_id, p.title, p.status, coalesce(p.vendor, '') as vendor,
      coalesce(p.product_type, '') as product_type, coalesce(p.tags, '{}') as tags, (
      select jsonb_agg(jsonb_build_object(
        'variantId', v.gid, 'sku', v.sku, 'title', v.title, 'barcode', v.barcode, 'price', v.price,
        'costPrice', ${costPrice}, 'currentStock', case when v.is_tracked then coalesce((
          select sum(l.quantity) from stock_level l where l.shop_id = v.shop_id and l.variant_id = v.id
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
