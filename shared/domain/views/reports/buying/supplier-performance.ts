import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { SupplierPerformance, type SupplierPerformanceFilter } from '../../../../schemas/reports.ts'
import { postedAt } from '../../../documents/receipts/of-order.ts'
import { resolveDates, within } from '../../../kit/date-range.ts'
import { type Page, pageSize, toPage } from '../../../kit/pages/pages.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { dueAt } from '../../../records/supplier-prices/due-at.ts'

const PerformanceRow = Type.Composite([SupplierPerformance, Type.Object({ id: Type.Integer() })])

type Condition = ReturnType<typeof sql.and>
type Period = Awaited<ReturnType<typeof resolveDates>>

/** Leaves out orders that the merchant cancelled, but not those closed without goods, which the supplier missed. */
const isRelevant = sql.fragment`(o.status <> 'cancelled' or (o.closed_at is not null and o.cancelled_at is null))`

/**
 * Lists suppliers with orders sent in a period, newest suppliers first. Reversed receipts do not count.
 *
 * - Lead time: days from sending an order to its first receipt.
 * - On time: share of the due lines that had arrived completely by their due date, which is the order's expected date,
 *   else the date of sending plus the supplier's lead time; another lead time moves open orders only. Lines without either are never
 *   due.
 * - Fill rate: accepted pieces (at most the ordered ones) / ordered pieces, of lines that are due or complete: nothing more is expected.
 * - Rejected: rejected pieces / (accepted + rejected pieces), of the receipts of these orders that are not reversed.
 * - Returned: of the accepted pieces of these orders, and of receipts without an order that were posted in the period, those that
 *   went back; so at most 100 %. A return that names no receipt counts nowhere: when its pieces came is not known.
 * - Price drift: cost of each variant's last line / its cost at the unit price of the line before, minus 1. The line
 *   before may be earlier than the period. Both are in one currency, that of the supplier's newest order, and after the
 *   line's discount: exchange rates are no drift.
 */
export async function listSupplierPerformance(
  db: Db,
  shopId: number,
  filter: SupplierPerformanceFilter,
): Promise<Page<SupplierPerformance>> {
  const period = await resolveDates(db, shopId, filter)
  const isSent = sql.and([
    sql.fragment`o.sent_at is not null`,
    ...within(sql.fragment`o.sent_at`, period),
    isRelevant,
  ])
  const rows = await db.any(sql.type(row(PerformanceRow))`
    with ${listedSuppliers(shopId, filter, isSent)},
    ${leadTimes(shopId, isSent)},
    ${arrivedLines(shopId)},
    ${returnedPieces(shopId, period)},
    ${priceDrift(shopId, isSent, period)}
    select s.id, s.id as supplier_id, s.name as supplier_name, o.sent as orders_sent, o.received as orders_received,
      round(o.median_days::numeric, 1) as lead_time_days, round(o.mean_days, 1) as lead_time_days_mean,
      s.lead_time_days as stated_lead_time_days, round(100.0 * l.on_time / nullif(l.due, 0), 1) as on_time_percent,
      round(100.0 * l.filled / nullif(l.ordered, 0), 1) as fill_rate_percent,
      round(100.0 * l.rejected / nullif(l.accepted + l.rejected, 0), 1) as rejected_percent,
      round(100 * (c.paid / nullif(c.paid_before, 0) - 1), 1) as price_drift_percent,
      round(100.0 * b.returned / nullif(b.received, 0), 1) as returned_percent
    from listed s
    join by_order o on o.supplier_id = s.id
    left join by_line l on l.supplier_id = s.id
    left join by_cost c on c.supplier_id = s.id
    left join by_return b on b.supplier_id = s.id
    order by s.id desc
  `)
  const { records, next } = toPage(rows, filter)
  return { records: records.map(({ id: _id, ...performance }) => performance), next }
}

/** SQL: the suppliers of the page (`listed`). */
const listedSuppliers = (
  shopId: number,
  filter: SupplierPerformanceFilter,
  isSent: Condition,
) => sql.fragment`
  listed as (
    select s.id, s.name, s.lead_time_days
    from supplier s
    where ${sql.and([
      sql.fragment`s.shop_id = ${shopId}`,
      filter.supplierId !== undefined && sql.fragment`s.id = ${filter.supplierId}`,
      filter.cursor !== undefined && sql.fragment`s.id < ${filter.cursor}`,
      sql.fragment`exists (select from purchase_order o where o.shop_id = ${shopId} and o.supplier_id = s.id and ${isSent})`,
    ])}
    order by s.id desc
    limit ${pageSize(filter) + 1}
  )
`

/** SQL: the orders of the period with their due date (`sent`), and their lead times by supplier (`by_order`). */
const leadTimes = (shopId: number, isSent: Condition) => sql.fragment`
  sent as (
    select o.id, o.supplier_id, o.status, o.sent_at,
      case
        when not o.is_arrival_known then null
        -- an earlier release, which may run beside this one, does not store due dates
        when o.status in ('sent', 'partial') then ${dueAt('o', 's')}
        else o.due_at
      end as due_at,
      (
        select extract(epoch from min(${postedAt('r')}) - o.sent_at) / 86400
        from receipt r
        where r.shop_id = ${shopId} and r.purchase_order_id = o.id and r.state = 'posted' and r.reversed_at is null
          and o.is_arrival_known
      ) as lead_days
    from purchase_order o
    join listed s on s.id = o.supplier_id
    where o.shop_id = ${shopId} and ${isSent}
  ),
  by_order as (
    select supplier_id, count(*) as sent, count(*) filter (where status = 'received') as received,
      percentile_cont(0.5) within group (order by lead_days) as median_days, avg(lead_days) as mean_days
    from sent
    group by supplier_id
  )
`

