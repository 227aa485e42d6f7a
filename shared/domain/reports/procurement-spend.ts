import { type Db, row, sql } from '../../db/db.ts'
import { ProcurementSpend, type ProcurementSpendFilter } from '../../schemas/reports.ts'
import { resolveDates, timeZoneOf, within } from '../date-range.ts'
import { currencyOf } from '../shops/currency.ts'

/**
 * Sums the totals (with tax) of the orders sent in a period, without cancelled ones (specification, GET
 * /api/reports/procurement-spend): by supplier, highest first, and by month in the shop's time zone, without gaps.
 * Amounts are in the shop's currency, by the rate of each order and rounded to cents per order. The spend leaves out
 * orders whose rate is not known; `withoutRate` has their totals by currency. Counts include them.
 */
export async function getProcurementSpend(
  db: Db,
  shopId: number,
  filter: ProcurementSpendFilter,
): Promise<ProcurementSpend> {
  const period = await resolveDates(db, shopId, filter)
  return db.one(sql.type(row(ProcurementSpend))`
    with sent as (
      select o.supplier_id, o.total as own_total, coalesce(o.currency, shop.currency) as currency,
        case when coalesce(o.currency = shop.currency, true) then o.total else round(o.total * o.rate, 2) end as total,
        date_trunc('month', o.sent_at at time zone ${timeZoneOf(shopId)}) as month
      from purchase_order o
      cross join (select ${currencyOf(shopId)} as currency) shop
      where ${sql.and([
        sql.fragment`o.shop_id = ${shopId} and o.sent_at is not null and o.status <> 'cancelled'`,
        filter.supplierId !== undefined && sql.fragment`o.supplier_id = ${filter.supplierId}`,
        ...within(sql.fragment`o.sent_at`, period),
      ])}
    ),
    by_supplier as (
      select s.id, s.name, coalesce(sum(sent.total), 0) as spend, count(*) as order_count
      from sent
      join supplier s on s.shop_id = ${shopId} and s.id = sent.supplier_id
      group by s.id, s.name
    ),
    by_month as (
      select m.month, coalesce(sum(sent.total), 0) as spend
      from (
        select generate_series(min(month), max(month), interval '1 month') as month from sent
      ) m
      left join sent on sent.month = m.month
      group by m.month
    )
    select (select coalesce(sum(total), 0) from sent) as total_spend, (select count(*) from sent) as order_count,
      ${currencyOf(shopId)} as currency,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'currency', currency, 'total', total, 'orderCount', order_count
        ) order by currency), '[]')
        from (
          select currency, sum(own_total) as total, count(*) as order_count
          from sent
          where total is null
          group by currency
        ) unknown
      ) as without_rate,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'supplierId', id, 'supplierName', name, 'spend', spend, 'orderCount', order_count
        ) order by spend desc, id), '[]')
        from by_supplier
      ) as by_supplier,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'month', to_char(month, 'YYYY-MM'), 'spend', spend
        ) order by month), '[]')
        from by_month
      ) as by_month
  `)
}
