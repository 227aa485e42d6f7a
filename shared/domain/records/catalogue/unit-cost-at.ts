import { sql } from '../../../db/db.ts'

/** SQL: when the unit cost of a variant came (`costs/functions/unit_cost_at.sql`). A receipt that repeats the cost does not write the variant. */
export function unitCostAt(variant: string) {
  const v = (column: string) => sql.identifier([variant, column])
  return sql.fragment`unit_cost_at(${v('shop_id')}, ${v('id')}, ${v('cost_source')}, ${v('cost_at')})`
}
