import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { recomputeSalesVelocity } from '../../../../shared/domain/ledgers/sales/velocity.ts'
import { sumOf } from '../../../../shared/forecast/series.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { type DaySale, makeCatalogue, writeMovements, writeSales } from '../../../support/make/demand.ts'
import { poisson, seeded } from '../../../support/make/series.ts'
import { locationGid, variantGid } from '../../../support/make/stock.ts'

const Forecast = Type.Object({
  variant: Type.Integer(),
  location: Type.Union([Type.Integer(), Type.Null()]),
  model: Type.String(),
  wape: Type.Union([Type.Number(), Type.Null()]),
  bias: Type.Union([Type.Number(), Type.Null()]),
  units: Type.Array(Type.Number()),
  standardError: Type.Number(),
  isOfType: Type.Boolean(),
  isStale: Type.Boolean(),
  computedAt: Type.String(),
})

async function forecastsOf(db: Db, shopId: number) {
  return db.any(sql.type(row(Forecast))`
    select substring(v.gid from '\\d+$')::int as variant, substring(w.gid from '\\d+$')::int as location, f.model, f.wape,
      f.bias, f.units, f.standard_error, f.is_of_type, f.is_stale, f.computed_at::text as computed_at
    from variant_forecast f
    join variant v on v.shop_id = f.shop_id and v.id = f.variant_id
    left join location w on w.shop_id = f.shop_id and w.id = f.location_id
    where f.shop_id = ${shopId}
    order by v.id, w.id nulls first
  `)
}

type Catalogue = Parameters<typeof makeCatalogue>[2]

async function start(t: Test, catalogue: Catalogue) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  await makeCatalogue(db, shopId, catalogue)
  const { perform } = await startTasks(t, db)
  const night = async () => {
    await recomputeSalesVelocity(db, shopId, { isWhole: true })
    await perform(jobs.rollUpDemand, { shopId })
    await perform(jobs.recomputeForecasts, { shopId })
    return forecastsOf(db, shopId)
  }
  return { db, shopId, perform, night }
}

/** The days since Monday: sales of a week `weeksAgo` are on its Wednesday. */
const sinceMonday = (new Date().getUTCDay() + 6) % 7
const wednesday = (weeksAgo: number) => sinceMonday - 2 + 7 * weeksAgo

/** A sale in each of the last `weeks` complete weeks. */
function weekly(variant: number, weeks: number, unitsOf: (weeksAgo: number) => number): DaySale[] {
  return Array.from({ length: weeks }, (_, at) => weeks - at).flatMap((weeksAgo) => {
    const units = unitsOf(weeksAgo)
    return units > 0 ? [{ variant, units, daysAgo: wednesday(weeksAgo) }] : []
  })
}

