import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../../db/db.ts'
import { afterDiscount, withTax } from '../../../documents/purchase-orders/lines/discount.ts'
import { postedAt } from '../../../documents/receipts/of-order.ts'

/** Limits the parts: conditions of their instant for `sql.and`, and a supplier. */
export type SpendFilter = {
  during: (at: FragmentSqlToken) => (FragmentSqlToken | false)[]
  supplierId?: number | undefined
}

const ofSupplier = (column: FragmentSqlToken, { supplierId }: SpendFilter) =>
  supplierId !== undefined && sql.fragment`${column} = ${supplierId}`

// A row of each part has its supplier, its amount in its currency, the currency with its rate, its instant, and how many of its
// lines have no known cost. Each part needs the CTE `shop` with its currency.

/** SQL: the orders that were sent; by default with their totals. */
export const sentOrders = (
  shopId: number,
  filter: SpendFilter,
  total: FragmentSqlToken = sql.fragment`o.total`,
) => sql.fragment`
  select o.supplier_id, ${total} as own_total, coalesce(o.currency, shop.currency) as currency, o.rate, o.sent_at as at,
    ${unpricedLines(shopId, 'o')} as unknown_costs
  from purchase_order o
  cross join shop
  where ${sql.and([
    sql.fragment`o.shop_id = ${shopId} and o.sent_at is not null and o.status <> 'cancelled'`,
    ofSupplier(sql.fragment`o.supplier_id`, filter),
    ...filter.during(sql.fragment`o.sent_at`),
  ])}
`

/** SQL, from the alias of an order: its lines with pieces whose cost neither the order nor a receipt says. */
export const unpricedLines = (shopId: number, order: string) => sql.fragment`
  (
    select count(*)::int
    from purchase_order_line l
    where l.shop_id = ${shopId} and l.purchase_order_id = ${sql.identifier([order, 'id'])} and not l.is_cost_known
      and l.quantity - l.cancelled > coalesce((
        select sum(x.quantity)
        from receipt_line x
        join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
        where x.shop_id = ${shopId} and x.purchase_order_line_id = l.id and x.unit_cost is not null
          and r.state = 'posted' and r.reversed_at is null
      ), 0)
  )
`

const isPosted = sql.fragment`r.state = 'posted' and r.reversed_at is null`

/** SQL: what the receipts of orders changed: other costs, and rejected pieces that the supplier credits. */
export const corrections = (shopId: number, filter: SpendFilter) => sql.fragment`
  select o.supplier_id,
    round(${withTax(shopId, sql.fragment`line.correction`, { order: 'o', line: 'l' })}, minor_digits(coalesce(o.currency, shop.currency))) as own_total,
    coalesce(o.currency, shop.currency) as currency, o.rate, ${postedAt('r')} as at, 0 as unknown_costs
  from receipt_line x
  join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
  join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
  join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
  cross join shop
  cross join lateral (
    select coalesce(x.quantity * (x.unit_cost - p.price), 0)
      - case when x.reject_outcome = 'credit' then x.rejected * p.price else 0 end as correction
    from (select l.cost_price * (1 - l.discount_percent / 100) * ${afterDiscount('o')} as price) p
  ) line
  where ${sql.and([
    sql.fragment`x.shop_id = ${shopId} and (x.unit_cost is not null or x.reject_outcome = 'credit')`,
    sql.fragment`${isPosted} and o.sent_at is not null and o.status <> 'cancelled'`,
    ofSupplier(sql.fragment`o.supplier_id`, filter),
    ...filter.during(postedAt('r')),
  ])}
  group by o.supplier_id, o.id, o.subtotal, o.discount, o.tax, o.is_own_tax, o.currency, o.rate, r.id, r.posted_at, r.created_at, shop.currency
`

/** SQL: receipts without an order; their costs are entered in the shop's currency. */
export const receiptsWithoutOrder = (shopId: number, filter: SpendFilter) => sql.fragment`
  select r.supplier_id, round(coalesce(sum(d.quantity * d.unit_cost), 0), minor_digits(shop.currency)) as own_total, shop.currency,
    null::numeric as rate, ${postedAt('r')} as at, count(*) filter (where d.unit_cost is null)::int as unknown_costs
  from receipt r
  join direct_receipt_line d on d.shop_id = ${shopId} and d.receipt_id = r.id
  cross join shop
  where ${sql.and([
    sql.fragment`r.shop_id = ${shopId} and r.purchase_order_id is null and ${isPosted}`,
    ofSupplier(sql.fragment`r.supplier_id`, filter),
    ...filter.during(postedAt('r')),
  ])}
  group by r.supplier_id, r.id, r.posted_at, r.created_at, shop.currency
`

/** SQL: what suppliers credited for returns. */
export const creditedReturns = (shopId: number, filter: SpendFilter) => sql.fragment`
  select b.supplier_id, -b.credit_amount as own_total, coalesce(b.currency, shop.currency) as currency, b.rate,
    b.credited_at as at, 0 as unknown_costs
  from supplier_return b
  cross join shop
  where ${sql.and([
    sql.fragment`b.shop_id = ${shopId} and b.credited_at is not null`,
    ofSupplier(sql.fragment`b.supplier_id`, filter),
    ...filter.during(sql.fragment`b.credited_at`),
  ])}
`

/** SQL: the amount of a part in the currency of the shop, from the aliases of both; null: its rate is not known. */
export function inShopCurrency(part: string, shop: string) {
  const p = sql.identifier([part])
  const currency = sql.identifier([shop, 'currency'])
  return sql.fragment`
    case
      when ${p}.currency = ${currency} then ${p}.own_total
      else round(${p}.own_total * ${p}.rate, minor_digits(${currency}))
    end
  `
}
