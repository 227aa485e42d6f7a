import { Type } from '@sinclair/typebox'
import { sql } from '../../../db/db.ts'
import { Nullable } from '../../../schemas/common.ts'
import { postedAt } from '../../documents/receipts/of-order.ts'

/** The columns of `measuredLeadTime`, and the lead time that the merchant entered for the supplier or its product. */
export const leadTimeColumns = {
  measuredOrders: Type.Integer(),
  meanDays: Nullable(Type.Number()),
  deviationDays: Nullable(Type.Number()),
  supplierDays: Nullable(Type.Integer()),
}

/**
 * SQL for a lateral join to a row with a supplier: days from sending to first receipt of its last ten received orders, by the
 * day of receiving, since an import of the past adds old orders with new ids.
 */
export function measuredLeadTime(shopId: number, supplier: string) {
  const r = sql.identifier([supplier])
  return sql.fragment`
    select count(x.days) as measured_orders, avg(x.days) as mean_days, stddev_samp(x.days) as deviation_days
    from (
      select extract(epoch from arrival.at - o.sent_at) / 86400 as days
      from purchase_order o
      cross join lateral (
        select min(${postedAt('t')}) as at
        from receipt t
        where t.shop_id = ${shopId} and t.purchase_order_id = o.id and t.state = 'posted' and t.reversed_at is null
      ) arrival
      where o.shop_id = ${shopId} and o.supplier_id = ${r}.supplier_id and o.status in ('partial', 'received')
        and o.is_arrival_known
      order by o.received_at desc nulls last, o.id desc
      limit 10
    ) x
  `
}
