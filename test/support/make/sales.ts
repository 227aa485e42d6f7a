import { Type } from '@sinclair/typebox'
import { type DatabasePool, type Db, row, sql } from '../../../shared/db/db.ts'
import { type RecordedOrders, recordOrders } from '../../../shared/domain/ledgers/sales/record.ts'
import { recomputeSalesVelocity } from '../../../shared/domain/ledgers/sales/velocity.ts'
import { variantTitle } from '../../../shared/domain/records/catalogue/variants.ts'
import { daysAgo } from '../core/instants.ts'
import type { Person } from '../core/people.ts'
import { gidOf } from './catalogue.ts'
import { variantGid } from './stock.ts'

type Shop = Pick<Person, 'shopId'>

/** One line of an order, with all units shipped or still to be shipped. */
export type Sale = {
  orderGid: string
  lineGid: string
  variantGid: string
  quantity: number
  orderedAt: string
}

/** Records orders with these lines and without prices, so that the revenue is at the price of the variant. */
export function recordSales(tx: Db, shopId: number, sales: readonly Sale[]): Promise<RecordedOrders> {
  const orders = [...Map.groupBy(sales, ({ orderGid }) => orderGid)].map(([orderGid, ofOrder]) => ({
    orderGid,
    orderedAt: ofOrder[0]?.orderedAt ?? '',
    updatedAt: ofOrder[0]?.orderedAt ?? '',
    isTest: false,
    isCancelled: false,
    refunds: [],
    shipments: [],
    lines: ofOrder.map(({ lineGid, variantGid: gid, quantity }) => ({
      lineGid,
      variantGid: gid,
      quantity,
      currentQuantity: quantity,
      unshippedQuantity: quantity,
      price: null,
      discount: 0,
      tax: 0,
    })),
  }))
  return recordOrders(tx, shopId, orders)
}

let lines = 10_000_000

/** A sale with its own order, numbered above those of `growShop`. */
export function saleOf(variant: number, quantity: number, orderedAt: Date): Sale {
  lines += 1
  return {
    orderGid: gidOf('Order', lines),
    lineGid: gidOf('LineItem', lines),
    variantGid: variantGid(variant),
    quantity,
    orderedAt: orderedAt.toISOString(),
  }
}

/** Records sales and computes the shop's sales velocity. */
export async function sell(
  db: DatabasePool,
  { shopId }: Shop,
  sold: [variant: number, quantity: number, daysAgo: number][],
): Promise<void> {
  const sales = sold.map(([variant, quantity, days]) => saleOf(variant, quantity, daysAgo(days)))
  await db.transaction((tx) => recordSales(tx, shopId, sales))
  await recomputeSalesVelocity(db, shopId, { isWhole: true })
}

const Velocity = Type.Object({
  variant: Type.Integer(),
  d7: Type.Integer(),
  d30: Type.Integer(),
  d90: Type.Integer(),
  revenue: Type.Number(),
  abcClass: Type.String(),
  lastSoldAt: Type.Union([Type.String(), Type.Null()]),
})

/** The stored velocity of each variant, ordered by variant number. */
export function velocityOf(db: Db, { shopId }: Shop) {
  return db.any(sql.type(row(Velocity))`
    select substring(v.gid from '\\d+$')::int as variant, y.units_7d as d7, y.units_30d as d30, y.units_90d as d90,
      y.revenue_90d as revenue, y.abc_class, y.last_sold_at
    from variant_velocity y
    join variant v on v.shop_id = y.shop_id and v.id = y.variant_id
    where y.shop_id = ${shopId}
    order by 1
  `)
}

