import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Day, Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import { endOfToday, timeZoneOf } from '../../kit/date-range.ts'
import { dueAt } from '../../records/supplier-prices/due-at.ts'

/** A supplier's delay is known from this many received orders on, and is the mean of the last ten. */
const minOrders = 3
const maxOrders = 10

/**
 * SQL: suppliers with `late_days`, the mean days between the promised and the actual date of their last ten received orders
 * (below 0: early), rounded, and `late_orders`, how many orders that is. Days are those of the shop: an order of the promised
 * day is not early, at whatever time it comes. An order whose arrival is unknown says nothing. Suppliers with fewer than three
 * have no row.
 *
 * Example: promised 1, 8 and 15 March, received 3, 8 and 19 March: (2 + 0 + 4) / 3 = 2 days late.
 */
export const supplierDelays = (shopId: number) => sql.fragment`
  select s.id as supplier_id, round(avg(past.days))::int as late_days, count(*)::int as late_orders
  from supplier s
  cross join (select ${timeZoneOf(shopId)} as name) zone
  cross join lateral (
    select (o.received_at at time zone zone.name)::date - (${dueAt('o', 's')} at time zone zone.name)::date as days
    from purchase_order o
    where o.shop_id = ${shopId} and o.supplier_id = s.id and o.status = 'received' and o.received_at is not null
      and o.is_arrival_known and ${dueAt('o', 's')} is not null
    order by o.received_at desc nulls last, o.id desc
    limit ${maxOrders}
  ) past
  where s.shop_id = ${shopId}
  group by s.id
  having count(*) >= ${minOrders}
`

/** SQL: an instant, days later at the same time of the shop's day, also across a clock change. */
const daysAfter = (shopId: number, instant: FragmentSqlToken, days: FragmentSqlToken) => sql.fragment`
  ((${instant} at time zone ${timeZoneOf(shopId)} + make_interval(days => ${days})) at time zone ${timeZoneOf(shopId)})
`

/**
 * SQL: when an order arrives: its promised date moved by the delay of its supplier (`supplierDelays`, left join), tomorrow when that
 * has passed; null without a date. From the aliases of the order, the supplier and the delay.
 */
export function orderExpectedAt(
  shopId: number,
  { order, supplier, delay }: { order: string; supplier: string; delay: string },
) {
  const lateDays = sql.fragment`coalesce(${sql.identifier([delay, 'late_days'])}, 0)`
  return sql.fragment`
    (
      select case when e.corrected_at <= now() then ${endOfToday(shopId)} else e.corrected_at end
      from (select ${daysAfter(shopId, dueAt(order, supplier), lateDays)} as corrected_at) e
    )
  `
}

const Arrival = Type.Object({
  variantId: Id,
  purchaseOrderId: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  /** Where the goods arrive (row id): the order's destination, else the primary location. */
  locationId: Nullable(Id),
  quantity: Type.Integer(),
  promisedAt: Nullable(Timestamp),
  expectedAt: Nullable(Timestamp),
  /** Of `expectedAt` in the time zone of the shop. */
  day: Nullable(Day),
  lateDays: Type.Integer(),
  lateOrders: Type.Integer(),
})
/** The outstanding pieces of a variant (row id) on an open order. `expectedAt` is the promised date moved by `lateDays`. */
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
        ${orderExpectedAt(shopId, { order: 'o', supplier: 's', delay: 'd' })} as expected_at,
        coalesce(
          o.destination_location_id, (select w.id from location w where w.shop_id = ${shopId} and w.is_primary)
        ) as location_id,
        coalesce(d.late_days, 0) as late_days, coalesce(d.late_orders, 0) as late_orders,
        sum(l.quantity - l.accepted - l.cancelled) as quantity
      from purchase_order_line l
      join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
      join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
      left join delay d on d.supplier_id = o.supplier_id
      where l.shop_id = ${shopId} and l.variant_id = any(${sql.array([...variantIds], 'int8')})
        and o.status in ('sent', 'partial') and l.quantity > l.accepted + l.cancelled
      group by l.variant_id, o.id, o.po_number, o.supplier_id, s.name, o.destination_location_id, o.expected_at, o.sent_at,
        s.lead_time_days, d.late_days, d.late_orders
    )
    select x.variant_id, x.id as purchase_order_id, x.po_number, x.supplier_id, x.supplier_name, x.location_id, x.quantity,
      x.promised_at, x.expected_at, (x.expected_at at time zone ${timeZoneOf(shopId)})::date::text as day,
      x.late_days, x.late_orders
    from open_order x
    order by x.variant_id, x.expected_at nulls last, x.id
  `)
}
