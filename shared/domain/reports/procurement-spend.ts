import { type Db, row, sql } from '../../db/db.ts'
import { ProcurementSpend, type ProcurementSpendFilter } from '../../schemas/reports.ts'
import { type Period, resolveDates, timeZoneOf, within } from '../date-range.ts'
import { afterDiscount } from '../purchase-orders/discount.ts'
import { currencyOf } from '../shops/currency.ts'
import { receivedOrders } from './received-spend.ts'

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
 * Amounts are in the shop's currency, by the rate of each order and rounded to cents. The spend leaves out what has no known
 * rate; `withoutRate` has its totals by currency. `orderCount` counts sent orders only. With the basis `received`, receipts of
 * orders take the place of orders and corrections, and `orderCount` counts their orders.
 */
export async function getProcurementSpend(
  db: Db,
  shopId: number,
  filter: ProcurementSpendFilter,
): Promise<ProcurementSpend> {
  const period = await resolveDates(db, shopId, filter)
  return db.one(sql.type(row(ProcurementSpend))`
    with shop as (select ${currencyOf(shopId)} as currency, ${timeZoneOf(shopId)} as time_zone),
    direct as (${receiptsWithoutOrder(shopId, filter, period)}),
    credited as (${creditedReturns(shopId, filter, period)}),
    part as (
      ${filter.basis === 'received' ? receivedOrders(shopId, filter, period) : ordered(shopId, filter, period)}
      union all
      select 'direct', direct.* from direct
      union all
      select 'credit', credited.* from credited
    ),
    entry as (
      select part.kind, part.supplier_id, part.own_total, part.currency,
        case when part.currency = shop.currency then part.own_total else round(part.own_total * part.rate, 2) end as total,
        date_trunc('month', part.at at time zone shop.time_zone) as month
      from part
      cross join shop
    ),
    by_supplier as (
      select s.id, s.name, coalesce(sum(e.total), 0) as spend, count(*) filter (where e.kind = 'order') as order_count,
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
    from shop
    cross join (
      select coalesce(sum(total), 0) as total_spend, count(*) filter (where kind = 'order') as order_count,
        coalesce(-sum(total) filter (where kind = 'credit'), 0) as credits,
        coalesce(sum(total) filter (where kind = 'correction'), 0) as corrections,
        coalesce(sum(total) filter (where kind = 'direct'), 0) as without_order,
        coalesce(sum(total) filter (where supplier_id is null), 0) as without_supplier
      from entry
    ) sums
  `)
}

/** SQL: the orders that were sent, and what their receipts changed. */
const ordered = (shopId: number, filter: ProcurementSpendFilter, period: Period) => sql.fragment`
  select 'order' as kind, sent.* from (${sentOrders(shopId, filter, period)}) sent
  union all
  select 'correction', corrected.* from (${corrections(shopId, filter, period)}) corrected
`

/** SQL: a row per part has its supplier, its amount in its currency, the currency with its rate, and its instant. */
const sentOrders = (shopId: number, { supplierId }: ProcurementSpendFilter, period: Period) => sql.fragment`
  select o.supplier_id, o.total as own_total, coalesce(o.currency, shop.currency) as currency, o.rate, o.sent_at as at
  from purchase_order o
  cross join shop
  where ${sql.and([
    sql.fragment`o.shop_id = ${shopId} and o.sent_at is not null and o.status <> 'cancelled'`,
    supplierId !== undefined && sql.fragment`o.supplier_id = ${supplierId}`,
    ...within(sql.fragment`o.sent_at`, period),
  ])}
`

const postedAt = sql.fragment`coalesce(r.posted_at, r.created_at)`

const corrections = (shopId: number, { supplierId }: ProcurementSpendFilter, period: Period) => sql.fragment`
  select o.supplier_id,
    round(
      sum(
        coalesce(x.quantity * (x.unit_cost - line.price), 0)
          - case when x.reject_outcome = 'credit' then x.rejected * line.price else 0 end
      ) * case when o.subtotal > o.discount then o.total::numeric(60, 30) / (o.subtotal - o.discount) else 1 end,
      minor_digits(coalesce(o.currency, shop.currency))
    ) as own_total,
    coalesce(o.currency, shop.currency) as currency, o.rate, ${postedAt} as at
  from receipt_line x
  join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
  join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
  join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
  cross join shop
  cross join lateral (
    select l.cost_price * (1 - l.discount_percent / 100)
      * ${afterDiscount} as price
  ) line
  where ${sql.and([
    sql.fragment`x.shop_id = ${shopId} and (x.unit_cost is not null or x.reject_outcome = 'credit')`,
    sql.fragment`r.state = 'posted' and r.reversed_at is null and o.sent_at is not null and o.status <> 'cancelled'`,
    supplierId !== undefined && sql.fragment`o.supplier_id = ${supplierId}`,
    ...within(postedAt, period),
  ])}
  group by o.supplier_id, o.id, o.subtotal, o.discount, o.total, o.currency, o.rate, r.id, r.posted_at, r.created_at, shop.currency
`

/** The cost of goods without an order is entered in the shop's currency. */
const receiptsWithoutOrder = (
  shopId: number,
  { supplierId }: ProcurementSpendFilter,
  period: Period,
) => sql.fragment`
  select r.supplier_id, round(sum(d.quantity * d.unit_cost), minor_digits(shop.currency)) as own_total, shop.currency,
    null::numeric as rate, ${postedAt} as at
  from receipt r
  join direct_receipt_line d on d.shop_id = ${shopId} and d.receipt_id = r.id
  cross join shop
  where ${sql.and([
    sql.fragment`r.shop_id = ${shopId} and r.purchase_order_id is null`,
    sql.fragment`r.state = 'posted' and r.reversed_at is null and d.unit_cost is not null`,
    supplierId !== undefined && sql.fragment`r.supplier_id = ${supplierId}`,
    ...within(postedAt, period),
  ])}
  group by r.supplier_id, r.id, r.posted_at, r.created_at, shop.currency
`

const creditedReturns = (
  shopId: number,
  { supplierId }: ProcurementSpendFilter,
  period: Period,
) => sql.fragment`
  select b.supplier_id, -b.credit_amount as own_total, coalesce(b.currency, shop.currency) as currency, b.rate,
    b.credited_at as at
  from supplier_return b
  cross join shop
  where ${sql.and([
    sql.fragment`b.shop_id = ${shopId} and b.credited_at is not null`,
    supplierId !== undefined && sql.fragment`b.supplier_id = ${supplierId}`,
    ...within(sql.fragment`b.credited_at`, period),
  ])}
`
