import { type Db, sql } from '../../../shared/db/db.ts'
import { thisWeekOf } from '../../../shared/domain/planning/forecasts/weeks.ts'
import type { ReplenishmentRow } from '../../../shared/schemas/replenishment.ts'
import type { Person } from '../core/people.ts'
import { variantGid } from './stock.ts'

type Forecast = {
  units?: number[]
  standardError?: number
  model?: string
  wape?: number | null
}

/** Writes the forecast of variant n from this week on: one piece a day without an error, unless given. */
export async function setForecast(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  number: number | bigint,
  { units = new Array(26).fill(7), standardError = 0, model = 'seasonal_mean', wape = 0.18 }: Forecast = {},
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into variant_forecast (
      shop_id, variant_id, week, model, weights, parameters, wape, bias, units, standard_error, computed_at
    )
    select ${shopId}, id, ${thisWeekOf(shopId)}, ${model}, '{}', '{}', ${wape}, 0, ${sql.array(units, 'float8')},
      ${standardError}, now()
    from variant
    where shop_id = ${shopId} and gid = ${variantGid(number)}
    on conflict (shop_id, variant_id, location_id) do update
    set units = excluded.units, standard_error = excluded.standard_error, model = excluded.model, wape = excluded.wape
  `)
}

/** The demand of the shop is rolled up to yesterday. */
export async function setRolledUp(db: Db, { shopId }: Pick<Person, 'shopId'>): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into demand_roll_up (shop_id, rolled_until, rolling_to)
    select ${shopId}, day, day from (select (now() at time zone 'UTC')::date - 1 as day) yesterday
    on conflict (shop_id) do nothing
  `)
}

/** Writes units of variant n on days before today; 0 units is a day without stock. */
export async function setDemandDays(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  number: number,
  days: readonly { daysAgo: number; units: number }[],
): Promise<void> {
  const rows = days.map(({ daysAgo, units }) => [daysAgo, units])
  await db.query(sql.typeAlias('void')`
    insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock, is_sold_out)
    select ${shopId}, v.id, w.id, (now() at time zone 'UTC')::date - d.days_ago, d.units, d.units > 0, d.units = 0
    from ${sql.unnest(rows, ['int4', 'int4'])} as d (days_ago, units)
    join variant v on v.shop_id = ${shopId} and v.gid = ${variantGid(number)}
    join location w on w.shop_id = ${shopId} and w.is_primary
    on conflict (shop_id, variant_id, location_id, day) do update
    set units = excluded.units, in_stock = excluded.in_stock, is_sold_out = excluded.is_sold_out
  `)
}

export async function listReplenishment(person: Person, query = ''): Promise<ReplenishmentRow[]> {
  const response = await person.get(`/api/replenishment${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}
