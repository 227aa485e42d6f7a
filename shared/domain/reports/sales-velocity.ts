import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { SalesVelocity, type SalesVelocityFilter } from '../../schemas/reports.ts'
import { matchesProduct } from '../catalogue/product-filter.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../pages.ts'
import { isKnownEnough, knownDaysOf, periodDays } from '../sales/known-days.ts'
import { matchesSearch } from '../search.ts'

const VelocityRow = Type.Composite([SalesVelocity, PairKey])

const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const

/**
 * Lists the velocities computed by `sales/velocity.ts`, best sellers first (specification,
 * GET /api/reports/sales-velocity). Daily sales = units / the days of the period whose sales are known, at least 7. Days of
 * stock = stock / unrounded daily sales; 0 for negative stock, null without sales. Deleted and untracked variants are left out.
 */
export async function listSalesVelocity(
  db: Db,
  shopId: number,
  filter: SalesVelocityFilter,
): Promise<Page<SalesVelocity>> {
  const period = filter.period ?? '30d'
  const days = daysOf[period]
  const units = sql.identifier(['y', `units_${period}`])
  const divisor = periodDays('known', 'y', days)
  const after = readPair(filter.cursor)
  const rows = await db.any(sql.type(row(VelocityRow))`
    select v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title,
      ${units} as units_sold, round(${units}::numeric / ${divisor}, 2) as avg_daily_sales, stock.current_stock,
      round(greatest(stock.current_stock, 0)::numeric * ${divisor} / nullif(${units}, 0), 1)
        as days_of_stock_remaining,
      ${sql.identifier(['y', `returned_${period}`])} as returned_units, ${divisor} as period_days, known.known_since,
      case when ${isKnownEnough('known', 'y')} then 'high' else 'low' end as confidence,
      ${units} as rank, y.variant_id as row_id
    from variant_velocity y
    cross join (${knownDaysOf(shopId)}) known
    join variant v on v.shop_id = y.shop_id and v.id = y.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    cross join lateral (
      select coalesce(sum(l.quantity), 0) as current_stock
      from stock_level l
      where l.shop_id = y.shop_id and l.variant_id = y.variant_id
    ) stock
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