t.test(
  'the worker forecasts each variant by its own demand, and the same data gives the same numbers',
  async (t) => {
    const { db, shopId, perform, night } = await start(t, { variants: 4 })
    const random = seeded(21)
    const season = (weeksAgo: number) => 60 * (1 + 0.6 * Math.sin((2 * Math.PI * weeksAgo) / 52))
    await writeSales(db, shopId, [
      ...weekly(1, 110, (weeksAgo) => poisson(random, season(weeksAgo))),
      ...weekly(2, 110, () => poisson(random, 30)),
      ...weekly(3, 110, (weeksAgo) => (weeksAgo % 6 === 0 ? 4 : 0)),
      // variant 4 never sold
    ])
    const first = await night()
    t.strictSame(
      first.map(({ variant, location }) => [variant, location]),
      [1, 2, 3].map((variant) => [variant, null]),
    )
    const [seasonal, noisy, rare] = first
    const totals = first.map(({ units }) => sumOf(units.slice(0, 26)))
    t.ok(
      ['seasonal_mean', 'seasonal_naive', 'seasonal_smoothing', 'seasonal_holt'].includes(
        seasonal?.model ?? '',
      ),
    )
    const expected = sumOf(Array.from({ length: 26 }, (_, at) => season(-at)))
    t.ok(Math.abs((totals[0] ?? 0) / expected - 1) < 0.15, `${totals[0]} of ${expected}`)
    t.ok(Math.abs((totals[1] ?? 0) / (26 * 30) - 1) < 0.1, `${totals[1]} of ${26 * 30}`)
    t.ok(Math.abs((totals[2] ?? 0) / ((26 * 4) / 6) - 1) < 0.25, `${totals[2]} of ${(26 * 4) / 6}`)
    t.ok(first.every(({ wape, units, isOfType }) => wape !== null && units.length === 27 && !isOfType))
    t.ok((noisy?.standardError ?? 0) > 0 && (rare?.standardError ?? 0) > 0)

    const numbers = (forecasts: typeof first) => forecasts.map(({ computedAt, ...rest }) => rest)
    const again = await night()
    t.strictSame(again, first, 'a second night of the same week computes nothing')
    await db.query(sql.typeAlias('void')`delete from variant_forecast where shop_id = ${shopId}`)
    await db.query(sql.typeAlias('void')`delete from type_profile where shop_id = ${shopId}`)
    await perform(jobs.recomputeForecasts, { shopId })
    t.strictSame(numbers(await forecastsOf(db, shopId)), numbers(first), 'from nothing, the same numbers')
    const otherHalf = sumOf(Array.from({ length: 26 }, (_, at) => season(-26 - at))) / 26
    t.ok(
      Math.abs((seasonal?.units[26] ?? 0) / otherHalf - 1) < 0.2,
      'then the mean of the other half of the year',
    )
    // a slice of the end first, then the rest
    await db.query(sql.typeAlias('void')`delete from variant_forecast where shop_id = ${shopId}`)
    const { id } = await db.one(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = ${variantGid(1)}
  `)
    await perform(jobs.recomputeForecasts, { shopId, afterVariantId: id })
    t.equal((await forecastsOf(db, shopId)).length, 2)
    await perform(jobs.recomputeForecasts, { shopId })
    t.strictSame(numbers(await forecastsOf(db, shopId)), numbers(first), 'in another order, the same numbers')
  },
)

t.test('a July without stock does not lower the forecast', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 2 })
  await writeMovements(db, shopId, [
    ...[1, 2].map((variant) => ({ variant, location: 1, delta: 5_000, daysAgo: 799, kind: 'receipt' })),
    // variant 1 had no stock for five weeks, until eight weeks ago
    { variant: 1, location: 1, delta: -5_000, daysAgo: wednesday(13) - 2 + 7 },
    { variant: 1, location: 1, delta: 5_000, daysAgo: wednesday(8), kind: 'receipt' },
  ])
  await writeSales(db, shopId, [
    ...weekly(1, 50, (weeksAgo) => (weeksAgo > 8 && weeksAgo <= 13 ? 0 : 20)),
    ...weekly(2, 50, (weeksAgo) => (weeksAgo > 8 && weeksAgo <= 13 ? 0 : 20)),
  ])
  const [without, withStock] = await night()
  const total = ({ units }: { units: number[] } = { units: [] }) => sumOf(units.slice(0, 4))
  t.ok(Math.abs(total(without) - 80) < 2, `${total(without)}`)
  t.ok(total(withStock) < 76, 'five weeks with stock and without sales do')
})

t.test('a promotion of the past is taken out, and one to come is put in', async (t) => {
  const { db, shopId, night } = await start(t, {
    variants: 3,
    type: (number) => (number === 3 ? 'Bowl' : 'Mug'),
  })
  const promoted = (weeksAgo: number) => (weeksAgo === 3 || weeksAgo === 4 ? 40 : 10)
  await writeSales(
    db,
    shopId,
    [1, 2, 3].flatMap((variant) => weekly(variant, 50, promoted)),
  )
  const monday = (weeksAgo: number) => sql.fragment`
    date_trunc('week', (now() at time zone 'UTC'))::date - ${weeksAgo * 7}::int
  `
  const addEvent = (
    kind: string,
    scope: string,
    value: string,
    from: number,
    to: number | null,
    factor: number,
  ) =>
    db.query(sql.typeAlias('void')`
      insert into demand_event (
        shop_id, name, kind, scope, scope_value, variant_id, starts_on, ends_on, factor, created_by, created_at, updated_at
      )
      select ${shopId}, 'Fair', ${kind}, ${scope}, case when ${scope} = 'variant' then '' else ${value} end,
        case when ${scope} = 'variant' then (select id from variant where shop_id = ${shopId} and gid = ${value}) end,
        ${monday(from)}, ${to === null ? sql.fragment`null` : sql.fragment`${monday(to)} - 1`}, ${factor}, 'alice', now(), now()
    `)
  await addEvent('event', 'product_type', 'Mug', 4, 2, 4)
  await addEvent('event', 'variant', variantGid(2), -1, -2, 3)
  await addEvent('event', 'variant', variantGid(2), -25, -26, 3)
  await addEvent('growth', 'shop', '', -2, null, 1.1)
  const [mug, mugWithFair, bowl] = await night()
  const rounded = (units: number[] = []) => units.slice(0, 4).map((value) => Math.round(value * 10) / 10)
  t.strictSame(rounded(mug?.units), [10, 10, 11, 11])
  t.strictSame(rounded(mugWithFair?.units), [10, 30, 11, 11])
  const last = [mug, mugWithFair].map((forecast) => forecast?.units.slice(24))
  t.strictSame(
    last.map((units) => rounded(units)),
    [
      [11, 11, 11],
      [11, 33, 11],
    ],
    'an event of the last week does not continue',
  )
  t.ok((bowl?.units[0] ?? 0) > 12, 'without an event the promotion counts')
})

t.test('growth that has begun is in the sales already, and the error grows with the demand', async (t) => {
  const { db, shopId, night } = await start(t, {
    variants: 2,
    type: (number) => (number === 1 ? 'Mug' : 'Bowl'),
  })
  // the second product sells half as much more since 20 weeks, as was expected
  const random = seeded(5)
  const demand = Array.from({ length: 61 }, () => poisson(random, 40))
  await writeSales(db, shopId, [
    ...weekly(1, 60, (weeksAgo) => demand[weeksAgo] ?? 0),
    ...weekly(2, 60, (weeksAgo) => (demand[weeksAgo] ?? 0) * (weeksAgo > 20 ? 2 : 3)),
  ])
  await db.query(sql.typeAlias('void')`
    update sales_reading set known_since = now() - interval '420 days' where shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`
    insert into demand_event (
      shop_id, name, kind, scope, scope_value, starts_on, factor, created_by, created_at, updated_at
    )
    select ${shopId}, 'Growth', 'growth', 'product_type', 'Bowl',
      date_trunc('week', (now() at time zone 'UTC'))::date - 20 * 7, 1.5, 'alice', now(), now()
  `)
  const [mug, bowl] = await night()
  const ratio = (bowl?.units ?? []).map((units, at) => units / (mug?.units[at] ?? 0))
  t.ok(
    ratio.every((each) => Math.abs(each - 3) < 0.001),
    `${ratio[0]}`,
  )
  t.ok(Math.abs((bowl?.standardError ?? 0) / (mug?.standardError ?? 0) - 3) < 0.001, 'the error, too')
})

