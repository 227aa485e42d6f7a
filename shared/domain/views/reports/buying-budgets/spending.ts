import type { FragmentSqlToken } from 'slonik'
import { row, sql } from '../../../../db/db.ts'
import { BuyingBudget } from '../../../../schemas/buying-budgets.ts'
import { afterDiscount, withTax } from '../../../documents/purchase-orders/lines/discount.ts'
import { timeZoneOf, todayOf } from '../../../kit/date-range.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import {
  corrections,
  creditedReturns,
  inShopCurrency,
  receiptsWithoutOrder,
  type SpendFilter,
  sentOrders,
  unpricedLines,
} from '../buying/spend-parts.ts'

/**
 * Budgets with what they have spent: the parts of the report of procurement spend, each on its own day, but of an order only the
 * pieces that came or may still come, with their share of the tax; and drafts while today is in the period.
 *
 * Example: 8 000 for March; 5 000 were sent in March, of which pieces of 900 were closed short, and a draft has 1 200: 4 100 are
 * spent, and 2 700 remain.
 */
export const budgetsWithSpending = (shopId: number, chosen: FragmentSqlToken) =>
  sql.type(row(BuyingBudget))`${withSpending(shopId, chosen)}`

/** SQL: as above, of rows that have the columns of `buying_budget`. */
export const withSpending = (shopId: number, chosen: FragmentSqlToken) => sql.fragment`
  with shop as materialized (
    select ${currencyOf(shopId)} as currency, ${timeZoneOf(shopId)} as time_zone, ${todayOf(shopId)} as today
  ),
  b as materialized (${chosen}),
  span as materialized (
    select min(b.starts_on)::timestamp at time zone max(shop.time_zone) as from_at,
      (max(b.ends_on) + 1)::timestamp at time zone max(shop.time_zone) as to_at
    from b
    cross join shop
  ),
  -- what all these budgets may have paid is read once, and summed by supplier and day
  spending as materialized (
    select p.supplier_id, p.day, p.is_sent, sum(p.total) as total, count(*) filter (where p.is_unknown) as unknown
    from (
      select part.supplier_id, (part.at at time zone shop.time_zone)::date as day, true as is_sent, ${inShopCurrency('part', 'shop')} as total,
        part.kind <> 'correction' and (part.unknown_costs > 0 or ${inShopCurrency('part', 'shop')} is null) as is_unknown
      from (${partsOf(shopId)}) part
      cross join shop
      union all
      select part.supplier_id, shop.today, false, ${inShopCurrency('part', 'shop')}, part.unknown_costs > 0 or ${inShopCurrency('part', 'shop')} is null
      from (${drafts(shopId)}) part
      cross join shop
    ) p
    group by p.supplier_id, p.day, p.is_sent
  )
  select b.id, b.name, b.supplier_id, s.name as supplier_name,
    case
      when date_trunc('month', b.starts_on) = b.starts_on
        and b.ends_on = (date_trunc('month', b.starts_on) + interval '1 month - 1 day')::date
      then to_char(b.starts_on, 'YYYY-MM')
    end as month,
    b.starts_on::text as starts_on, b.ends_on::text as ends_on, b.amount, shop.currency, o.spent, o.drafted,
    b.amount - o.spent - o.drafted as remaining, o.unknown_orders, b.version, b.created_by, b.created_at, b.updated_at
  from b
  cross join shop
  left join supplier s on s.shop_id = ${shopId} and s.id = b.supplier_id
  cross join lateral (
    select coalesce(sum(p.total) filter (where p.is_sent), 0) as spent,
      coalesce(sum(p.total) filter (where not p.is_sent), 0) as drafted, coalesce(sum(p.unknown), 0)::int as unknown_orders
    from spending p
    where p.day between b.starts_on and b.ends_on and (b.supplier_id is null or p.supplier_id = b.supplier_id)
  ) o
  order by b.id desc
`

/** SQL: what was bought in the days of all chosen budgets. */
function partsOf(shopId: number) {
  const filter: SpendFilter = {
    during: (at) => [
      sql.fragment`${at} >= (select from_at from span)`,
      sql.fragment`${at} < (select to_at from span)`,
    ],
  }
  const total = sql.fragment`o.total - ${cancelledValue(shopId)}`
  return sql.fragment`
    select 'order' as kind, sent.* from (${sentOrders(shopId, filter, total)}) sent
    union all
    select 'correction', corrected.* from (${corrections(shopId, filter)}) corrected
    union all
    select 'direct', direct.* from (${receiptsWithoutOrder(shopId, filter)}) direct
    union all
    select 'credit', credited.* from (${creditedReturns(shopId, filter)}) credited
  `
}

/**
 * SQL: the value of the pieces of order `o` that will not come, with their share of discount and tax. Credited pieces are not
 * among them: they are corrections.
 */
function cancelledValue(shopId: number) {
  const value = sql.fragment`
    (l.cancelled - l.credited) * l.cost_price * (1 - l.discount_percent / 100) * ${afterDiscount('o')}
  `
  return sql.fragment`
    coalesce((
      select round(${withTax(shopId, value, { order: 'o', line: 'l' })}, minor_digits(coalesce(o.currency, shop.currency)))
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = o.id and l.cancelled > l.credited
    ), 0)
  `
}

const drafts = (shopId: number) => sql.fragment`
  select o.supplier_id, o.total as own_total, coalesce(o.currency, shop.currency) as currency, o.rate,
    ${unpricedLines(shopId, 'o')} as unknown_costs
  from purchase_order o
  cross join shop
  where o.shop_id = ${shopId} and o.status = 'draft'
`
