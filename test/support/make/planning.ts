import { type Db, sql } from '../../../shared/db/db.ts'
import { timeZoneOf, todayOf } from '../../../shared/domain/kit/date-range.ts'
import { thisWeekOf } from '../../../shared/domain/planning/forecasts/weeks.ts'
import { computePlanningBatch } from '../../../shared/domain/planning/planning/compute.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

/** Computes the planning reports as the night does. */
export async function computePlans(db: Db, { shopId }: Pick<Person, 'shopId'>): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    after = await db.transaction((tx) => computePlanningBatch(tx, shopId, from))
  }
}

/** Writes the forecast of variant n at a location, from this week on. */
export async function setPlaceForecast(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  {
    variant,
    location,
    perWeek,
    wape = 0.2,
  }: { variant: number; location: number; perWeek: number; wape?: number | null },
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into variant_forecast (
      shop_id, variant_id, location_id, week, model, weights, parameters, wape, bias, units, standard_error, computed_at
    )
    select ${shopId}, v.id, w.id, ${thisWeekOf(shopId)}, 'mean', '{}', '{}', ${wape}, 0,
      ${sql.array(new Array(26).fill(perWeek), 'float8')}, 0, now()
    from variant v
    join location w on w.shop_id = ${shopId} and w.gid = ${locationGid(location)}
    where v.shop_id = ${shopId} and v.gid = ${variantGid(variant)}
  `)
}

/** Sets the level of variant n at a location. */
export async function setLevel(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  variant: number,
  location: number,
  quantity: number,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id, quantity)
    select ${shopId}, v.id, w.id, ${quantity}
    from variant v
    join location w on w.shop_id = ${shopId} and w.gid = ${locationGid(location)}
    where v.shop_id = ${shopId} and v.gid = ${variantGid(variant)}
    on conflict (shop_id, variant_id, location_id) do update set quantity = excluded.quantity
  `)
}

export async function setPrice(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  variant: number,
  { price = null, cost = null }: { price?: number | null; cost?: number | null },
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update variant set price = ${price}, unit_cost = ${cost}
    where shop_id = ${shopId} and gid = ${variantGid(variant)}
  `)
}

/** Sells so many units of variant n at each location (by number) 20 days ago, and rolls up to yesterday. */
export async function setSales(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  variant: number,
  unitsAt: Readonly<Record<number, number>>,
): Promise<void> {
  const rows = Object.entries(unitsAt).map(([location, units]) => [locationGid(Number(location)), units])
  await db.query(sql.typeAlias('void')`
    insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock)
    select ${shopId}, v.id, w.id, ${todayOf(shopId)} - 20, s.units, true
    from ${sql.unnest(rows, ['text', 'int4'])} as s (location, units)
    join variant v on v.shop_id = ${shopId} and v.gid = ${variantGid(variant)}
    join location w on w.shop_id = ${shopId} and w.gid = s.location
  `)
  await db.query(sql.typeAlias('void')`
    insert into demand_roll_up (shop_id, rolled_until, rolling_to, time_zone)
    values (${shopId}, ${todayOf(shopId)} - 1, ${todayOf(shopId)} - 1, ${timeZoneOf(shopId)})
    on conflict (shop_id) do update set rolled_until = excluded.rolled_until
  `)
}
