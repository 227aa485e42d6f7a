import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { Timestamp } from '../../schemas/common.ts'
import { Margin, type MarginFilter } from '../../schemas/reports.ts'
import { isOfProduct } from '../catalogue/product-filter.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { type Period, resolveDates, startOfDays, within } from '../date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../pages.ts'
import { matchesSearch } from '../search.ts'
import { currencyOf } from '../shops/currency.ts'

const MarginRow = Type.Composite([Margin, PairKey])

const defaultDays = 30

/** Ranks are whole numbers from 0: first by margin in thousandths, then what has no cost, by revenue. */
const rankOf = sql.fragment`(
  case when x.margin is not null then 1000000000000000 - x.margin * 1000 else 4000000000000000 - round(x.revenue, x.digits) * 1000 end
)::bigint`

/**
 * Lists what the sales of a period earned, highest margin first, by default those of the last 30 days. Net units are
 * the sold ones without those that came back, with their part of the revenue. A unit costs the average of its variant when it was sold; one
 * that was sold before the variant's first cost movement costs what that began with. Units without a cost are counted apart, and their
 * revenue earns no margin. A deleted variant stays in the report.
 *
 * Each movement of a cost is valid until the next of its variant, so each sale belongs to one. Example: 3 sold at an average of
 * 4.00, 2 after a receipt at 5.00; revenue 60: cost 3 x 4 + 2 x 5 = 22, margin 38, 63.33 %. Only variants whose average changed since
 * the period began need the ledger; the others cost their average of today.
 */
export async function listMargins(db: Db, shopId: number, filter: MarginFilter): Promise<Page<Margin>> {
  const after = readPair(filter.cursor)
  const { from, to } = await resolvePeriod(db, shopId, filter)
  const isByProduct = filter.groupBy === 'product'
  const sales = netSales(shopId, { from, to })
  const rows = await db.any(sql.type(row(MarginRow))`
    with shop as materialized (select minor_digits(${currencyOf(shopId)}) as digits),
    -- materialized, so that Postgres computes each once also while a table has no statistics yet
    sold as materialized (
      select variant_gid, sum(units) as units, sum(revenue) as revenue, sum(units) filter (where revenue is null) as unpriced_units
      from (${sales}) s
      group by variant_gid
    ),
    validity as materialized (
      select v.gid as variant_gid, m.average_after as cost,
        case when row_number() over oldest > 1 then m.occurred_at else '-infinity' end as valid_from,
        coalesce(lead(m.occurred_at) over oldest, 'infinity') as valid_until
      from variant_cost c
      join variant v on v.shop_id = ${shopId} and v.id = c.variant_id
      join cost_movement m on m.shop_id = ${shopId} and m.variant_id = c.variant_id
      where c.shop_id = ${shopId} and ${isMoved(from)}
      window oldest as (partition by m.variant_id order by m.id)
    ),
    moved as materialized (
      select s.variant_gid, sum(s.units) as units, sum(s.revenue) as revenue,
        sum(s.units) filter (where s.revenue is null) as unpriced_units, sum(s.units * c.cost) as cost
      from validity c
      join (${sales}) s on s.variant_gid = c.variant_gid and c.valid_from <= s.ordered_at and s.ordered_at < c.valid_until
      where c.cost is not null
      group by s.variant_gid
    ),
    known as materialized (
      select v.id, v.product_id, v.gid, v.price, c.average_cost, coalesce(${isMoved(from)}, false) as is_moved
      from variant v
      left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
      where ${sql.and([
        sql.fragment`v.shop_id = ${shopId}`,
        isOfProduct(sql.fragment`v.id`, shopId, filter),
        isByProduct ? hasFoundVariant(shopId, filter.search) : matchesSearch('v', filter.search),
      ])}
    ),
    of_variant as (
      select v.id, v.product_id, s.units,
        ${revenueOf(sql.fragment`s`)} as revenue,
        case when v.is_moved then m.cost else s.units * v.average_cost end as cost,
        case when v.is_moved then m.units when v.average_cost is not null then s.units end as costed_units,
        case
          when v.is_moved and m.cost is not null then ${revenueOf(sql.fragment`m`)}
          when not v.is_moved and v.average_cost is not null
            then ${revenueOf(sql.fragment`s`)}
        end as costed_revenue
      from sold s
      join known v on v.gid = s.variant_gid
      left join moved m on m.variant_gid = s.variant_gid
    ),
    summed as (${isByProduct ? sumsOfProduct : sumsOfVariant}),
    earned as (
      select s.*, round(s.costed_revenue, shop.digits) - round(s.cost, shop.digits) as margin, shop.digits
      from summed s
      cross join shop
      offset 0 -- the margin is computed once
    ),
    page as (
      select *
      from (select x.*, ${rankOf} as rank from earned x) ranked
      ${after ? sql.fragment`where (rank, row_id) > (${after.rank}::bigint, ${after.rowId}::bigint)` : sql.fragment``}
      order by rank, row_id
      limit ${pageSize(filter) + 1}
    )
    select ${isByProduct ? ofProduct : ofVariant}, page.units as net_units,
      page.units - coalesce(page.costed_units, 0) as uncosted_units, round(page.revenue, page.digits) as revenue,
      round(page.cost, page.digits) as cost, page.margin,
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

/** The average of `c` may have changed in the period or later. The movement may be written a moment after the row; an hour is more than any transaction takes. */
const isMoved = (from: string | null) =>
  from === null ? sql.fragment`true` : sql.fragment`c.updated_at >= ${from}::timestamptz - interval '1 hour'`

/** What is left of each sale of a period, with its part of the revenue, which is null without a price. */
const netSales = (shopId: number, period: Period) => sql.fragment`
  select variant_gid, ordered_at, quantity - cancelled - returned as units,
    case
      when returned = 0 then revenue
      else revenue * (quantity - cancelled - returned) / (quantity - cancelled)
    end as revenue
  from sale
  where ${sql.and([
    sql.fragment`shop_id = ${shopId} and quantity > cancelled`,
    ...within(sql.fragment`ordered_at`, period),
  ])}
`

/** An order without prices sold at the price of the variant `v`. */
const revenueOf = (sales: FragmentSqlToken) =>
  sql.fragment`coalesce(${sales}.revenue, 0) + coalesce(${sales}.unpriced_units * v.price, 0)`

const sumsOfVariant = sql.fragment`
  select id as row_id, units, revenue, cost, costed_units, costed_revenue from of_variant where units > 0
`
const sumsOfProduct = sql.fragment`
  select product_id as row_id, sum(units) as units, sum(revenue) as revenue, sum(cost) as cost,
    sum(costed_units) as costed_units, sum(costed_revenue) as costed_revenue
  from of_variant
  group by product_id
  having sum(units) > 0
`

const ofProduct = sql.fragment`p.gid as product_id, null::text as variant_id, '' as sku, p.title`
const ofVariant = sql.fragment`
  p.gid as product_id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title
`
