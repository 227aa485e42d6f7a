import { Type } from '@sinclair/typebox'
import { type DatabasePool, type Db, row, sql } from '../../../shared/db/db.ts'
import { recordSales, type Sale } from '../../../shared/domain/sales/record.ts'
import { recomputeSalesVelocity } from '../../../shared/domain/sales/velocity.ts'
import type { Person } from '../core/people.ts'
import { gidOf } from './catalogue.ts'
import { variantGid } from './stock.ts'

type Shop = Pick<Person, 'shopId'>

let lines = 10_000_000

/** A sale of an order of its own, with a number that `growShop` does not reach. */
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

/** Sells so many of variants, each so many days ago, and computes how fast the shop's variants sell. */
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

/** What is kept of each variant, in the order of their numbers. */
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

/** The day that it is somewhere, as in 2026-03-01. */
export const dayIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
