import { type Db, sql } from '../../../shared/db/db.ts'
import { thisWeekOf } from '../../../shared/domain/forecasts/weeks.ts'
import { computePlanningBatch } from '../../../shared/domain/planning/compute.ts'
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
  { variant, location, perWeek }: { variant: number; location: number; perWeek: number },
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into variant_forecast (
      shop_id, variant_id, location_id, week, model, weights, parameters, wape, bias, units, standard_error, computed_at
    )
    select ${shopId}, v.id, w.id, ${thisWeekOf(shopId)}, 'mean', '{}', '{}', 0.2, 0,
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
