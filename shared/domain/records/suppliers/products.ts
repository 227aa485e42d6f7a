import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { SupplierProduct, type SupplierProductFilter } from '../../../schemas/supplier-products.ts'
import { todayOf } from '../../kit/date-range.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { contains, matchesSearch } from '../../kit/search.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { currencyOf } from '../shops/currency.ts'
import { newestLine } from '../supplier-prices/price-of-line.ts'
import { lockSupplier } from './suppliers.ts'

type Fragment = ReturnType<typeof sql.fragment>

const readProducts = (shopId: number, chosen: Fragment, order: Fragment) => sql.type(row(SupplierProduct))`
  with x as materialized (${chosen}),
  shop as materialized (select ${todayOf(shopId)} as day, ${currencyOf(shopId)} as currency)
  select x.id, x.supplier_id, s.name as supplier_name, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title,
    x.supplier_sku, x.supplier_title, x.pack_size, x.minimum_quantity, x.quantity_multiple, x.lead_time_days, x.rank,
    x.is_active, x.pack_barcode, x.version, today.price,
    today.min_quantity as price_min_quantity, own.currency,
    coalesce(c.prices, '[]') as prices, last.net_price as last_cost, last.at as last_cost_at
  from x
  cross join shop
  join supplier s on s.shop_id = ${shopId} and s.id = x.supplier_id
  join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
  join product p on p.shop_id = ${shopId} and p.id = v.product_id
  left join lateral (
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'minQuantity', c.min_quantity, 'price', c.price, 'currency', c.currency,
      'validFrom', c.valid_from, 'validTo', c.valid_to, 'source', c.source
    ) order by c.currency, c.min_quantity, c.valid_from nulls first) as prices
    from supplier_price c
    where c.shop_id = ${shopId} and c.supplier_product_id = x.id
  ) c on true
  left join lateral (
    select c.price, c.currency, c.min_quantity
    from supplier_price c
    where c.shop_id = ${shopId} and c.supplier_product_id = x.id
      and daterange(c.valid_from, c.valid_to, '[]') @> shop.day
    order by c.currency = coalesce(s.currency, shop.currency) desc, c.currency, c.min_quantity
    limit 1
  ) today on true
  cross join lateral (select coalesce(today.currency, s.currency, shop.currency) as currency) own
  left join lateral (${newestLine(
    shopId,
    { variant: sql.fragment`x.variant_id`, sku: sql.fragment`x.supplier_sku` },
    sql.fragment`o.supplier_id = x.supplier_id and o.status not in ('draft', 'cancelled')
      and coalesce(o.currency, shop.currency) = own.currency`,
  )}) last on true
  order by ${order}
`

/** Lists the products of a supplier, newest first. The search covers SKU, title, supplier SKU and the pack's barcode. */
export async function listSupplierProducts(
  db: Db,
  shopId: number,
  supplierId: number,
  query: SupplierProductFilter,
): Promise<Page<SupplierProduct>> {
  await requireSupplier(db, shopId, supplierId)
  const older = query.cursor === undefined ? sql.fragment`` : sql.fragment`and x.id < ${query.cursor}`
  const isListed = sql.fragment`x.supplier_id = ${supplierId} ${older}`
  const isFound = foundBy(shopId, query, isListed)
  const chosen = sql.fragment`
    select x.*
    from supplier_product x
    where x.shop_id = ${shopId} and ${isListed} ${isFound ? sql.fragment`and ${isFound}` : sql.fragment``}
    order by x.id desc
    limit ${pageSize(query) + 1}
  `
  return toPage(await db.any(readProducts(shopId, chosen, sql.fragment`x.id desc`)), query)
}

/**
 * SQL condition: the search finds the product `x`; undefined without a search. Each table is searched by its own index,
 * which a single condition with `or` on both tables prevents: Postgres would read all products of the supplier.
 */
function foundBy(shopId: number, query: SupplierProductFilter, isListed: Fragment) {
  const ofVariant = matchesSearch('v', query.search)
  const ofProduct = contains(sql.fragment`lower(x.supplier_sku || ' ' || x.pack_barcode)`, query.search)
  const newest = sql.fragment`order by x.id desc limit ${pageSize(query) + 1}`
  return (
    ofVariant &&
    ofProduct &&
    sql.fragment`x.id in (
      (
        select x.id
        from supplier_product x
        join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
        where x.shop_id = ${shopId} and ${isListed} and ${ofVariant}
        ${newest}
      )
      union
      (select x.id from supplier_product x where x.shop_id = ${shopId} and ${isListed} and ${ofProduct} ${newest})
    )`
  )
}

async function requireSupplier(db: Db, shopId: number, id: number): Promise<void> {
  const isListed = await db.exists(sql.typeAlias('void')`
    select 1 from supplier where shop_id = ${shopId} and id = ${id} and archived_at is null
  `)
  if (!isListed) throw notFound('Supplier')
}

/** More than a variant has suppliers. */
const maxPerVariant = 250

/** The listed suppliers of a variant, the preferred one first. Throws not_found. */
export async function listVariantSuppliers(
  db: Db,
  shopId: number,
  variantId: string,
): Promise<readonly SupplierProduct[]> {
  const variant = await db.maybeOne(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = ${variantId}
  `)
  if (!variant) throw notFound('Product')
  const chosen = sql.fragment`
    select x.*
    from supplier_product x
    join supplier s on s.shop_id = ${shopId} and s.id = x.supplier_id and s.archived_at is null
    where x.shop_id = ${shopId} and x.variant_id = ${variant.id}
    order by x.rank, x.id
    limit ${maxPerVariant}
  `
  return db.any(readProducts(shopId, chosen, sql.fragment`x.rank, x.id`))
}

/** Throws not_found. */
export async function getSupplierProduct(db: Db, shopId: number, id: number): Promise<SupplierProduct> {
  const chosen = sql.fragment`select x.* from supplier_product x where x.shop_id = ${shopId} and x.id = ${id}`
  const product = await db.maybeOne(readProducts(shopId, chosen, sql.fragment`x.id`))
  if (!product) throw notFound('Product of the supplier')
  return product
}

/** Deletes a product of a supplier with its prices. Orders keep what they say. Throws not_found. */
export function deleteSupplierProduct(
  db: Db,
  shopId: number,
  supplierId: number,
  id: number,
): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await lockSupplier(tx, shopId, supplierId)
    const deleted = await tx.maybeOne(sql.typeAlias('id')`
      delete from supplier_product
      where shop_id = ${shopId} and supplier_id = ${supplierId} and id = ${id}
      returning id
    `)
    if (!deleted) throw notFound('Product of the supplier')
    return { message: 'Product removed from the supplier.' }
  })
}
