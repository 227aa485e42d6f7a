import { sql } from '../../../db/db.ts'
import { measuredLeadTime } from './lead-times.ts'
import { productOfRule } from './rule-supplier.ts'

/** Without a rule and an order cycle of the supplier. */
const reviewDays = 7

/**
 * SQL: further CTEs after `c`, which has the variants with `variant_id`, and `supplier_id` and `review_days` of their rules. `main_supplier`
 * has a row for each of them: the supplier of the rule, else the preferred one of the catalogue, with packaging, lead time and review
 * days; without a supplier its `supplier_id` is null. The lead time of a supplier is measured once for all its variants.
 */
export const mainSuppliers = (shopId: number) => sql.fragment`
  chosen as materialized (
    select c.variant_id, c.review_days, coalesce(c.supplier_id, x.supplier_id) as supplier_id, x.supplier_sku, x.pack_size,
      x.minimum_quantity, x.quantity_multiple, x.lead_time_days
    from c
    left join lateral (${productOfRule(shopId, 'c')}) x on true
  ),
  terms as materialized (
    select s.id, s.name, s.currency, s.default_tax_rate, s.lead_time_days, s.order_cycle_days, s.minimum_order_value,
      s.minimum_order_quantity, lead.*
    from (select distinct supplier_id from chosen) d
    join supplier s on s.shop_id = ${shopId} and s.id = d.supplier_id
    cross join lateral (${measuredLeadTime(shopId, 'd')}) lead
  ),
  main_supplier as (
    select o.variant_id, s.id as supplier_id, s.name as supplier_name, s.currency, s.default_tax_rate, s.minimum_order_value,
      s.minimum_order_quantity, o.supplier_sku, coalesce(o.pack_size, 1) as pack_size, o.minimum_quantity,
      coalesce(o.quantity_multiple, 1) as quantity_multiple,
      coalesce(o.review_days, s.order_cycle_days, ${reviewDays}) as review_days,
      coalesce(s.measured_orders, 0) as measured_orders, s.mean_days, s.deviation_days,
      coalesce(o.lead_time_days, s.lead_time_days) as supplier_days
    from chosen o
    left join terms s on s.id = o.supplier_id
  )
`
