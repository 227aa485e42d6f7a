import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { product, variant } from './catalogue.ts'
import { locationGid, variantGid } from './stock.ts'

/** Days count back from today (UTC), and are at noon; `hour` names another time. */
export type Movement = { variant: number; location: number; delta: number; daysAgo: number; kind?: string }
export type DaySale = { variant: number; units: number; daysAgo: number; cancelled?: number; hour?: number }

/** Makes variants with a product type, numbered from 1, at locations of which the first is the primary one. */
export async function makeCatalogue(
  db: Db,
  shopId: number,
  {
    variants,
    locations = 1,
    type = () => 'Mug',
  }: { variants: number; locations?: number; type?: (number: number) => string },
): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  await db.transaction(async (tx) => {
    await upsertProducts(
      tx,
      shopId,
      numbers(variants).map((number) => product(number, [variant(number)], { productType: type(number) })),
    )
    await upsertLocations(
      tx,
      shopId,
      numbers(locations).map((number) => ({
        gid: locationGid(number),
        name: `Place ${number}`,
        isActive: true,
        isPrimary: number === 1,
      })),
    )
    await tx.query(sql.typeAlias('void')`
      insert into sales_reading (shop_id, known_since) values (${shopId}, now() - interval '800 days')
      on conflict (shop_id) do nothing
    `)
  })
}

/** Writes movements and the levels that they sum up to. */
export async function writeMovements(db: Db, shopId: number, movements: readonly Movement[]): Promise<void> {
  const rows = movements.map(({ variant: number, location, delta, daysAgo, kind = 'platform' }) => [
    variantGid(number),
    locationGid(location),
    delta,
    daysAgo,
    kind,
  ])
  const moved = sql.fragment`
    select v.id as variant_id, w.id as location_id, m.delta, m.days_ago, m.kind
    from ${sql.unnest(rows, ['text', 'text', 'int4', 'int4', 'text'])} as m (variant, location, delta, days_ago, kind)
    join variant v on v.shop_id = ${shopId} and v.gid = m.variant
    join location w on w.shop_id = ${shopId} and w.gid = m.location
  `
  await db.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id, quantity)
    select ${shopId}, variant_id, location_id, sum(delta) from (${moved}) m group by 2, 3
    on conflict (shop_id, variant_id, location_id) do update
    set quantity = stock_level.quantity + excluded.quantity
  `)
  await db.query(sql.typeAlias('void')`
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
    )
    select ${shopId}, variant_id, location_id, 0, delta, kind, ${noon(sql.fragment`days_ago`)}
    from (${moved}) m
    order by days_ago desc
  `)
}

let lines = 0

export async function writeSales(db: Db, shopId: number, sales: readonly DaySale[]): Promise<void> {
  const rows = sales.map(({ variant: number, units, daysAgo, cancelled = 0, hour = 12 }) => {
    lines += 1
    return [`line-${lines}`, variantGid(number), units + cancelled, cancelled, daysAgo, hour]
  })
  await db.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, cancelled, ordered_at)
    select ${shopId}, line, line, variant, quantity, cancelled,
      ${noon(sql.fragment`days_ago`)} + (hour - 12) * interval '1 hour'
    from ${sql.unnest(rows, ['text', 'text', 'int4', 'int4', 'int4', 'int4'])}
      as s (line, variant, quantity, cancelled, days_ago, hour)
  `)
}

const noon = (daysAgo: ReturnType<typeof sql.fragment>) =>
  sql.fragment`((((now() at time zone 'UTC')::date - ${daysAgo})::timestamp + interval '12 hours') at time zone 'UTC')`

const Day = Type.Object({
  variant: Type.Integer(),
  location: Type.Integer(),
  daysAgo: Type.Integer(),
  units: Type.Integer(),
  inStock: Type.Boolean(),
  isSoldOut: Type.Boolean(),
})

/** The stored days, the newest first. */
export async function demandDays(db: Db, shopId: number) {
  const days = await db.any(sql.type(row(Day))`
    select substring(v.gid from '\\d+$')::int as variant, substring(w.gid from '\\d+$')::int as location,
      (now() at time zone 'UTC')::date - d.day as days_ago, d.units, d.in_stock, d.is_sold_out
    from demand_day d
    join variant v on v.shop_id = d.shop_id and v.id = d.variant_id
    join location w on w.shop_id = d.shop_id and w.id = d.location_id
    where d.shop_id = ${shopId}
    order by d.day desc, v.id, w.id
  `)
  return days.map((day) => ({ ...day }))
}

/** The units by variant, location and days ago, as in `1@2 -3: 4`; a day without stock as `1@2 -3: none`. */
export async function demandLines(db: Db, shopId: number): Promise<string[]> {
  return (await demandDays(db, shopId)).map(
    ({ variant: number, location, daysAgo, units, inStock, isSoldOut }) =>
      `${number}@${location} -${daysAgo}: ${inStock ? units : isSoldOut ? 'sold out' : 'none'}`,
  )
}
