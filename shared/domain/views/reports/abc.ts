import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type AbcFilter, AbcVariant } from '../../../schemas/reports.ts'
import { type Page, pageSize } from '../../kit/pages/pages.ts'
import {
  isAfter,
  readSortCursor,
  type SortColumn,
  SortedKey,
  sortKeys,
  sortOrder,
  toSortedPage,
} from '../../kit/pages/sorted-pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { isKnownEnough, knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const AbcRow = Type.Composite([AbcVariant, SortedKey])

const byRevenue: readonly SortColumn[] = [
  { sql: sql.fragment`y.revenue_90d`, type: 'numeric', isDescending: true },
  { sql: sql.fragment`y.variant_id`, type: 'int8', isDescending: true },
]

/** Lists variants by 90-day revenue with their share of the shop. Without enough known days there is no class. */
export async function listAbcClasses(db: Db, shopId: number, filter: AbcFilter): Promise<Page<AbcVariant>> {
  const after = readSortCursor('revenue', byRevenue, filter.cursor, { isChosen: false })
  const rows = await db.any(sql.type(row(AbcRow))`
    with listed as (
      select y.variant_id, y.units_90d, y.revenue_90d,
        case when ${isKnownEnough('known', 'y')} then y.abc_class end as abc_class, v.gid, v.sku,
        ${variantTitle('v', 'p')} as title, ${sortKeys(byRevenue)} as sort_keys
      from variant_velocity y
      cross join (${knownDaysOf(shopId)}) known
      join variant v on v.shop_id = ${shopId} and v.id = y.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where ${sql.and([
        sql.fragment`y.shop_id = ${shopId} and v.deleted_at is null`,
        filter.class !== undefined &&
          sql.fragment`y.abc_class = ${filter.class} and ${isKnownEnough('known', 'y')}`,
        matchesSearch('v', filter.search),
        ...matchesProduct('p', filter),
        after !== null && isAfter(byRevenue, after),
      ])}
      order by ${sortOrder(byRevenue)}
      limit ${pageSize(filter) + 1}
    ),
    earned as (
      select variant_id, sum(revenue_90d) over (order by revenue_90d desc, variant_id desc) as so_far
      from variant_velocity
      where shop_id = ${shopId}
    ),
    total as (
      select nullif(sum(revenue_90d), 0) as revenue from variant_velocity where shop_id = ${shopId}
    )
    select x.gid as variant_id, x.sku, x.title, x.units_90d as units_sold, x.revenue_90d as revenue,
      coalesce(round(x.revenue_90d / total.revenue, 6), 0) as share,
      coalesce(round(earned.so_far / total.revenue, 6), 0) as cumulative_share,
      x.abc_class, x.sort_keys
    from listed x
    join earned on earned.variant_id = x.variant_id
    cross join total
    order by x.revenue_90d desc, x.variant_id desc
  `)
  return toSortedPage('revenue', rows, filter)
}
