import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { SalesVelocity, type SalesVelocityFilter } from '../../../schemas/reports.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { stockOf, velocityMeasures } from './velocity-measures.ts'

const VelocityRow = Type.Composite([SalesVelocity, PairKey])

/**
 * Lists the velocities computed by `sales/velocity.ts`, best sellers first (specification,
 * GET /api/reports/sales-velocity). Deleted and untracked variants are left out.
 */
export async function listSalesVelocity(
  db: Db,
  shopId: number,
  filter: SalesVelocityFilter,
): Promise<Page<SalesVelocity>> {
  const { unitsSold: units, ...measures } = velocityMeasures(filter.period ?? '30d')
  const after = readPair(filter.cursor)
  const rows = await db.any(sql.type(row(VelocityRow))`
    select v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title,
      ${units} as units_sold, ${measures.avgDailySales} as avg_daily_sales, stock.current_stock,
      ${measures.daysOfStockRemaining} as days_of_stock_remaining, ${measures.returnedUnits} as returned_units,
      ${measures.periodDays} as period_days, ${measures.knownSince} as known_since,
      ${measures.confidence} as confidence,
      ${units} as rank, y.variant_id as row_id
    from variant_velocity y
    cross join (${knownDaysOf(shopId)}) known
    join variant v on v.shop_id = ${shopId} and v.id = y.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    cross join lateral (${stockOf(shopId)}) stock
    where ${sql.and([
      sql.fragment`y.shop_id = ${shopId} and v.deleted_at is null and v.is_tracked`,
      filter.variantId !== undefined && sql.fragment`v.gid = ${filter.variantId}`,
      matchesSearch('v', filter.search),
      ...matchesProduct('p', filter),
      after !== null &&
        sql.fragment`(${units}, y.variant_id) < (${after.rank}::bigint, ${after.rowId}::bigint)`,
    ])}
    order by ${units} desc, y.variant_id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}
