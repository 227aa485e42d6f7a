import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Margin, type MarginFilter } from '../../schemas/reports.ts'
import { matchesProduct } from '../catalogue/product-filter.ts'
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
  const listed = isByProduct
    ? sql.fragment`p.gid as product_id, null::text as variant_id, ''::text as sku, p.title, p.id as row_id`
    : sql.fragment`p.gid as product_id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title, v.id as row_id`
  const rows = await db.any(sql.type(row(MarginRow))`
    with validity as (
      select m.variant_id, m.average_after as cost,
        case when row_number() over oldest > 1 then m.occurred_at else '-infinity' end as valid_from,
        coalesce(lead(m.occurred_at) over oldest, 'infinity') as valid_until
      from cost_movement m
      where m.shop_id = ${shopId}
      window oldest as (partition by m.variant_id order by m.id)
    ),
    sold as (
      select v.id as variant_id, s.ordered_at, s.quantity - s.cancelled - s.returned as units,
        coalesce(s.revenue, (s.quantity - s.cancelled) * v.price)
          * (s.quantity - s.cancelled - s.returned) / nullif(s.quantity - s.cancelled, 0) as revenue
      from sale s
      join variant v on v.shop_id = ${shopId} and v.gid = s.variant_gid
      where ${sql.and([
        sql.fragment`s.shop_id = ${shopId}`,
        filter.startDate === undefined &&
          filter.endDate === undefined &&
          sql.fragment`s.ordered_at >= ${startOfDays(shopId, defaultDays)}`,
        ...within(sql.fragment`s.ordered_at`, period),
      ])}
    ),
    costed as (
      select s.variant_id, sum(s.units) as net_units, sum(s.revenue) as revenue, sum(s.units * c.cost) as cost,
        sum(s.revenue) filter (where c.cost is not null) as costed_revenue,
        coalesce(sum(s.units) filter (where c.cost is null), 0) as uncosted_units
      from sold s
      left join validity c on c.variant_id = s.variant_id and c.valid_from <= s.ordered_at and s.ordered_at < c.valid_until
      group by s.variant_id
    ),
    earned as (
      select product_id, variant_id, sku, title, row_id, net_units, uncosted_units,
        round(revenue, digits) as revenue, round(cost, digits) as cost,
        round(costed_revenue, digits) - round(cost, digits) as margin,
        round(100 * (costed_revenue - cost) / nullif(costed_revenue, 0), 2) as margin_percent
      from (
        select ${listed}, sum(c.net_units) as net_units, coalesce(sum(c.revenue), 0) as revenue, sum(c.cost) as cost,
          sum(c.costed_revenue) as costed_revenue, sum(c.uncosted_units) as uncosted_units
        from costed c
        join variant v on v.shop_id = ${shopId} and v.id = c.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        where ${sql.and([sql.fragment`true`, ...matchesProduct('p', filter)])}
        group by 1, 2, 3, 4, 5
        having sum(c.net_units) > 0
      ) grouped
      cross join (select minor_digits(${currencyOf(shopId)}) as digits) shop
    )
    select * from (select x.*, ${rankOf} as rank from earned x) ranked
    ${after ? sql.fragment`where (rank, row_id) > (${after.rank}::bigint, ${after.rowId}::bigint)` : sql.fragment``}
    order by rank, row_id
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}
