import { type Db, row, sql } from '../../../../db/db.ts'
import { type CommitmentFilter, Commitments } from '../../../../schemas/reports.ts'
import { rateToShop } from '../../../documents/purchase-orders/currency.ts'
import { outstandingLines } from '../../../documents/purchase-orders/list/outstanding.ts'
import { resolveDates, timeZoneOf, within } from '../../../kit/date-range.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { dueAt } from '../../../records/supplier-prices/due-at.ts'

/**
 * Sums what is still to arrive of sent and partial orders, in the shop's currency, by the month of its expected arrival in the shop's
 * time zone and by supplier: the outstanding pieces at their price after discounts, without taxes and charges. The month is null
 * without an expected date or a lead time. An order in a currency without a known rate is named in `withoutRate`, with its value
 * in its own currency. `unknownCosts` counts outstanding lines whose cost is not known, which count 0.
 */
export async function getCommitments(db: Db, shopId: number, filter: CommitmentFilter): Promise<Commitments> {
  const period = await resolveDates(db, shopId, filter)
  return db.one(sql.type(row(Commitments))`
    with open as (
      select o.id, o.po_number, s.id as supplier_id, s.name as supplier_name, money.currency,
        ${rateToShop(shopId, 'o')} as rate,
        to_char(${dueAt('o', 's')} at time zone ${timeZoneOf(shopId)}, 'YYYY-MM') as month,
        round(coalesce(lines.value, 0), minor_digits(money.currency)) as value,
        lines.unknown_costs
      from purchase_order o
      join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
      cross join lateral (select coalesce(o.currency, ${currencyOf(shopId)}) as currency) money
      cross join lateral (${outstandingLines(shopId, 'o')}) lines
      where ${sql.and([
        sql.fragment`o.shop_id = ${shopId} and o.status in ('sent', 'partial') and lines.line_count > 0`,
        filter.supplierId !== undefined && sql.fragment`o.supplier_id = ${filter.supplierId}`,
        ...within(dueAt('o', 's'), period),
      ])}
    ),
    committed as (
      select month, supplier_id, supplier_name, sum(round(value * rate, minor_digits(${currencyOf(shopId)}))) as value,
        count(*) as order_count
      from open
      where rate is not null
      group by month, supplier_id, supplier_name
    )
    select ${currencyOf(shopId)} as currency, (select coalesce(sum(value), 0) from committed) as total,
      (
        select coalesce(jsonb_agg(jsonb_build_object('month', month, 'value', value, 'orderCount', order_count)
          order by month nulls last), '[]')
        from (select month, sum(value) as value, sum(order_count) as order_count from committed group by month) m
      ) as by_month,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'month', month, 'supplierId', supplier_id, 'supplierName', supplier_name, 'value', value,
          'orderCount', order_count
        ) order by month nulls last, value desc, supplier_id), '[]')
        from committed
      ) as by_supplier,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'purchaseOrderId', id, 'poNumber', po_number, 'supplierId', supplier_id, 'supplierName', supplier_name,
          'month', month, 'currency', currency, 'value', value
        ) order by id), '[]')
        from open
        where rate is null
      ) as without_rate,
      (select coalesce(sum(unknown_costs), 0)::int from open) as unknown_costs
  `)
}
