import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Timestamp } from '../../../schemas/common.ts'
import { Margin, type MarginFilter } from '../../../schemas/reports.ts'
import { type Period, resolveDates, startOfDays } from '../../kit/date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { findStoredPeriod, storedSums } from '../../ledgers/margins/stored.ts'
import { rankOf, sumsOfSales } from '../../ledgers/margins/sums.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'

/** The decimals of the shop's currency. */
const digits = sql.fragment`(select digits from shop)`

const MarginRow = Type.Composite([Margin, PairKey])

const defaultDays = 30

/**
 * Lists what the sales of a period earned (`margins/sums.ts`), highest margin first, by default those of the last 30 days. A stored period is
 * read from its rows, by variant from an index with their ranks; the sales of any other period are summed now.
 */
export async function listMargins(db: Db, shopId: number, filter: MarginFilter): Promise<Page<Margin>> {
  const after = readPair(filter.cursor)
  const period = await resolvePeriod(db, shopId, filter)
  const days = await findStoredPeriod(db, shopId, period)
  const isByProduct = filter.groupBy === 'product'
  const variants = sql.fragment`${sql.and([
    sql.fragment`true`,
    isOfProduct(sql.fragment`v.id`, shopId, filter),
    isByProduct ? hasFoundVariant(shopId, filter.search) : matchesSearch('v', filter.search),
  ])}`
  const sums = days === null ? sumsOfSales(shopId, period, variants) : storedSums(shopId, days, variants)
  const rank = days === null || isByProduct ? rankOf('x', digits) : sql.fragment`x.rank`
  const rows = await db.any(sql.type(row(MarginRow))`
    with shop as materialized (select minor_digits(${currencyOf(shopId)}) as digits),
    page as (
      select *
      from (
        select x.row_id, x.units, x.revenue, x.cost, x.costed_units, x.costed_revenue, ${rank} as rank
        from (${isByProduct ? sumsOfProducts(sums) : sumsOfVariants(sums)}) x
      ) ranked
      ${after ? sql.fragment`where (rank, row_id) > (${after.rank}::bigint, ${after.rowId}::bigint)` : sql.fragment``}
      order by rank, row_id
      limit ${pageSize(filter) + 1}
    )
    select ${isByProduct ? ofProduct : ofVariant}, page.units as net_units,
      page.units - coalesce(page.costed_units, 0) as uncosted_units, round(page.revenue, ${digits}) as revenue,
      round(page.cost, ${digits}) as cost,
      round(page.costed_revenue, ${digits}) - round(page.cost, ${digits}) as margin,
      round(100 * (page.costed_revenue - page.cost) / nullif(page.costed_revenue, 0), 2) as margin_percent,
      page.rank, page.row_id
    from page
    ${
      isByProduct
        ? sql.fragment`join product p on p.shop_id = ${shopId} and p.id = page.row_id`
        : sql.fragment`
            join variant v on v.shop_id = ${shopId} and v.id = page.row_id
            join product p on p.shop_id = ${shopId} and p.id = v.product_id
          `
    }
    order by page.rank, page.row_id
  `)
  return toPairPage(rows, filter)
}

/** A product is found with all its variants when the search finds one of them, so that the search changes no sum. */
function hasFoundVariant(shopId: number, search?: string) {
  const matching = matchesSearch('found', search)
  return (
    matching &&
    sql.fragment`v.product_id in (
      select found.product_id from variant found where found.shop_id = ${shopId} and ${matching}
    )`
  )
}

/** The period as instants, by which Postgres estimates the number of sales. With an expression, it estimates that a third of all sales match. */
async function resolvePeriod(db: Db, shopId: number, filter: MarginFilter): Promise<Period> {
  const isGiven = filter.startDate !== undefined || filter.endDate !== undefined
  if (isGiven) return resolveDates(db, shopId, filter)
  const from = await db.oneFirst(sql.type(row(Start))`select ${startOfDays(shopId, defaultDays)} as from`)
  return { from, to: null }
}

const Start = Type.Object({ from: Timestamp })

const sumsOfVariants = (sums: FragmentSqlToken) => sql.fragment`
  select variant_id as row_id, s.* from (${sums}) s where units > 0
`
const sumsOfProducts = (sums: FragmentSqlToken) => sql.fragment`
  select product_id as row_id, sum(units) as units, sum(revenue) as revenue, sum(cost) as cost,
    sum(costed_units) as costed_units, sum(costed_revenue) as costed_revenue
  from (${sums}) s
  group by product_id
  having sum(units) > 0
`

const ofProduct = sql.fragment`p.gid as product_id, null::text as variant_id, '' as sku, p.title`
const ofVariant = sql.fragment`
  p.gid as product_id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title
`