t.test('a product of three weeks has the first weeks of its type, and is marked as such', async (t) => {
  const { db, shopId, night } = await start(t, {
    variants: 6,
    type: (number) => (number === 6 ? 'Bowl' : 'Mug'),
  })
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, phase, finished_at) values (${shopId}, 'done', 'locations', now() - interval '700 days')
  `)
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '85 days', platform_created_at = now() - interval '85 days'
    where shop_id = ${shopId}
  `)
  // variants 1 to 4 were new 12 weeks ago; 5 and 6 three weeks ago
  const launch = (variant: number, weeks: number) =>
    Array.from({ length: weeks }, (_, age) => ({
      variant,
      units: age < 4 ? 8 - 2 * age : 1,
      daysAgo: wednesday(weeks) - 7 * age,
    }))
  await writeSales(db, shopId, [
    ...[1, 2, 3, 4].flatMap((variant) => launch(variant, 12)),
    ...launch(5, 3),
    ...launch(6, 3),
  ])
  const forecasts = await night()
  const [, , , , young, bowl] = forecasts
  // the first day is a Wednesday, so two complete weeks are known: the launch weeks 2 and 3, then 1 a week
  t.match(young, { model: 'product_type', isOfType: true, wape: null })
  t.strictSame(young?.units.slice(0, 5), [4, 2, 1, 1, 1])
  t.match(bowl, { isOfType: true, units: [4, 2, 1, 1, 1] }, 'a type without launches: those of the shop')
  t.notOk(forecasts[0]?.isOfType)
})

