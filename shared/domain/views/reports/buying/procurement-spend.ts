import { type Db, row, sql } from '../../../../db/db.ts'
import { ProcurementSpend, type ProcurementSpendFilter } from '../../../../schemas/reports.ts'
import { resolveDates, timeZoneOf, within } from '../../../kit/date-range.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { receivedOrders } from './received-spend.ts'
import {
  corrections,
  creditedReturns,
  inShopCurrency,
  receiptsWithoutOrder,
  type SpendFilter,
  sentOrders,
} from './spend-parts.ts'

/**
 * Sums what was bought in a period (specification, GET /api/reports/procurement-spend): by supplier, highest first, and by
 * month in the shop's time zone, without gaps. Each part counts on its own day, so a closed month does not change:
 *
 *   part                      day               amount
 *   order that was sent       of sending        its total with tax; cancelled orders count nothing
 *   correction of a receipt   of the posting    accepted x (corrected cost - price) - credited x price, with its share of the tax
 *   receipt without an order  of the posting    pieces x cost; pieces without a cost count nothing
 *   return to a supplier      of the credit     - credit
 *
 * Example: 10 ordered at 2.00 in May are 20.00. In June 8 arrive at 2.50 and 2 are credited: 8 x 0.50 - 2 x 2.00 = 0.00, and
 * the spend stays 20.00 = 8 x 2.50. The price is that after discounts. Rejected pieces that are replaced and reversed receipts
 * change nothing.
 * Amounts are in the shop's currency, by the rate of each order and rounded to its minor units. The spend leaves out what has no known
 * rate; `withoutRate` has its totals by currency, and `unknownCosts` counts the lines without a cost. `orderCount` counts sent orders only.
 * With the basis `received`, receipts of orders take the place of orders and corrections, and `orderCount` counts their orders.
 */
export async function getProcurementSpend(
  db: Db,
  shopId: number,
  { basis, supplierId, ...dates }: ProcurementSpendFilter,
): Promise<ProcurementSpend> {
  const period = await resolveDates(db, shopId, dates)
  const filter: SpendFilter = { supplierId, during: (at) => within(at, period) }
  return db.one(sql.type(row(ProcurementSpend))`
    with shop as (select ${currencyOf(shopId)} as currency, ${timeZoneOf(shopId)} as time_zone),
    direct as (${receiptsWithoutOrder(shopId, filter)}),
    credited as (${creditedReturns(shopId, filter)}),
    part as (
      ${basis === 'received' ? receivedOrders(shopId, filter) : ordered(shopId, filter)}
      union all
      select 'direct', direct.* from direct
      union all
      select 'credit', credited.* from credited
    ),
    entry as (
      select part.kind, part.supplier_id, part.own_total, part.currency,
        ${inShopCurrency('part', 'shop')} as total, part.unknown_costs,
        date_trunc('month', part.at at time zone shop.time_zone) as month
      from part
      cross join shop
    ),
    by_supplier as (
      select s.id, s.name, coalesce(sum(e.total), 0) as spend, count(*) filter (where e.kind = 'order') as order_count,
        count(*) filter (where e.kind = 'order' and e.total is null) as orders_without_rate,
        coalesce(-sum(e.total) filter (where e.kind = 'credit'), 0) as credits
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
    select sums.*, shop.currency,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'currency', currency, 'total', total, 'orderCount', order_count
        ) order by currency), '[]')
        from (
          select currency, sum(own_total) as total, count(*) filter (where kind = 'order') as order_count
          from entry
          where total is null
          group by currency
        ) unknown
      ) as without_rate,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'supplierId', id, 'supplierName', name, 'spend', spend, 'orderCount', order_count,
          'ordersWithoutRate', orders_without_rate, 'credits', credits
        ) order by spend desc, id), '[]')
        from by_supplier
      ) as by_supplier,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'month', to_char(month, 'YYYY-MM'), 'spend', spend
        ) order by month), '[]')
        from by_month
      ) as by_month
    from shop
    cross join (
      select coalesce(sum(total), 0) as total_spend, count(*) filter (where kind = 'order') as order_count,
        coalesce(-sum(total) filter (where kind = 'credit'), 0) as credits,
        coalesce(sum(total) filter (where kind = 'correction'), 0) as corrections,
        coalesce(sum(total) filter (where kind = 'direct'), 0) as without_order,
        coalesce(sum(total) filter (where supplier_id is null), 0) as without_supplier,
        coalesce(sum(unknown_costs), 0)::int as unknown_costs
      from entry
    ) sums
  `)
}

/** SQL: the orders that were sent, and what their receipts changed. */
const ordered = (shopId: number, filter: SpendFilter) => sql.fragment`
  select 'order' as kind, sent.* from (${sentOrders(shopId, filter)}) sent
  union all
  select 'correction', corrected.* from (${corrections(shopId, filter)}) corrected
`
