import { setImmediate } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { sumOf } from '../../../forecast/series.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { lockEventsForReading, readEvents } from '../../ledgers/demand/events.ts'
import { requestPoints } from '../../ledgers/sales/request-points.ts'
import { readEntries, withEntries } from './entries.ts'
import { forecastOf, partOf, rounded, type StoredForecast, type Whole } from './forecast-of.ts'
import { launchWeeks } from './launches.ts'
import { readProfiles } from './profiles.ts'
import { horizonWeeks, readWeeks, thisWeekOf } from './weeks.ts'

/** Bounds the memory of a batch, and keeps its transaction below a second. */
const variantsPerBatch = 100
/** Variants that a batch checks. */
const checkedPerBatch = 2_000
/** Series between two turns for other jobs of the process. */
const seriesPerTurn = 10
/** How long the forecasts of past weeks are kept. */
const keptWeeks = 9

const Due = Type.Object({ variantId: Id, locationId: Nullable(Id) })

/**
 * Forecasts the next variants whose forecast is of an earlier week or stale: of all their locations, and of each location
 * that a reorder rule names. Returns the last id, null after the last batch. May run twice.
 */
export async function computeForecastBatch(
  tx: Db,
  shopId: number,
  afterVariantId: number,
  signal: AbortSignal,
): Promise<number | null> {
  if (afterVariantId === 0) await removeOldWeeks(tx, shopId)
  const { variantIds, next } = await chooseDue(tx, shopId, afterVariantId)
  if (variantIds.length > 0) await computeForecasts(tx, shopId, variantIds, signal)
  return next
}

