import { type Db, row, sql } from '../../../db/db.ts'
import { ProductFacets, type ProductFields } from '../../../schemas/products.ts'

type Condition = ReturnType<typeof sql.fragment> | false

/** SQL conditions on a product, for `sql.and`, which drops those that the filter does not have. */
export function matchesProduct(product: string, filter: ProductFields): Condition[] {
  const column = (name: string) => sql.identifier([product, name])
  return [
    filter.vendor !== undefined && sql.fragment`${column('vendor')} = ${filter.vendor}`,
    filter.productType !== undefined && sql.fragment`${column('product_type')} = ${filter.productType}`,
    filter.tag !== undefined && sql.fragment`${column('tags')} @> ${sql.array([filter.tag], 'text')}`,
  ]
}

/** As `matchesProduct`, for a statement without the product: a condition on the column with the id of a variant. */
export function isOfProduct(
  variantId: ReturnType<typeof sql.fragment>,
  shopId: number,
  filter: ProductFields,
): Condition {
  const conditions = matchesProduct('p', filter).filter((condition) => condition !== false)
  return (
    conditions.length > 0 &&
    sql.fragment`${variantId} in (
      select v.id
      from product p
      join variant v on v.shop_id = ${shopId} and v.product_id = p.id
      where ${sql.and([sql.fragment`p.shop_id = ${shopId}`, ...conditions])}
    )`
  )
}

const maxValues = 1_000

export function getProductFacets(db: Db, shopId: number): Promise<ProductFacets> {
  const values = (of: ReturnType<typeof sql.fragment>) => sql.fragment`(
    select coalesce(jsonb_agg(value order by lower(value), value), '[]')
    from (
      select distinct value from (${of}) reported where value <> '' order by value limit ${maxValues}
    ) listed
  )`
  const ofProducts = sql.fragment`from product p where p.shop_id = ${shopId} and p.deleted_at is null`
  return db.one(sql.type(row(ProductFacets))`
    select ${values(sql.fragment`select p.vendor as value ${ofProducts}`)} as vendors,
      ${values(sql.fragment`select p.product_type as value ${ofProducts}`)} as product_types,
      ${values(sql.fragment`select unnest(p.tags) as value ${ofProducts}`)} as tags
  `)
}
