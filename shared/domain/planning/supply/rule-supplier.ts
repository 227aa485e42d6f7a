import { sql } from '../../../db/db.ts'

/**
 * SQL for a lateral join to a rule: the row of a supplier's catalogue that the rule orders by, or no row. It is that of
 * the rule's own supplier, else the preferred one: the lowest rank, then the oldest. A rule without a supplier of its own
 * gets one when it is read, so it follows every change of the catalogue. Archived suppliers do not count.
 */
export function productOfRule(shopId: number, rule: string) {
  const r = sql.identifier([rule])
  return sql.fragment`
    select x.supplier_id, x.supplier_sku, x.pack_size, x.minimum_quantity, x.quantity_multiple, x.lead_time_days
    from supplier_product x
    where x.shop_id = ${shopId} and x.variant_id = ${r}.variant_id and x.is_active
      and (${r}.supplier_id is null or x.supplier_id = ${r}.supplier_id)
      and (select s.archived_at is null from supplier s where s.shop_id = ${shopId} and s.id = x.supplier_id)
    order by x.rank, x.id
    limit 1
  `
}
