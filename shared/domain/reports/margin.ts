import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Margin, type MarginFilter } from '../../schemas/reports.ts'
import { isOfProduct } from '../catalogue/product-filter.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { resolveDates, startOfDays, within } from '../date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../pages.ts'
import { currencyOf } from '../shops/currency.ts'

const MarginRow = Type.Composite([Margin, PairKey])

const defaultDays = 30

/** Ranks are whole numbers from 0: first by margin in thousandths, then what has no cost, by revenue. */
const rankOf = sql.fragment`(
  case when x.margin is not null then 1000000000000000 - x.margin * 1000 else 4000000000000000 - x.revenue * 1000 end
)::bigint`

/**
 * Lists what the sales of a period earned, highest margin first, by default those of the last 30 days. Net units are
 * the sold ones without those that came back, with their part of the revenue. A unit costs the average of its variant when it was sold; one
 * that was sold before the variant's first cost movement costs what that began with. Units without a cost are counted apart, and their
 * revenue earns no margin. A deleted variant stays in the report.
 *
 * Each movement of a cost is valid until the next of its variant, so each sale belongs to one. Example: 3 sold at an average of
 * 4.00, 2 after a receipt at 5.00; revenue 60: cost 3 x 4 + 2 x 5 = 22, margin 38, 63.33 %.
 */
export async function listMargins(db: Db, shopId: number, filter: MarginFilter): Promise<Page<Margin>> {
  const after = readPair(filter.cursor)
  const period = await resolveDates(db, shopId, filter)
  const isByProduct = filter.groupBy === 'product'
  const rows = await db.any(sql.type(row(MarginRow))`
    with shop as materialized (select minor_digits(${currencyOf(shopId)}) as digits),
    validity as (
      select v.gid as variant_gid, m.cost, m.valid_from, m.valid_until
      from (
        select m.variant_id, m.average_after as cost,
          case when row_number() over oldest > 1 then m.occurred_at else '-infinity' end as valid_from,
          coalesce(lead(m.occurred_at) over oldest, 'infinity') as valid_until
        from cost_movement m
        where m.shop_id = ${shopId}
        window oldest as (partition by m.variant_id order by m.id)
      ) m
      join variant v on v.shop_id = ${shopId} and v.id = m.variant_id
    ),
    sold as (
      select s.variant_gid, c.cost, sum(s.quantity - s.cancelled - s.returned) as units,
        sum(case
          when s.returned = 0 then s.revenue
          else s.revenue * (s.quantity - s.cancelled - s.returned) / (s.quantity - s.cancelled)
        end) as revenue,
        sum(s.quantity - s.cancelled - s.returned) filter (where s.revenue is null) as unpriced_units
      from sale s
      left join validity c on c.variant_gid = s.variant_gid
        and c.valid_from <= s.ordered_at and s.ordered_at < c.valid_until
      where ${sql.and([
        sql.fragment`s.shop_id = ${shopId} and s.quantity > s.cancelled`,
        filter.startDate === undefined &&
          filter.endDate === undefined &&
          sql.fragment`s.ordered_at >= ${startOfDays(shopId, defaultDays)}`,
        ...within(sql.fragment`s.ordered_at`, period),
      ])}
      group by s.variant_gid, c.cost
    ),
    summed as (
      select row_id, sum(units) as net_units, sum(revenue) as revenue, sum(units * cost) as cost,
        sum(revenue) filter (where cost is not null) as costed_revenue,
        coalesce(sum(units) filter (where cost is null), 0) as uncosted_units
      from (
        select ${isByProduct ? sql.fragment`v.product_id` : sql.fragment`v.id`} as row_id, s.units, s.cost,
          -- an order without prices sold at the price of the variant
          coalesce(s.revenue, 0) + coalesce(s.unpriced_units * v.price, 0) as revenue
        from sold s
        join variant v on v.shop_id = ${shopId} and v.gid = s.variant_gid
        where ${sql.and([sql.fragment`true`, isOfProduct(sql.fragment`v.id`, shopId, filter)])}
      ) of_variant
      group by row_id
      having sum(units) > 0
    ),
    earned as (
      select row_id, net_units, uncosted_units, round(revenue, digits) as revenue, round(cost, digits) as cost,
        round(costed_revenue, digits) - round(cost, digits) as margin,
        round(100 * (costed_revenue - cost) / nullif(costed_revenue, 0), 2) as margin_percent
      from summed
      cross join shop
    ),
    page as (
      select *
      from (select x.*, ${rankOf} as rank from earned x) ranked
      ${after ? sql.fragment`where (rank, row_id) > (${after.rank}::bigint, ${after.rowId}::bigint)` : sql.fragment``}
      order by rank, row_id
      limit ${pageSize(filter) + 1}
    )
    select ${isByProduct ? ofProduct : ofVariant}, page.*
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

const ofProduct = sql.fragment`p.gid as product_id, null::text as variant_id, '' as sku, p.title`
const ofVariant = sql.fragment`
  p.gid as product_id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title
`
