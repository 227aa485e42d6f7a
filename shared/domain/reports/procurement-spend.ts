import { type Db, row, sql } from '../../db/db.ts'
import { ProcurementSpend, type ProcurementSpendFilter } from '../../schemas/reports.ts'
import { resolveDates, timeZoneOf, within } from '../date-range.ts'
import { currencyOf } from '../shops/currency.ts'

/**
 * Sums the totals (with tax) of the orders sent in a period, without cancelled ones (specification, GET
 * /api/reports/procurement-spend): by supplier, highest first, and by month in the shop's time zone, without gaps.
 * Amounts are in the shop's currency, by the rate of each order and rounded to cents per order. The spend leaves out
 * orders whose rate is not known; `withoutRate` has their totals by currency. Counts include them.
 * Credits of returns lower the spend of the day on which they were entered: 900 ordered in May and 100 credited in June
 * are 900 in May and -100 in June. Those without a rate lower `withoutRate`.
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
    credited as (
      select b.supplier_id, -b.credit_amount as own_total, coalesce(b.currency, shop.currency) as currency,
        -case when coalesce(b.currency = shop.currency, true) then b.credit_amount else round(b.credit_amount * b.rate, 2) end
          as total,
        date_trunc('month', b.credited_at at time zone ${timeZoneOf(shopId)}) as month
      from supplier_return b
      cross join (select ${currencyOf(shopId)} as currency) shop
      where ${sql.and([
        sql.fragment`b.shop_id = ${shopId} and b.credited_at is not null`,
        filter.supplierId !== undefined && sql.fragment`b.supplier_id = ${filter.supplierId}`,
        ...within(sql.fragment`b.credited_at`, period),
      ])}
    ),
    entry as (
      select supplier_id, own_total, currency, total, month, 1 as orders, 0::numeric as credit from sent
      union all
      select supplier_id, own_total, currency, total, month, 0, -total from credited
    ),
    by_supplier as (
      select s.id, s.name, coalesce(sum(e.total), 0) as spend, sum(e.orders) as order_count,
        coalesce(sum(e.credit), 0) as credits
      from entry e
      join supplier s on s.shop_id = ${shopId} and s.id = e.supplier_id
      group by s.id, s.name
    ),
    by_month as (
      select m.month, coalesce(sum(e.total), 0) as spend
      from (
        select generate_series(min(month), max(month), interval '1 month') as month from entry
      ) m
      left join entry e on e.month = m.month
      group by m.month
    )
    select (select coalesce(sum(total), 0) from entry) as total_spend, (select count(*) from sent) as order_count,
      (select coalesce(-sum(total), 0) from credited) as credits,
      ${currencyOf(shopId)} as currency,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'currency', currency, 'total', total, 'orderCount', order_count
        ) order by currency), '[]')
        from (
          select currency, sum(own_total) as total, sum(orders) as order_count
          from entry
          where total is null
          group by currency
        ) unknown
      ) as without_rate,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'supplierId', id, 'supplierName', name, 'spend', spend, 'orderCount', order_count, 'credits', credits
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