/** A rule for a variant at one location. */
const addRule = (db: Db, shopId: number, variant: number, location: number) =>
  db.query(sql.typeAlias('void')`
    insert into reorder_rule (shop_id, variant_id, location_id, reorder_point, reorder_quantity, created_by)
    select ${shopId}, v.id, w.id, 0, 1, 'alice'
    from variant v
    join location w on w.shop_id = v.shop_id and w.gid = ${locationGid(location)}
    where v.shop_id = ${shopId} and v.gid = ${variantGid(variant)}
  `)

t.test('launches whose first weeks are not known do not count', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 8 })
  // variants 1 to 4 were new 12 weeks ago, 5 to 7 before the sales are known; 8 is new
  const launch = (variant: number, weeks: number, sold: number) =>
    Array.from({ length: sold }, (_, age) => ({ variant, units: 8, daysAgo: wednesday(weeks) - 7 * age }))
  await writeSales(db, shopId, [
    ...[1, 2, 3, 4].flatMap((variant) => launch(variant, 12, 12)),
    ...launch(8, 3, 3),
  ])
  await db.query(sql.typeAlias('void')`
    update sales_reading set known_since = now() - interval '95 days' where shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, phase, finished_at) values (${shopId}, 'done', 'locations', now() - interval '700 days')
  `)
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '85 days', platform_created_at = now() - interval '85 days'
    where shop_id = ${shopId}
  `)
  await recomputeSalesVelocity(db, shopId, { isWhole: true })
  await db.query(sql.typeAlias('void')`
    insert into variant_velocity (shop_id, variant_id, first_day)
    select ${shopId}, id, (now() at time zone 'UTC')::date - case when gid = ${variantGid(5)} then 900 else 120 end
    from variant
    where shop_id = ${shopId} and gid = any(${sql.array([5, 6, 7].map(variantGid), 'text')})
    on conflict (shop_id, variant_id) do update set first_day = excluded.first_day
  `)
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '120 days', platform_created_at = now() - interval '120 days'
    where shop_id = ${shopId} and gid = any(${sql.array([5, 6, 7].map(variantGid), 'text')})
  `)
  const forecasts = await night()
  t.match(forecasts.at(-1), { variant: 8, isOfType: true, units: [8, 8, 8, 8] })
})

