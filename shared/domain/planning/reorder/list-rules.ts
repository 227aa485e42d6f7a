import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { ReorderRule, type ReorderRuleFilter, type ReorderRuleSort } from '../../../schemas/reorder-rules.ts'
import { readDocumentCursor, toDocumentPage } from '../../kit/pages/grouped-pages.ts'
import { type Page, pageSize, withCount } from '../../kit/pages/pages.ts'
import { isAfter, type SortColumn, SortedKey, sortKeys, sortOrder } from '../../kit/pages/sorted-pages.ts'
import { isFoundAtSuppliers } from '../../kit/search.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { chosenServiceLevel, knownClass, serviceLevelOfClass } from '../supply/service-level.ts'

/** The worker computes a saved rule within seconds. One without numbers after this time waits for days of known sales. */
const maxComputingSeconds = 120

const ListRow = Type.Composite([ReorderRule, SortedKey])

/** SQL: the fields of rules `r`, of their variants `v` and products `p`. */
export const ruleFields = sql.fragment`
  r.id, p.gid as product_id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title, r.reorder_point,
  r.reorder_quantity, r.supplier_id, s.name as supplier_name, w.gid as location_id, w.name as location_name, r.mode,
  ${chosenServiceLevel('r')} as service_level, ${knownClass('shop', 'y')} as abc_class,
  ${serviceLevelOfClass(knownClass('shop', 'y'))} as class_service_level, r.review_days, r.max_level, r.current_stock,
  r.inputs, r.computed_at,
  r.mode = 'auto' and r.computed_at is null and r.updated_at > now() - ${maxComputingSeconds} * interval '1 second' as is_computing
`

const joinProduct = (shopId: number) => sql.fragment`
  join variant v on v.shop_id = ${shopId} and v.id = r.variant_id
  join product p on p.shop_id = ${shopId} and p.id = v.product_id
`

/** SQL: what `ruleFields` needs of rules `r`. */
export const ruleJoins = (shopId: number) => sql.fragment`
  ${joinProduct(shopId)}
  left join supplier s on s.shop_id = ${shopId} and s.id = r.supplier_id
  left join location w on w.shop_id = ${shopId} and w.id = r.location_id
  left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = r.variant_id
  cross join (${knownDaysOf(shopId)}) shop
`

/** SKU and title begin with the columns of an index of their table (migration 63). */
function columnsOfSort(sort: ReorderRuleSort): readonly SortColumn[] {
  const isDescending = sort.startsWith('-') || sort === 'newest'
  const int8 = (key: FragmentSqlToken): SortColumn => ({ sql: key, type: 'int8', isDescending })
  const text = (key: FragmentSqlToken): SortColumn => ({ sql: key, type: 'text', isDescending })
  const id = int8(sql.fragment`r.id`)
  if (sort === 'newest' || sort === 'oldest') return [id]
  const variant = int8(sql.fragment`v.id`)
  if (sort.endsWith('sku')) return [text(sql.fragment`"left"(lower(v.sku), 100)`), variant, id]
  return [text(sql.fragment`"left"(lower(p.title), 100)`), int8(sql.fragment`p.id`), variant, id]
}

/**
 * Lists rules by one of the sorts, newest first without one. The search covers product title, variant title, SKU,
 * barcode, and the SKUs and pack barcodes of suppliers. Throws invalid_request for a cursor of another sort.
 */
export function listReorderRules(
  db: Db,
  shopId: number,
  filter: ReorderRuleFilter,
): Promise<Page<ReorderRule>> {
  const { supplierId, variantId, search } = filter
  const conditions = [
    sql.fragment`r.shop_id = ${shopId}`,
    supplierId !== undefined && sql.fragment`r.supplier_id = ${supplierId}`,
    variantId !== undefined &&
      sql.fragment`r.variant_id in (select v.id from variant v where v.shop_id = ${shopId} and v.gid = ${variantId})`,
    isFoundAtSuppliers(sql.fragment`r.variant_id`, shopId, search),
    isOfProduct(sql.fragment`r.variant_id`, shopId, filter),
  ]
  const counted = sql.fragment`from reorder_rule r where r.shop_id = ${shopId} and ${sql.and(conditions)}`
  return withCount(db, filter, counted, readPage(db, shopId, filter, conditions))
}

async function readPage(
  db: Db,
  shopId: number,
  filter: ReorderRuleFilter,
  conditions: readonly (FragmentSqlToken | false)[],
): Promise<Page<ReorderRule>> {
  const { sort = 'newest' } = filter
  const columns = columnsOfSort(sort)
  const after = readDocumentCursor(sort, columns, filter.cursor)
  const isById = columns.length === 1
  const rows = await db.any(sql.type(row(ListRow))`
    with chosen as materialized (
      select r.id
      from reorder_rule r ${isById ? sql.fragment`` : joinProduct(shopId)}
      where r.shop_id = ${shopId} and ${sql.and([...conditions, after !== null && isAfter(columns, after)])}
      order by ${sortOrder(columns)}
      limit ${pageSize(filter) + 1}
    )
    select ${ruleFields}, ${sortKeys(columns)} as sort_keys
    from chosen
    join reorder_rule r on r.shop_id = ${shopId} and r.id = chosen.id
    ${ruleJoins(shopId)}
    order by ${sortOrder(columns)}
  `)
  return toDocumentPage(sort, rows, filter)
}