export async function setTimeZone(db: Db, { shopId }: Pick<Shop, 'shopId'>, timeZone: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, time_zone)
    values (${shopId}, ${timeZone})
    on conflict (shop_id) do update set time_zone = excluded.time_zone
  `)
}

/** The date in a time zone, for example 2026-03-01. */
export const dayIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)

/** The amounts of data that `makeReportHistory` creates for a shop with six products at two locations. */
export const reportHistory = { suppliers: 3, orders: 12, days: 40, adjustments: 300 }

/**
 * Creates the history that reports show:
 * - an order every ten days, with numbers above 1,000, for each supplier in turn, received a few days later;
 * - sales of the last weeks, most of the first variant; the last variant sold 50 days ago;
 * - the inventory value of each day;
 * - a level that was changed twice a day.
 */
export async function makeReportHistory(db: DatabasePool): Promise<void> {
  const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop`)
  const run = (statement: ReturnType<typeof sql.fragment>) =>
    db.query(sql.typeAlias('void')`
    ${statement}
  `)
  await run(sql.fragment`update variant set unit_cost = 2 where shop_id = ${shopId}`)
  await run(sql.fragment`
    insert into supplier (shop_id, name, lead_time_days)
    select ${shopId}, (array['Northgate Ceramics', 'Atelier Lefèvre & Fils', 'Harbour and Sons of Bristol'])[n],
      case when n < 3 then 5 end
    from generate_series(1, ${reportHistory.suppliers}::int) n
  `)
  await run(sql.fragment`
    insert into purchase_order (
      shop_id, number, supplier_id, status, created_by, created_at, sent_at, received_at, line_item_count, subtotal
    )
    select s.shop_id, 1000 + n, s.id, 'received', 'someone', at, at, at + interval '4 days', 1, 100 * n
    from generate_series(1, ${reportHistory.orders}::int) n
    join (
      select shop_id, id, row_number() over (order by id desc) as place from supplier where shop_id = ${shopId}
    ) s on s.place = 1 + n % 3
    cross join lateral (select now() - n * interval '10 days' as at) sent
    order by n
  `)
  await run(sql.fragment`
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, quantity, accepted, cost_price
    )
    select o.shop_id, o.id, 0, v.id, v.sku, v.title, 100, 100, o.number - 1000
    from purchase_order o
    join (
      select x.id, x.sku, ${variantTitle('x', 'p')} as title
      from variant x
      join product p on p.shop_id = x.shop_id and p.id = x.product_id
      where x.shop_id = ${shopId}
      order by x.id
      limit 1
    ) v on true
    where o.shop_id = ${shopId} and o.number > 1000
  `)
  await run(sql.fragment`
    insert into receipt (shop_id, purchase_order_id, location_id, fingerprint, status_after, created_by, created_at)
    select o.shop_id, o.id, w.id, '', 'received', 'someone', o.sent_at + (3 + o.number % 4) * interval '1 day'
    from purchase_order o
    join location w on w.shop_id = o.shop_id and w.is_primary
    where o.shop_id = ${shopId} and o.number > 1000
  `)
  await run(sql.fragment`
    insert into receipt_line (shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked)
    select r.shop_id, r.id, l.id, l.quantity, true
    from receipt r
    join purchase_order_line l on l.shop_id = r.shop_id and l.purchase_order_id = r.purchase_order_id
    where r.shop_id = ${shopId} and r.created_by = 'someone'
  `)
  await run(sql.fragment`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select v.shop_id, 'gid://platform/Order/' || place * 1000 + day, 'gid://platform/LineItem/' || place * 1000 + day,
      v.gid, (7 - place) * (7 - place), now() - day * interval '1 day'
    from (
      select shop_id, gid, row_number() over (order by id) as place from variant where shop_id = ${shopId}
    ) v
    cross join generate_series(1, 20) day
    where place < 6
    union all
    select v.shop_id, 'gid://platform/Order/1', 'gid://platform/LineItem/1', v.gid, 1, now() - interval '50 days'
    from (select * from variant where shop_id = ${shopId} order by id desc limit 1) v
  `)
  await run(sql.fragment`
    insert into inventory_value_day (shop_id, day, location_id, quantity, value, uncosted_quantity)
    select w.shop_id, current_date - n, w.id, 100 + n, 1000 + 10 * n + w.id, 0
    from location w
    cross join generate_series(1, ${reportHistory.days}::int) n
    where w.shop_id = ${shopId}
  `)
  await run(sql.fragment`
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, reason, actor, occurred_at
    )
    select l.shop_id, l.variant_id, l.location_id, l.quantity + n % 2, l.quantity + (n + 1) % 2, 'delta',
      'Counted again', 'someone', now() - n * interval '12 hours'
    from (select * from stock_level where shop_id = ${shopId} order by variant_id, location_id limit 1) l
    cross join generate_series(0, ${reportHistory.adjustments - 1}::int) n
  `)
  await recomputeSalesVelocity(db, shopId, { isWhole: true })
}
