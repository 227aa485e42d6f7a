import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Day, Id, Nullable, Timestamp } from '../../schemas/common.ts'
import { endOfToday, timeZoneOf } from '../date-range.ts'
import { dueAt } from '../purchase-orders/overdue.ts'

/** A supplier's delay is known from this many received orders on, and is the mean of the last ten. */
const minOrders = 3
const maxOrders = 10

/**
 * SQL: suppliers with `late_days`, the mean days between the promised and the actual date of their last ten received orders
 * (below 0: early), rounded, and `late_orders`, how many orders that is. Suppliers with fewer than three have no row.
 *
 * Example: promised 1, 8 and 15 March, received 3, 8 and 19 March: (2 + 0 + 4) / 3 = 2 days late.
 */
export const supplierDelays = (shopId: number) => sql.fragment`
  select past.supplier_id, round(avg(past.days))::int as late_days, count(*)::int as late_orders
  from (
    select o.supplier_id, extract(epoch from o.received_at - ${dueAt('o', 's')}) / 86400 as days,
      row_number() over (partition by o.supplier_id order by o.received_at desc, o.id desc) as place
    from purchase_order o
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    where o.shop_id = ${shopId} and o.status = 'received' and o.received_at is not null
      and ${dueAt('o', 's')} is not null
  ) past
  where past.place <= ${maxOrders}
  group by past.supplier_id
  having count(*) >= ${minOrders}
`

const Arrival = Type.Object({
  variantId: Id,
  purchaseOrderId: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  quantity: Type.Integer(),
  promisedAt: Nullable(Timestamp),
  expectedAt: Nullable(Timestamp),
  /** Of `expectedAt` in the time zone of the shop. */
  day: Nullable(Day),
  lateDays: Type.Integer(),
  lateOrders: Type.Integer(),
})
/** What an open order still brings of a variant (row id). `expectedAt` is the promised date moved by `lateDays`. */
export type Arrival = Static<typeof Arrival>

/**
 * Reads what is on its way of these variants, the earliest first. An order whose corrected date has passed is expected
 * tomorrow; an order without a date has none.
 */
export function readArrivals(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly Arrival[]> {
  return db.any(sql.type(row(Arrival))`
    with delay as materialized (${supplierDelays(shopId)}),
    open_order as (
      select l.variant_id, o.id, o.po_number, o.supplier_id, s.name as supplier_name, ${dueAt('o', 's')} as promised_at,
        coalesce(d.late_days, 0) as late_days, coalesce(d.late_orders, 0) as late_orders,
        sum(l.quantity - l.accepted - l.cancelled) as quantity
      from purchase_order_line l
      join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
      join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
      left join delay d on d.supplier_id = o.supplier_id
      where l.shop_id = ${shopId} and l.variant_id = any(${sql.array([...variantIds], 'int8')})
        and o.status in ('sent', 'partial') and l.quantity > l.accepted + l.cancelled
      group by l.variant_id, o.id, o.po_number, o.supplier_id, s.name, o.expected_at, o.sent_at, s.lead_time_days,
        d.late_days, d.late_orders
    ),
    dated as (
      select x.*, case
          when x.promised_at + make_interval(days => x.late_days) <= now() then ${endOfToday(shopId)}
          else x.promised_at + make_interval(days => x.late_days)
        end as expected_at
      from open_order x
    )
    select x.variant_id, x.id as purchase_order_id, x.po_number, x.supplier_id, x.supplier_name, x.quantity,
      x.promised_at, x.expected_at, (x.expected_at at time zone ${timeZoneOf(shopId)})::date::text as day,
      x.late_days, x.late_orders
    from dated x
    order by x.variant_id, x.expected_at nulls last, x.id
  `)
}
