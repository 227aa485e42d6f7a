import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import { type Period, within } from '../../kit/date-range.ts'

/**
 * SQL: what the sales of a period earned by variant, unrounded: variant_id, product_id, units, revenue, cost, costed_units and
 * costed_revenue. `variants` is a condition on `variant v`. With `isPart`, only the sales of these variants are read.
 *
 * Net units are the sold ones without those that came back, with their part of the revenue. A unit costs the average of its variant when
 * it was sold; one that was sold before the variant's first cost movement costs what that began with. Units without a cost are in
 * `units` and `revenue` only. A deleted variant has its sums, too.
 *
 * Each movement of a cost is valid until the next of its variant, so each sale belongs to one. Example: 3 sold at an average of
 * 4.00, 2 after a receipt at 5.00; revenue 60: cost 3 x 4 + 2 x 5 = 22, margin 38, 63.33 %. Only variants whose average changed since
 * the period began need the ledger; the others cost their average of today.
 */
export function sumsOfSales(
  shopId: number,
  period: Period,
  variants: FragmentSqlToken,
  { isPart = false }: { isPart?: boolean } = {},
): FragmentSqlToken {
  const isMoved = mayHaveMoved(period.from)
  const sales = netSales(shopId, period)
  const salesOfVariants = isPart ? netSales(shopId, period, variants) : sales
  return sql.fragment`
    with sold as materialized ( -- so that Postgres computes each once also while a table has no statistics yet
      select variant_gid, sum(units) as units, sum(revenue) as revenue, sum(units) filter (where revenue is null) as unpriced_units
      from (${salesOfVariants}) s
      group by variant_gid
    ),
    validity as materialized (
      select v.gid as variant_gid, m.average_after as cost,
        case when row_number() over oldest > 1 then m.occurred_at else '-infinity' end as valid_from,
        coalesce(lead(m.occurred_at) over oldest, 'infinity') as valid_until
      from variant_cost c
      join variant v on v.shop_id = ${shopId} and v.id = c.variant_id
      join cost_movement m on m.shop_id = ${shopId} and m.variant_id = c.variant_id
      where c.shop_id = ${shopId} and ${isMoved} and ${isPart ? variants : sql.fragment`true`}
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
      select v.id, v.product_id, v.gid, v.price, c.average_cost, coalesce(${isMoved}, false) as is_moved
      from variant v
      left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
      where v.shop_id = ${shopId} and ${variants}
    )
    select v.id as variant_id, v.product_id, s.units,
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
  `
}

/**
 * SQL: the place of sums in a list, from their alias, a whole number from 0: first by margin in thousandths, then what has no cost, by
 * revenue. `digits` are the decimals of the shop's currency.
 */
export function rankOf(sums: string, digits: FragmentSqlToken) {
  const x = sql.identifier([sums])
  return sql.fragment`(
    case
      when ${x}.cost is not null
        then 1000000000000000 - (round(${x}.costed_revenue, ${digits}) - round(${x}.cost, ${digits})) * 1000
      else 4000000000000000 - round(${x}.revenue, ${digits}) * 1000
    end
  )::bigint`
}

/** The average of `c` may have changed in the period or later. The movement may be written a moment after the row; an hour is more than any transaction takes. */
const mayHaveMoved = (from: string | null) =>
  from === null ? sql.fragment`true` : sql.fragment`c.updated_at >= ${from}::timestamptz - interval '1 hour'`

/** What is left of each sale of a period, with its part of the revenue, which is null without a price. */
const netSales = (shopId: number, period: Period, variants?: FragmentSqlToken) => sql.fragment`
  select variant_gid, ordered_at, quantity - cancelled - returned as units,
    case
      when returned = 0 then revenue
      else revenue * (quantity - cancelled - returned) / (quantity - cancelled)
    end as revenue
  from sale
  where ${sql.and([
    sql.fragment`shop_id = ${shopId} and quantity > cancelled`,
    variants &&
      sql.fragment`variant_gid in (select v.gid from variant v where v.shop_id = ${shopId} and ${variants})`,
    ...within(sql.fragment`ordered_at`, period),
  ])}
`

/** An order without prices sold at the price of the variant `v`. */
const revenueOf = (sales: FragmentSqlToken) =>
  sql.fragment`coalesce(${sales}.revenue, 0) + coalesce(${sales}.unpriced_units * v.price, 0)`
