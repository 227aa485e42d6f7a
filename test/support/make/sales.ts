import { Type } from '@sinclair/typebox'
import { type DatabasePool, type Db, row, sql } from '../../../shared/db/db.ts'
import { recordSales, type Sale } from '../../../shared/domain/sales/record.ts'
import { recomputeSalesVelocity } from '../../../shared/domain/sales/velocity.ts'
import type { Person } from '../core/people.ts'
import { gidOf } from './catalogue.ts'
import { variantGid } from './stock.ts'

type Shop = Pick<Person, 'shopId'>

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

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

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