/** Computes and stores the forecasts of these variants, and enqueues the reorder points that follow from them. */
export async function computeForecasts(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const keys = await tx.any(sql.type(row(Due))`
    select v.id as variant_id, null::bigint as location_id
    from variant v
    where v.shop_id = ${shopId} and v.id = any(${sql.array([...variantIds], 'int8')})
    union all
    select r.variant_id, r.location_id
    from reorder_rule r
    where r.shop_id = ${shopId} and r.variant_id = any(${sql.array([...variantIds], 'int8')})
      and r.location_id is not null
  `)
  await lockEventsForReading(tx, shopId)
  await tx.query(sql.typeAlias('void')`
    select from variant_forecast
    where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
    order by variant_id, location_id
    for no key update
  `)
  await removeWithoutRule(tx, shopId, variantIds)
  const profileOf = await readProfiles(tx, shopId)
  const entryOf = await readEntries(tx, shopId, variantIds)
  const events = await readEvents(tx, shopId)
  const demands = await readWeeks(tx, shopId, keys)
  const places = Map.groupBy(
    demands.filter(({ locationId }) => locationId !== null),
    ({ variantId }) => variantId,
  )
  const forecasts: StoredForecast[] = []
  // a variant's demand at all locations comes before that of each location
  let whole: Whole | undefined
  for (const [at, demand] of demands.entries()) {
    if (at % seriesPerTurn === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const { variantId, locationId, productType } = demand
    const forecast =
      locationId !== null && whole?.forecast.is_of_type
        ? partOf(whole, demand, places.get(variantId) ?? [])
        : forecastOf(demand, profileOf(productType), events)
    if (locationId === null) whole = { demand, forecast }
    forecasts.push(forecast)
  }
  await writeForecasts(tx, shopId, withEntries(forecasts, entryOf))
  await requestPoints(tx, shopId, variantIds)
}

const Chosen = Type.Object({
  due: Type.Array(Id),
  lastId: Nullable(Id),
  count: Type.Integer(),
})

/**
 * Of the next variants by id those that are due: with demand, or new, since their type says what to expect, and without a
 * fresh forecast. `next` is the id to continue after; null after the last variant. Each lookup is a lateral join with a
 * limit, so that Postgres reads by index: it would hash all demand of the shop for each batch.
 */
async function chooseDue(
  tx: Db,
  shopId: number,
  afterVariantId: number,
): Promise<{ variantIds: readonly number[]; next: number | null }> {
  const { due, lastId, count } = await tx.one(sql.type(row(Chosen))`
    with current as materialized (select ${thisWeekOf(shopId)} as week),
    v as materialized (
      select id from variant
      where shop_id = ${shopId} and id > ${afterVariantId} and deleted_at is null
      order by id
      limit ${checkedPerBatch}
    )
    select coalesce(
        to_jsonb((array_agg(v.id order by v.id) filter (where sold.is_known and fresh.is_stale))[1:${variantsPerBatch}::int]), '[]'
      ) as due,
      max(v.id) as last_id, count(*) as count
    from current
    cross join v
    cross join lateral (
      select coalesce(bool_or(known.is_known), false) as is_known
      from (
        (select true as is_known from demand_day d where d.shop_id = ${shopId} and d.variant_id = v.id limit 1)
        union all
        (
          select true from variant_velocity y
          where y.shop_id = ${shopId} and y.variant_id = v.id and y.first_day > current.week - ${launchWeeks * 7}::int
          limit 1
        )
        union all
        (
          select true from forecast_entry e
          where e.shop_id = ${shopId} and e.variant_id = v.id and e.units_per_week is not null
          limit 1
        )
      ) known
    ) sold
    cross join lateral (
      select count(f.variant_id) < count(*) as is_stale
      from (
        select null::bigint as location_id
        union all
        (
          select r.location_id from reorder_rule r
          where r.shop_id = ${shopId} and r.variant_id = v.id and r.location_id is not null
          offset 0
        )
      ) wanted
      left join lateral (
        select variant_id from variant_forecast
        where shop_id = ${shopId} and variant_id = v.id and location_id is not distinct from wanted.location_id
          and week = current.week and not is_stale
        limit 1
      ) f on true
    ) fresh
  `)
  if (due.length === variantsPerBatch) return { variantIds: due, next: due.at(-1) ?? null }
  return { variantIds: due, next: count < checkedPerBatch ? null : lastId }
}

async function writeForecasts(tx: Db, shopId: number, forecasts: readonly StoredForecast[]): Promise<void> {
  const ofShop = forecasts
    .filter((forecast) => forecast.location_id === null)
    .map(({ variant_id, week, units }) => [variant_id, week, rounded(sumOf(units.slice(0, horizonWeeks)))])
  await tx.query(sql.typeAlias('void')`
    insert into variant_forecast (
      shop_id, variant_id, location_id, week, model, weights, parameters, wape, bias, units, standard_error,
      is_of_type, is_stale, computed_at
    )
    select ${shopId}::bigint, variant_id, location_id, week, model, weights, parameters, wape, bias, units,
      standard_error, is_of_type, false, ${new Date().toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(forecasts)}::jsonb) as r (
      variant_id bigint, location_id bigint, week date, model text, weights jsonb, parameters jsonb,
      wape double precision, bias double precision, units double precision[], standard_error double precision,
      is_of_type boolean
    )
    order by variant_id, location_id
    on conflict (shop_id, variant_id, location_id) do update
    set week = excluded.week, model = excluded.model, weights = excluded.weights, parameters = excluded.parameters,
      wape = excluded.wape, bias = excluded.bias, units = excluded.units, standard_error = excluded.standard_error,
      is_of_type = excluded.is_of_type, is_stale = false, computed_at = excluded.computed_at
  `)
  // what was forecast first for a week stays: a later forecast knows more
  await tx.query(sql.typeAlias('void')`
    insert into forecast_week (shop_id, variant_id, week, units)
    select ${shopId}::bigint, variant_id, week, units
    from ${sql.unnest(ofShop, ['int8', 'date', 'float8'])} as r (variant_id, week, units)
    order by variant_id
    on conflict (shop_id, week, variant_id) do nothing
  `)
}

/** Removes the forecasts of locations whose rule was deleted or moved: nothing computes them again. */
async function removeWithoutRule(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from variant_forecast f
    where f.shop_id = ${shopId} and f.variant_id = any(${sql.array([...variantIds], 'int8')}) and f.location_id is not null
      and not exists (
        select from reorder_rule r
        where r.shop_id = ${shopId} and r.variant_id = f.variant_id and r.location_id = f.location_id
      )
  `)
}

async function removeOldWeeks(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from forecast_week where shop_id = ${shopId} and week < ${thisWeekOf(shopId)} - ${keptWeeks * 7}::int
  `)
}
