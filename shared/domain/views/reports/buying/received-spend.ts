import { sql } from '../../../../db/db.ts'
import { arrivedValue } from '../../../documents/purchase-orders/purchase-orders.ts'
import { postedAt } from '../../../documents/receipts/of-order.ts'
import type { SpendFilter } from './spend-parts.ts'

/**
 * SQL: a part of the spend (`procurement-spend.ts`) for each receipt of an order with an accepted piece: the pieces at their costs, else at
 * the price after discounts, with their share of the order's tax, on the day of the posting. The first receipt of an order in the period
 * has the kind `order`, so that counting this kind counts orders. Needs the CTE `shop` with its currency. Example: an order of 250.00 with
 * a typed tax of 50.00; 4 of its 10 pieces at 25.00 arrive: 100.00 x 300 / 250 = 120.00.
 */
export const receivedOrders = (shopId: number, { supplierId, during }: SpendFilter) => sql.fragment`
  select case row_number() over (partition by o.id order by r.id) when 1 then 'order' else 'receipt' end as kind,
    o.supplier_id, ${arrivedValue(shopId, { order: 'o', orderLine: 'l', receiptLine: 'x' })} as own_total, coalesce(o.currency, shop.currency) as currency, o.rate,
    ${postedAt('r')} as at,
    count(*) filter (where x.unit_cost is null and not l.is_cost_known)::int as unknown_costs
  from receipt r
  join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
  join receipt_line x on x.shop_id = ${shopId} and x.receipt_id = r.id
  join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
  cross join shop
  where ${sql.and([
    sql.fragment`r.shop_id = ${shopId} and r.state = 'posted' and r.reversed_at is null and x.quantity > 0`,
    supplierId !== undefined && sql.fragment`o.supplier_id = ${supplierId}`,
    ...during(postedAt('r')),
  ])}
  group by o.supplier_id, o.id, o.subtotal, o.discount, o.tax, o.is_own_tax, o.currency, o.rate, r.id, r.posted_at, r.created_at, shop.currency
`