t.test('the first weeks of products that sold out are no weeks without demand', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 5 })
  const firstDay = 85
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '85 days', platform_created_at = now() - interval '85 days'
    where shop_id = ${shopId}
  `)
  // 20 in each of two weeks with a fair in the first one; 16 until the fourth day of the third week, then nothing is left
  const sold = [
    { units: 20, age: 0 },
    { units: 20, age: 13 },
    { units: 16, age: 17 },
  ]
  const launched = [1, 2, 3, 4].flatMap((variant) =>
    sold.map(({ units, age }) => ({ variant, units, daysAgo: firstDay - age })),
  )
  await writeMovements(db, shopId, [
    ...[1, 2, 3, 4].map((variant) => ({
      variant,
      location: 1,
      delta: 56,
      daysAgo: firstDay,
      kind: 'receipt',
    })),
    { variant: 5, location: 1, delta: 10, daysAgo: 1, kind: 'receipt' },
    ...launched.map(({ variant, units, daysAgo }) => ({ variant, location: 1, delta: -units, daysAgo })),
  ])
  await writeSales(db, shopId, launched)
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '1 day', platform_created_at = now() - interval '1 day'
    where shop_id = ${shopId} and gid = ${variantGid(5)}
  `)
  await db.query(sql.typeAlias('void')`
    insert into demand_event (
      shop_id, name, kind, scope, starts_on, ends_on, factor, created_by, created_at, updated_at
    )
    select ${shopId}, 'Fair', 'event', 'shop', day, day + 6, 2, 'alice', now(), now()
    from (select (now() at time zone 'UTC')::date - ${firstDay}::int as day) fair
  `)
  const forecasts = await night()
  t.match(forecasts.at(-1), { variant: 5, isOfType: true })
  t.strictSame(forecasts.at(-1)?.units.slice(0, 5), [10, 20, 28, 28, 28], '16 in 4 days are 28 in 7')
})

t.test('the forecast of a location is removed when no rule names it any more', async (t) => {
  const { db, shopId, perform, night } = await start(t, { variants: 1, locations: 2 })
  await writeSales(
    db,
    shopId,
    weekly(1, 12, () => 7),
  )
  await addRule(db, shopId, 1, 1)
  await addRule(db, shopId, 1, 2)
  const locations = async () => (await forecastsOf(db, shopId)).map(({ location }) => location)
  await night()
  t.strictSame(await locations(), [null, 1, 2])
  await db.query(sql.typeAlias('void')`
    delete from reorder_rule r using location w
    where r.shop_id = ${shopId} and w.shop_id = ${shopId} and w.id = r.location_id and w.gid = ${locationGid(2)}
  `)
  await db.query(sql.typeAlias('void')`update variant_forecast set is_stale = true where shop_id = ${shopId}`)
  await perform(jobs.recomputeForecasts, { shopId })
  t.strictSame(await locations(), [null, 1])
})

t.test('the locations of a new product share what its type expects', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 7, locations: 2 })
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, phase, finished_at) values (${shopId}, 'done', 'locations', now() - interval '700 days')
  `)
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '85 days', platform_created_at = now() - interval '85 days'
    where shop_id = ${shopId}
  `)
  const launch = (variant: number, weeks: number) =>
    Array.from({ length: weeks }, (_, age) => ({ variant, units: 8, daysAgo: wednesday(weeks) - 7 * age }))
  await writeSales(db, shopId, [...[1, 2, 3, 4].flatMap((variant) => launch(variant, 12)), ...launch(6, 3)])
  // variant 5 has been stocked for three weeks and sold nothing; 6 sold a quarter at the second location; 7 is by hand
  await writeMovements(db, shopId, [
    ...[5, 6, 7].flatMap((variant) =>
      [1, 2].map((location) => ({ variant, location, delta: 90, daysAgo: wednesday(3), kind: 'receipt' })),
    ),
    ...[1, 2, 3].flatMap((weeksAgo) => [
      { variant: 6, location: 1, delta: -6, daysAgo: wednesday(weeksAgo) },
      { variant: 6, location: 2, delta: -2, daysAgo: wednesday(weeksAgo) },
    ]),
  ])
  for (const variant of [5, 6, 7]) for (const location of [1, 2]) await addRule(db, shopId, variant, location)
  await db.query(sql.typeAlias('void')`
    insert into forecast_entry (shop_id, variant_id, units_per_week, entered_by, entered_at)
    select ${shopId}, id, 20, 'alice', now() from variant where shop_id = ${shopId} and gid = ${variantGid(7)}
  `)
  const forecasts = await night()
  const found = forecasts.filter(({ variant }) => variant > 4)
  t.strictSame(
    found.map(({ variant, location, model, units }) => [variant, location, model, units[0]]),
    [
      [5, null, 'product_type', 8],
      [5, 1, 'product_type', 4],
      [5, 2, 'product_type', 4],
      [6, null, 'product_type', 8],
      [6, 1, 'product_type', 6],
      [6, 2, 'product_type', 2],
      [7, null, 'manual', 20],
      [7, 1, 'manual', 10],
      [7, 2, 'manual', 10],
    ],
  )
  const [, half] = found
  t.ok(half?.isOfType)
  t.equal(half?.standardError, 2, 'the root of 8, by the root of a half')
})

