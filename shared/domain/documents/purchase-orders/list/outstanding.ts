import { sql } from '../../../../db/db.ts'
import { afterDiscount } from '../lines/discount.ts'

/**
 * SQL: what is still to arrive of an order, from its alias: `line_count`, `pieces`, `value` and `unknown_costs`. The value is in the
 * order's currency, after discounts, without taxes and charges, and not rounded; it leaves out lines whose cost is not known, and is null
 * when no cost is known.
 *
 * Example: 10 ordered at 4.00 with 5 % discount, 6 accepted and 1 cancelled: 3 × 3.80 = 11.40.
 */
export function outstandingLines(shopId: number, order: string) {
  return sql.fragment`
    select count(*)::int as line_count, sum(l.quantity - l.accepted - l.cancelled)::int as pieces,
      sum((l.quantity - l.accepted - l.cancelled) * l.cost_price * (1 - l.discount_percent / 100)) filter (where l.is_cost_known)
        * ${afterDiscount(order)} as value,
      count(*) filter (where not l.is_cost_known)::int as unknown_costs
    from purchase_order_line l
    where l.shop_id = ${shopId} and l.purchase_order_id = ${sql.identifier([order, 'id'])}
      and l.quantity > l.accepted + l.cancelled
  `
}
