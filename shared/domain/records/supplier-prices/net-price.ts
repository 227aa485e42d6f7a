import { sql } from '../../../db/db.ts'

/** SQL: the price of a piece after the discount of its line, from the line's alias. */
export function netPrice(line: string) {
  const l = sql.identifier([line])
  return sql.fragment`round(${l}.cost_price * (1 - ${l}.discount_percent / 100), 4)`
}
