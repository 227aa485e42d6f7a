import { sql } from '../../db/db.ts'

/** SQL: the price of a piece after the discount of its line, from the line's alias. */
export function netPrice(line: string) {
  const l = sql.identifier([line])
  return sql.fragment`round(${l}.cost_price * (1 - ${l}.discount_percent / 100), 4)`
}

/**
 * SQL: the share of its value that a line of an order costs after the discount of the whole order. The digits keep a part of
 * a large order exact. `db/functions/landed_lines.sql` has the same share.
 *
 * Example: 100 with a discount of 20: 0.8.
 */
export function afterDiscount(order: string) {
  const o = sql.identifier([order])
  return sql.fragment`(1 - case when ${o}.subtotal > 0 then ${o}.discount::numeric(60, 30) / ${o}.subtotal else 0 end)`
}
