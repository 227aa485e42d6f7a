import { setImmediate } from 'node:timers/promises'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { errorsOf, testSeries } from '../../../forecast/forecast-series.ts'
import { addErrors, type PooledErrors, poolOf } from '../../../forecast/pooled-errors.ts'
import { addRatios, emptyRatios, profileOf, type Ratios, ratiosOf } from '../../../forecast/seasonal-index.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { readEvents } from '../../ledgers/demand/events.ts'
import { type Launches, meanWeeks, sumLaunches } from './launches.ts'
import { horizonWeeks, mondayOf, readWeeks, seasonWeeks, seriesOf, thisWeekOf, weekNumber } from './weeks.ts'

/** A type is described by its variants that sell most; this bounds the time of a shop. */
const maxSampled = 5_000
const maxSampledPerType = 100
/** Types with fewer variants have the profile of the shop. */
const minSampled = 5
const variantsPerRead = 100
/** First weeks of fewer variants say nothing about the next one. */
const minLaunches = 3

const Sampled = Type.Object({ id: Id, productType: Type.String() })
type Sampled = Static<typeof Sampled>
const Week = Type.Object({ week: Type.Integer(), isDone: Type.Boolean() })

type Sums = { variants: number; ratios: Ratios; errors: PooledErrors }
const emptySums = (): Sums => ({ variants: 0, ratios: emptyRatios(seasonWeeks), errors: {} })

/**
 * Computes the profile of each product type once a week: seasonal indices, the errors of the models,
 * and the first eight weeks of new variants. Each sum is taken in the order of type and variant, so that the same demand
 * gives the same numbers.
 */
export async function computeProfiles(db: Db, shopId: number, signal: AbortSignal): Promise<void> {
  const { week, isDone } = await db.one(sql.type(row(Week))`
    select ${weekNumber(thisWeekOf(shopId))} as week, exists (
      select from type_profile where shop_id = ${shopId} and product_type is null and week = ${thisWeekOf(shopId)}
    ) as is_done
  `)
  if (isDone) return
  const sample = await chooseSample(db, shopId)
  const events = await readEvents(db, shopId)
  const shop = emptySums()
  const types = new Map<string, Sums>()
  for (let from = 0; from < sample.length; from += variantsPerRead) {
    signal.throwIfAborted()
    const batch = sample.slice(from, from + variantsPerRead)
    const demands = await readWeeks(
      db,
      shopId,
      batch.map(({ id }) => ({ variantId: id, locationId: null })),
    )
    for (const demand of demands) {
      // other jobs of the process get their turn
      await setImmediate()
      const series = seriesOf(demand, events)
      const season = { length: seasonWeeks, phase: demand.firstWeek % seasonWeeks, profile: null }
      const tested = testSeries(series, { season, horizon: horizonWeeks })
      const type = types.get(demand.productType) ?? emptySums()
      types.set(demand.productType, type)
      for (const sums of [shop, type]) {
        sums.variants += 1
        addRatios(sums.ratios, ratiosOf(series, season))
        addErrors(sums.errors, tested.pattern, errorsOf(tested))
      }
    }
  }
  const described = [...types].filter(([, { variants }]) => variants >= minSampled)
  const launches = await sumLaunches(db, shopId, mondayOf(week), events, signal)
  await writeProfiles(db, shopId, mondayOf(week), [[null, shop], ...described], launches)
}

/** The variants of each type that sold most in 90 days, as many of each type as the limit allows. */
function chooseSample(db: Db, shopId: number): Promise<readonly Sampled[]> {
  return db.any(sql.type(row(Sampled))`
    with ranked as (
      select v.id, coalesce(p.product_type, '') as product_type,
        row_number() over (partition by coalesce(p.product_type, '') order by y.units_90d desc, v.id) as place
      from variant_velocity y
      join variant v on v.shop_id = ${shopId} and v.id = y.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where y.shop_id = ${shopId} and y.units_90d > 0 and v.deleted_at is null
    )
    select id, product_type
    from ranked
    where place <= greatest(${minSampled}::int, least(
      ${maxSampledPerType}::int, ${maxSampled}::int / (select count(distinct product_type) from ranked)
    ))
    order by place, product_type, id
    limit ${maxSampled}
  `)
}

async function writeProfiles(
  db: Db,
  shopId: number,
  week: string,
  profiles: readonly [string | null, Sums][],
  launches: ReadonlyMap<string | null, Launches>,
): Promise<void> {
  const rows = profiles.map(([productType, { ratios, errors }]) => {
    const launched = launches.get(productType)
    return {
      product_type: productType,
      indices: profileOf(ratios),
      errors,
      launch: launched ? meanWeeks(launched) : [],
      launches: launched?.count ?? 0,
    }
  })
  await db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`delete from type_profile where shop_id = ${shopId}`)
    await tx.query(sql.typeAlias('void')`
      insert into type_profile (shop_id, product_type, week, indices, errors, launch, launches)
      select ${shopId}::bigint, r.product_type, ${week}::date, r.indices, r.errors, r.launch, r.launches
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        product_type text, indices double precision[], errors jsonb, launch double precision[], launches int
      )
    `)
  })
}

const Profile = Type.Object({
  productType: Nullable(Type.String()),
  indices: Type.Array(Type.Number()),
  errors: Type.Unsafe<PooledErrors>(Type.Object({})),
  launch: Type.Array(Type.Number()),
  launches: Type.Integer(),
})

export type TypeProfile = {
  indices: readonly number[]
  errors: PooledErrors
  /** Units of the first eight weeks; null when too few variants of the type or the shop were new. */
  launch: readonly number[] | null
}

/** Returns what is known of a product type; the shop's where the type has too few variants. */
export async function readProfiles(db: Db, shopId: number): Promise<(productType: string) => TypeProfile> {
  const rows = await db.any(sql.type(row(Profile))`
    select product_type, indices, errors, launch, launches from type_profile where shop_id = ${shopId}
  `)
  const all = new Map(rows.map((profile) => [profile.productType, profile]))
  const shop = all.get(null)
  return (productType) => {
    const type = all.get(productType)
    const launched = [type, shop].find((profile) => (profile?.launches ?? 0) >= minLaunches)
    return {
      indices: (type ?? shop)?.indices ?? [],
      errors: poolOf(type?.errors ?? {}, shop?.errors ?? {}),
      launch: launched?.launch ?? null,
    }
  }
}