/** SQL: which lines of the orders were due, on time, filled and rejected, by supplier (`by_line`). */
const arrivedLines = (shopId: number) => sql.fragment`
  line as (
    select o.supplier_id, l.quantity, least(l.accepted, l.quantity) as filled, coalesce(o.due_at <= now(), false) as is_due,
      l.quantity <= l.accepted + l.cancelled as is_complete,
      l.quantity <= arrived.in_time as is_on_time, arrived.accepted, arrived.rejected
    from sent o
    join purchase_order_line l on l.shop_id = ${shopId} and l.purchase_order_id = o.id
    cross join lateral (
      select sum(x.quantity) filter (where ${postedAt('r')} <= o.due_at) as in_time,
        sum(x.quantity) as accepted, sum(x.rejected) as rejected
      from receipt_line x
      join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
      where x.shop_id = ${shopId} and x.purchase_order_line_id = l.id and r.state = 'posted' and r.reversed_at is null
    ) arrived
  ),
  by_line as (
    select supplier_id, count(*) filter (where is_due) as due,
      count(*) filter (where is_due and is_on_time) as on_time,
      sum(quantity) filter (where is_due or is_complete) as ordered,
      sum(filled) filter (where is_due or is_complete) as filled,
      sum(accepted) as accepted, sum(rejected) as rejected
    from line
    group by supplier_id
  )
`

/** SQL: the pieces of receipts and those that went back, by supplier (`by_return`). */
const returnedPieces = (shopId: number, period: Period) => sql.fragment`
  receipt_of as (
    select o.supplier_id, r.id
    from sent o
    join receipt r on r.shop_id = ${shopId} and r.purchase_order_id = o.id
    where r.state = 'posted' and r.reversed_at is null
    union all
    select s.id, r.id
    from listed s
    join receipt r on r.shop_id = ${shopId} and r.supplier_id = s.id and r.purchase_order_id is null
    where ${sql.and([
      sql.fragment`r.state = 'posted' and r.reversed_at is null`,
      ...within(postedAt('r'), period),
    ])}
  ),
  by_return as (
    select r.supplier_id, sum(pieces.received) as received, sum(pieces.returned) as returned
    from receipt_of r
    cross join lateral (
      select coalesce((
          select sum(x.quantity) from receipt_line x where x.shop_id = ${shopId} and x.receipt_id = r.id
        ), 0)
        + coalesce((
          select sum(d.quantity) from direct_receipt_line d where d.shop_id = ${shopId} and d.receipt_id = r.id
        ), 0) as received,
        coalesce((
          select sum(l.quantity)
          from supplier_return b
          join supplier_return_line l on l.shop_id = ${shopId} and l.supplier_return_id = b.id
          where b.shop_id = ${shopId} and b.receipt_id = r.id and b.state in ('shipped', 'credited')
        ), 0) as returned
    ) pieces
    group by r.supplier_id
  )
`

/** SQL: what the last lines of variants cost, and would have cost at the price before, by supplier (`by_cost`). */
const priceDrift = (shopId: number, isSent: Condition, period: Period) => sql.fragment`
  newest as (
    select distinct on (o.supplier_id) o.supplier_id, coalesce(o.currency, ${currencyOf(shopId)}) as currency
    from purchase_order o
    join listed s on s.id = o.supplier_id
    where o.shop_id = ${shopId} and ${isSent}
    order by o.supplier_id, o.sent_at desc, o.id desc
  ),
  cost as (
    select o.supplier_id, o.sent_at, l.quantity, l.net_price as cost_price,
      lag(l.net_price) over earlier as previous_price,
      lead(l.id) over earlier is null as is_last
    from purchase_order o
    join newest on newest.supplier_id = o.supplier_id and newest.currency = coalesce(o.currency, ${currencyOf(shopId)})
    join listed s on s.id = o.supplier_id
    cross join lateral (
      select l.id, l.variant_id, l.quantity, l.cost_price * (1 - l.discount_percent / 100) as net_price
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = o.id and l.is_cost_known
    ) l
    where ${sql.and([
      sql.fragment`o.shop_id = ${shopId} and o.sent_at is not null`,
      ...within(sql.fragment`o.sent_at`, { from: null, to: period.to }),
      isRelevant,
    ])}
    window earlier as (partition by o.supplier_id, l.variant_id order by o.sent_at, l.id)
  ),
  by_cost as (
    select o.supplier_id, sum(o.quantity * o.cost_price) as paid, sum(o.quantity * o.previous_price) as paid_before
    from cost o
    where ${sql.and([
      sql.fragment`o.is_last and o.previous_price is not null`,
      ...within(sql.fragment`o.sent_at`, { from: period.from, to: null }),
    ])}
    group by o.supplier_id
  )
`