t.test('the series of a location begins when the location is stocked', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 1, locations: 2 })
  const weeksOpen = 9
  await writeMovements(db, shopId, [
    { variant: 1, location: 1, delta: 9_000, daysAgo: 790, kind: 'receipt' },
    { variant: 1, location: 2, delta: 500, daysAgo: wednesday(weeksOpen) + 2, kind: 'transfer' },
    ...Array.from({ length: weeksOpen }, (_, at) => ({
      ...{ variant: 1, location: 2, delta: -12, daysAgo: wednesday(at + 1) },
    })),
  ])
  await writeSales(
    db,
    shopId,
    weekly(1, 100, () => 12),
  )
  await addRule(db, shopId, 1, 2)
  const forecasts = await night()
  t.strictSame(
    forecasts.map(({ location, units }) => [location, Math.round(units[0] ?? 0)]),
    [
      [null, 12],
      [2, 12],
    ],
  )
})

t.test('a rule of a location has a forecast of its demand', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 1, locations: 2 })
  await writeMovements(db, shopId, [
    ...[1, 2].map((location) => ({ variant: 1, location, delta: 5_000, daysAgo: 700, kind: 'receipt' })),
    ...Array.from({ length: 30 }, (_, at) => at + 1).flatMap((weeksAgo) => [
      { variant: 1, location: 1, delta: -4, daysAgo: wednesday(weeksAgo) },
      { variant: 1, location: 2, delta: -8, daysAgo: wednesday(weeksAgo) },
    ]),
  ])
  await writeSales(
    db,
    shopId,
    weekly(1, 30, () => 12),
  )
  await db.query(sql.typeAlias('void')`
    update sales_reading set known_since = now() - interval '210 days' where shop_id = ${shopId}
  `)
  await addRule(db, shopId, 1, 2)
  const forecasts = await night()
  t.strictSame(
    forecasts.map(({ location, units }) => [location, Math.round(units[0] ?? 0)]),
    [
      [null, 12],
      [2, 8],
    ],
  )
})

t.test('the worker forecasts the variants of one shop only, by its sales alone', async (t) => {
  const { db, shopId, night } = await start(t, { variants: 1 })
  const mallory = await makeShop(db, 'mallory')
  await makeCatalogue(db, mallory.shopId, { variants: 1 })
  await writeSales(
    db,
    mallory.shopId,
    weekly(1, 40, () => 90),
  )
  await writeSales(
    db,
    shopId,
    weekly(1, 40, () => 10),
  )
  await db.query(sql.typeAlias('void')`
    insert into demand_event (shop_id, name, kind, scope, starts_on, factor, created_by, created_at, updated_at)
    values (${mallory.shopId}, 'Growth', 'growth', 'shop', current_date - 7, 5, 'mallory', now(), now())
  `)
  await db.query(sql.typeAlias('void')`
    update sales_reading set known_since = now() - interval '280 days' where shop_id = ${shopId}
  `)
  const [forecast] = await night()
  t.equal(Math.round(forecast?.units[0] ?? 0), 10)
  t.strictSame(await forecastsOf(db, mallory.shopId), [])
})
