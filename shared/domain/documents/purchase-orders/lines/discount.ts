import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../../db/db.ts'

/**
 * SQL: the share of its value that a line of an order costs after the discount of the whole order. The digits keep a part of
 * a large order exact. `costs/functions/landed_lines.sql` has the same share.
 *
 * Example: 100 with a discount of 20: 0.8.
 */
export function afterDiscount(order: string) {
  const o = sql.identifier([order])
  return sql.fragment`(1 - case when ${o}.subtotal > 0 then ${o}.discount::numeric(60, 30) / ${o}.subtotal else 0 end)`
}

/**
 * SQL: the sum of values of lines after discounts, with their tax, for rows grouped by order. Takes the aliases of order and line. Parts of
 * an order add up to its total: the computed tax is divided by the values and rates of the lines, and a typed tax by the values alone.
 *
 * Example: A costs 100 at 20 %, B costs 100 at 0 %, and the order 220 with 20 tax: B alone costs 100. Of a typed tax of 20, B has 10.
 */
export function withTax(shopId: number, value: FragmentSqlToken, aliases: { order: string; line: string }) {
  const o = sql.identifier([aliases.order])
  const rate = sql.identifier([aliases.line, 'tax_rate'])
  return sql.fragment`
    (sum(${value}) + case
      when not ${o}.is_own_tax then sum(${value} * ${rate} / 100) * coalesce(${o}.tax::numeric(60, 30) / nullif((
        select sum(y.line_total * y.tax_rate / 100)
        from purchase_order_line y
        where y.shop_id = ${shopId} and y.purchase_order_id = ${o}.id
      ) * ${afterDiscount(aliases.order)}, 0), 1)
      when ${o}.subtotal > ${o}.discount then sum(${value}) * ${o}.tax::numeric(60, 30) / (${o}.subtotal - ${o}.discount)
      else 0
    end)
  `
}
