import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { upsertProducts } from '../../../../shared/domain/exchange/sync/upsert-products.ts'
import { upsertLocations } from '../../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { ReorderInputs } from '../../../../shared/schemas/reorder-rules.ts'
import { openTestDb, useOwnDatabase } from '../../../support/core/database.ts'
import { daysAgo, instantIn } from '../../../support/core/instants.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { product, variant } from '../../../support/make/catalogue.ts'
import { setTimeZone } from '../../../support/make/sales.ts'
import { seeded } from '../../../support/make/series.ts'
import { locationGid, variantGid } from '../../../support/make/stock.ts'

useOwnDatabase()

const hour = 3_600_000
const day = 24 * hour

type Movement = { variant: number; location: number; delta: number; at: number }
type Sale = { variant: number; quantity: number; at: number }
type History = { movements: Movement[]; sales: Sale[] }

/**
 * A year of a shop. Each variant sells at its own rate at any hour from two locations, runs out, and is restocked
 * later. Some variants are new, some never had stock.
 */
function makeHistory(variants: number, now: number): History {
  const random = seeded(7)
  const movements: Movement[] = []
  const sales: Sale[] = []
  for (let number = 1; number <= variants; number += 1) {
    const stock = [0, 0]
    const isScarce = number % 7 === 0
    const pace = isScarce ? 20 : 6 * random() ** 2
    const daysOfHistory = number % 8 === 0 ? 1 + Math.floor(random() * 30) : 365
    const scarcity = isScarce ? 0.9995 : number % 3 === 0 ? 0.985 : 0.8
    const move = (location: number, delta: number, at: number) => {
      stock[location - 1] = (stock[location - 1] ?? 0) + delta
      movements.push({ variant: number, location, delta, at })
    }
    if (number % 10 === 0) continue
    for (let at = now - daysOfHistory * day; at < now; at += hour) {
      const location = random() < 0.7 ? 1 : 2
      const inStock = stock[location - 1] ?? 0
      if (inStock === 0 && random() > scarcity)
        move(location, 5 + Math.floor(random() * 40), at + random() * hour)
      else if (inStock > 0 && random() < pace / 24) {
        const quantity = Math.min(inStock, 1 + Math.floor(random() * 3))
        const soldAt = at + random() * hour
        sales.push({ variant: number, quantity, at: soldAt })
        move(location, -quantity, soldAt)
      }
      // the platform also reports orders of sold-out variants
      else if (inStock === 0 && random() < 0.002) sales.push({ variant: number, quantity: 1, at })
    }
  }
  return { movements: movements.sort((a, b) => a.at - b.at), sales }
}

async function writeHistory(db: Db, shopId: number, { movements, sales }: History): Promise<void> {
  const at = (time: number) => new Date(time).toISOString()
  await db.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id, quantity)
    select ${shopId}, v.id, w.id, sum(m.delta)
    from ${sql.unnest(
      movements.map(({ variant: v, location, delta }) => [variantGid(v), locationGid(location), delta]),
      ['text', 'text', 'int4'],
    )} as m (variant, location, delta)
    join variant v on v.shop_id = ${shopId} and v.gid = m.variant
    join location w on w.shop_id = ${shopId} and w.gid = m.location
    group by v.id, w.id
  `)
  await db.query(sql.typeAlias('void')`
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
    )
    select ${shopId}, v.id, w.id, 0, m.delta, 'platform', m.at
    from ${sql.unnest(
      movements.map((m) => [variantGid(m.variant), locationGid(m.location), m.delta, at(m.at)]),
      ['text', 'text', 'int4', 'timestamptz'],
    )} as m (variant, location, delta, at)
    join variant v on v.shop_id = ${shopId} and v.gid = m.variant
    join location w on w.shop_id = ${shopId} and w.gid = m.location
  `)
  await db.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select ${shopId}, 'order', n::text, s.variant, s.quantity, s.at
    from ${sql.unnest(
      sales.map((sale, n) => [n, variantGid(sale.variant), sale.quantity, at(sale.at)]),
      ['int4', 'text', 'int4', 'timestamptz'],
    )} as s (n, variant, quantity, at)
  `)
}

/** Makes a supplier with orders that took these numbers of days, the oldest first; null has not arrived. */
async function makeMeasuredSupplier(
  db: Db,
  shopId: number,
  { leadTimeDays, deliveryDays }: { leadTimeDays: number | null; deliveryDays: (number | null)[] },
): Promise<number> {
  const { id } = await db.one(sql.typeAlias('id')`
    insert into supplier (shop_id, name, lead_time_days) values (${shopId}, 'Acme', ${leadTimeDays}) returning id
  `)
  for (const days of deliveryDays) {
    const order = await db.one(sql.typeAlias('id')`
      insert into purchase_order (shop_id, number, supplier_id, status, sent_at, created_by)
      select ${shopId}, 1 + count(*), ${id}, ${days === null ? 'sent' : 'partial'}, now() - interval '100 days', 'a'
      from purchase_order where shop_id = ${shopId}
      returning id
    `)
    if (days === null) continue
    // the first receipt counts, except when it was reversed
    for (const [extra, isReversed] of [
      [0, false],
      [5, false],
      [-1, true],
    ] as const) {
      await db.query(sql.typeAlias('void')`
        insert into receipt (
          shop_id, purchase_order_id, location_id, fingerprint, status_after, created_by, created_at, reversed_at
        )
        select ${shopId}, ${order.id}, w.id, '', 'partial', 'a',
          now() - interval '100 days' + ${days + extra} * interval '1 day', case when ${isReversed} then now() end
        from location w where w.shop_id = ${shopId} and w.gid = ${locationGid(1)}
      `)
    }
  }
  return id
}

async function makeAutoRule(
  db: Db,
  shopId: number,
  rule: {
    variant: number
    location: number | null
    supplierId: number | null
    level: number
    review: number
  },
): Promise<number> {
  const { id } = await db.one(sql.typeAlias('id')`
    insert into reorder_rule (
      shop_id, variant_id, location_id, supplier_id, mode, reorder_point, reorder_quantity, service_level,
      review_days, created_by
    )
    select ${shopId}, v.id, (select id from location where shop_id = ${shopId} and gid = ${locationGid(rule.location ?? 0)}),
      ${rule.supplierId}::bigint, 'auto', 0, 1, ${rule.level}, ${rule.review}, 'a'
    from variant v where v.shop_id = ${shopId} and v.gid = ${variantGid(rule.variant)}
    returning id
  `)
  return id
}

const ComputedRule = Type.Object({
  id: Type.Integer(),
  reorderPoint: Type.Integer(),
  reorderQuantity: Type.Integer(),
  inputs: Type.Union([ReorderInputs, Type.Null()]),
  computedAt: Type.Union([Type.String(), Type.Null()]),
  currentStock: Type.Integer(),
})

const rulesOf = (db: Db, shopId: number) =>
  db.any(sql.type(row(ComputedRule))`
    select id, reorder_point, reorder_quantity, inputs, computed_at, current_stock
    from reorder_rule where shop_id = ${shopId} order by id
  `)

/** A shop with variants and two locations, without history. */
async function start(t: Test, { variants, timeZone = 'UTC' }: { variants: number; timeZone?: string }) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  await db.transaction(async (tx) => {
    const numbers = Array.from({ length: variants }, (_, at) => at + 1)
    await upsertProducts(tx, shopId, [
      product(
        1,
        numbers.map((number) => variant(number)),
      ),
    ])
    await upsertLocations(
      tx,
      shopId,
      [1, 2].map((number) => ({
        gid: locationGid(number),
        name: `Place ${number}`,
        isActive: true,
        isPrimary: number === 1,
      })),
    )
  })
  await setTimeZone(db, { shopId }, timeZone)
  const { perform } = await startTasks(t, db)
  return {
    ...{ db, shopId, perform },
    rollUp: () => perform(jobs.rollUpDemand, { shopId }),
    recompute: () => perform(jobs.recomputeReorderPoints, { shopId }),
  }
}

const LocatedDay = Type.Object({ key: Type.String(), units: Type.Integer() })

/** What the roll-up put to the locations, by variant, location and day. */
async function locatedUnits(db: Db, shopId: number): Promise<ReadonlyMap<string, number>> {
  const days = await db.any(sql.type(row(LocatedDay))`
    select concat_ws(' ', v.gid, w.gid, d.day) as key, d.units
    from demand_day d
    join variant v on v.shop_id = ${shopId} and v.id = d.variant_id
    join location w on w.shop_id = ${shopId} and w.id = d.location_id
    where d.shop_id = ${shopId}
  `)
  return new Map(days.map(({ key, units }) => [key, units]))
}

/** The local date of an instant in a time zone, and the start of a date, both from the calendar. */
function calendarOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone })
  const dayOf = (at: number) => format.format(at)
  const beginOf = (name: string) => {
    let at = Date.parse(`${name}T00:00:00Z`) - 16 * hour
    while (dayOf(at) < name) at += hour / 4
    return at
  }
  return { dayOf, beginOf }
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const deviation = (numbers: number[]) =>
  numbers.length < 2
    ? 0
    : Math.sqrt(
        numbers.reduce((sum, number) => sum + (number - mean(numbers)) ** 2, 0) / (numbers.length - 1),
      )

/** Variants that came after the shop's first sync, some with a short history and some without any. */
const isNew = (number: number) => number % 16 === 0 || number === 40

/**
 * Marks these variants as new: the first completed sync was half a year ago. An earlier failed sync and later ones
 * do not count.
 */
async function markNew(db: Db, shopId: number, numbers: number[]): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, started_at, finished_at)
    select ${shopId}, state, now() - days * interval '1 day', now() - days * interval '1 day'
    from (values ('failed', 300), ('done', 180), ('done', 1)) as sync (state, days)
  `)
  await db.query(sql.typeAlias('void')`
    update variant
    set created_at = now() - case
      when gid = any(${sql.array(numbers.map(variantGid), 'text')}) then interval '179 days'
      else interval '181 days'
    end
    where shop_id = ${shopId}
  `)
}

/**
 * The reference implementation: day by day from the first movement on, which the statement computes backwards in
 * one pass.
 */
function expectedDays(
  { movements, sales }: History,
  { variant: number, location }: { variant: number; location: number | null },
  { timeZone, now, located }: { timeZone: string; now: number; located: ReadonlyMap<string, number> },
): { inStock: number[]; all: number[] } {
  const { dayOf, beginOf } = calendarOf(timeZone)
  const own = movements.filter((m) => m.variant === number && (location === null || m.location === location))
  const first = movements.find((m) => m.variant === number)
  const firstDay = first && dayOf(first.at)
  const today = dayOf(now)
  const soldOn = Map.groupBy(
    sales.filter((sale) => sale.variant === number && sale.at > now - 100 * day),
    (sale) => dayOf(sale.at),
  )
  const days = Array.from({ length: 90 }, (_, at) => {
    const name = new Date(Date.parse(`${today}T00:00:00Z`) - (90 - at) * day).toISOString().slice(0, 10)
    const begin = beginOf(name)
    const units =
      location === null
        ? (soldOn.get(name) ?? []).reduce((sum, { quantity }) => sum + quantity, 0)
        : (located.get(`${variantGid(number)} ${locationGid(location)} ${name}`) ?? 0)
    const quantityAtStart = own.filter((m) => m.at < begin).reduce((sum, { delta }) => sum + delta, 0)
    const isUnknown = firstDay === undefined || name <= firstDay
    return { units, isInStock: units > 0 || (isUnknown ? !isNew(number) : quantityAtStart > 0) }
  })
  const unitsOf = (selected: typeof days) => selected.map(({ units }) => units)
  return { all: unitsOf(days), inStock: unitsOf(days.filter(({ isInStock }) => isInStock)) }
}

type TestSupplier = { id: number | null; days: (number | null)[]; stated: number | null }

const quantiles: Record<number, number> = { 90: 1.2815515655446, 95: 1.6448536269515, 99: 2.3263478740408 }

// the statement reads 92 days of movements: with 5,000 older ones for each of 40 variants a batch takes 130 ms, not
// 330
for (const timeZone of ['America/New_York', 'Australia/Lord_Howe', 'America/Santiago']) {
  t.test(
    `reorder points after a year of sales and stock-outs in ${timeZone} equal the reference computation`,
    async (t) => {
      const variants = 40
      const { db, shopId, rollUp, recompute } = await start(t, { variants, timeZone })
      const now = instantIn(0).getTime()
      const history = makeHistory(variants, now)
      await writeHistory(db, shopId, history)
      await markNew(db, shopId, Array.from({ length: variants }, (_, at) => at + 1).filter(isNew))
      await rollUp()
      const located = await locatedUnits(db, shopId)
      const deliveryDays = [40, 7, 9.5, null, 8, 8, 12, 6.25, 9, 7, 7.5, 10, null]
      const noSupplier: TestSupplier = { id: null, days: [], stated: null }
      const suppliers: TestSupplier[] = [
        noSupplier,
        {
          id: await makeMeasuredSupplier(db, shopId, { leadTimeDays: 30, deliveryDays }),
          days: deliveryDays,
          stated: 30,
        },
        {
          id: await makeMeasuredSupplier(db, shopId, { leadTimeDays: 21, deliveryDays: [3, 4] }),
          days: [3, 4],
          stated: 21,
        },
        {
          id: await makeMeasuredSupplier(db, shopId, { leadTimeDays: null, deliveryDays: [3, 4] }),
          days: [3, 4],
          stated: null,
        },
        {
          id: await makeMeasuredSupplier(db, shopId, { leadTimeDays: null, deliveryDays: [5, 7, 9] }),
          days: [5, 7, 9],
          stated: null,
        },
      ]
      const expected: object[] = []
      for (let number = 1; number <= variants; number += 1) {
        for (const location of number % 4 === 0 ? [null, 1, 2] : [null]) {
          const supplier = suppliers[number % suppliers.length] ?? noSupplier
          const level = [90, 95, 99][number % 3] ?? 95
          const review = 1 + (number % 14)
          const id = await makeAutoRule(db, shopId, {
            variant: number,
            location,
            supplierId: supplier.id,
            level,
            review,
          })
          const { inStock, all } = expectedDays(
            history,
            { variant: number, location },
            { timeZone, now, located },
          )
          const counted = inStock.length >= 14 ? inStock : all
          const arrived = supplier.days.filter((days): days is number => days !== null).slice(-10)
          const isMeasured = arrived.length >= 3
          const leadTime = isMeasured ? mean(arrived) : (supplier.stated ?? 14)
          const leadDeviation = isMeasured ? deviation(arrived) : 0
          const covered = leadTime + review
          const safety =
            (quantiles[level] ?? 0) *
            Math.sqrt(covered * deviation(counted) ** 2 + (mean(counted) * leadDeviation) ** 2)
          expected.push({
            id,
            reorderPoint: Math.ceil(mean(counted) * covered + safety - 1e-9),
            reorderQuantity: Math.max(1, Math.ceil(mean(counted) * review - 1e-9)),
            inStockDays: inStock.length,
            confidence: inStock.length >= 14 ? 'normal' : 'low',
            unitsSold: all.reduce((sum, units) => sum + units, 0),
          })
        }
      }
      await recompute()
      const computed = (await rulesOf(db, shopId)).map(({ id, reorderPoint, reorderQuantity, inputs }) => ({
        id,
        reorderPoint,
        reorderQuantity,
        inStockDays: inputs?.inStockDays,
        confidence: inputs?.confidence,
        unitsSold: inputs?.unitsSold,
      }))
      t.strictSame(computed, expected)
      const of = (name: 'inStockDays' | 'reorderPoint') => computed.map((rule) => rule[name] ?? 0)
      t.ok(
        of('inStockDays').some((days) => days < 14),
        'some variants were hardly ever in stock',
      )
      t.ok(
        of('inStockDays').some((days) => days >= 14 && days < 85),
        'some variants ran out',
      )
      t.ok(new Set(of('reorderPoint')).size > 20)
    },
  )
}

t.test('a new variant is computed from the days since it was added', async (t) => {
  const { db, shopId, recompute } = await start(t, { variants: 2 })
  const now = instantIn(0).getTime()
  const history: History = { movements: [], sales: [] }
  for (const variant of [1, 2]) {
    history.movements.push({ variant, location: 1, delta: 500, at: now - 20 * day })
    for (let ago = 19; ago > 0; ago -= 1) {
      history.sales.push({ variant, quantity: 3, at: now - ago * day })
      history.movements.push({ variant, location: 1, delta: -3, at: now - ago * day })
    }
  }
  await writeHistory(db, shopId, history)
  await markNew(db, shopId, [1])
  for (const variant of [1, 2]) {
    await makeAutoRule(db, shopId, { variant, location: null, supplierId: null, level: 95, review: 7 })
  }
  await recompute()
  t.match(await rulesOf(db, shopId), [
    { reorderQuantity: 21, inputs: { avgDailySales: 3, inStockDays: 19, confidence: 'normal' } },
    { reorderQuantity: 5, inputs: { inStockDays: 90 } },
  ])
})

t.test('a location counts what it sells itself: a warehouse that sells nothing orders nothing', async (t) => {
  const { db, shopId, rollUp, recompute } = await start(t, { variants: 1 })
  const movements = [1, 2].map((location) => ({
    variant: 1,
    location,
    delta: 900,
    at: daysAgo(100).getTime(),
  }))
  const sales: Sale[] = []
  for (let ago = 90; ago > 0; ago -= 1) {
    sales.push({ variant: 1, quantity: 2, at: daysAgo(ago).getTime() })
    movements.push({ variant: 1, location: 1, delta: -2, at: daysAgo(ago).getTime() })
  }
  await writeHistory(db, shopId, { movements, sales })
  const rule = { variant: 1, supplierId: null, level: 95, review: 7 }
  for (const location of [null, 1, 2]) await makeAutoRule(db, shopId, { ...rule, location })
  await recompute()
  t.match(
    await rulesOf(db, shopId),
    [{ reorderPoint: 42 }, { computedAt: null, inputs: null }, { computedAt: null, inputs: null }],
    'before the first roll-up it is not known where goods are sold',
  )
  await rollUp()
  await recompute()
  t.match(await rulesOf(db, shopId), [
    { reorderPoint: 42, reorderQuantity: 14, inputs: { unitsSold: 180 } },
    { reorderPoint: 42, reorderQuantity: 14, inputs: { unitsSold: 180, avgDailySales: 2 } },
    { reorderPoint: 0, reorderQuantity: 1, inputs: { unitsSold: 0, avgDailySales: 0 } },
  ])
})

t.test('manual rules and rules of other shops stay unchanged', async (t) => {
  const { db, shopId, recompute } = await start(t, { variants: 2 })
  const other = await start(t, { variants: 1 })
  const auto = { location: null, supplierId: null, level: 95, review: 7 }
  const manual = await makeAutoRule(db, shopId, { ...auto, variant: 1 })
  await db.query(sql.typeAlias('void')`
    update reorder_rule set mode = 'manual', reorder_point = 5 where shop_id = ${shopId} and id = ${manual}
  `)
  await makeAutoRule(db, shopId, { ...auto, variant: 2 })
  await makeAutoRule(db, other.shopId, { ...auto, variant: 1 })
  await recompute()
  t.match(await rulesOf(db, shopId), [
    { id: manual, reorderPoint: 5, inputs: null, computedAt: null },
    { inputs: { confidence: 'normal' }, computedAt: /Z$/ },
  ])
  t.match(await rulesOf(db, other.shopId), [{ inputs: null, computedAt: null }])
})

t.test('with isNew only new rules are computed', async (t) => {
  const { db, shopId, perform, recompute } = await start(t, { variants: 2 })
  const auto = { location: null, supplierId: null, level: 95, review: 7 }
  await makeAutoRule(db, shopId, { ...auto, variant: 1 })
  await recompute()
  const [before] = await rulesOf(db, shopId)
  await makeAutoRule(db, shopId, { ...auto, variant: 2 })
  await perform(jobs.recomputeReorderPoints, { shopId, isOnlyNew: true })
  const [first, second] = await rulesOf(db, shopId)
  t.strictSame(first, before)
  t.match(second, { computedAt: /Z$/ })
})

t.test(
  'a thousand rules are computed by several jobs, each continuing after the last rule of the previous one',
  async (t) => {
    const { db, shopId, perform } = await start(t, { variants: 1_000 })
    await db.query(sql.typeAlias('void')`
    insert into reorder_rule (shop_id, variant_id, mode, reorder_point, reorder_quantity, created_by)
    select shop_id, id, 'auto', 0, 1, 'a' from variant where shop_id = ${shopId}
  `)
    // as autovacuum does; a plan for empty tables may exceed the statement timeout on a busy machine
    await db.query(sql.typeAlias('void')`analyze variant, stock_level, reorder_rule`)
    const count = async () =>
      (await rulesOf(db, shopId)).filter(({ computedAt }) => computedAt !== null).length
    let time = 0
    t.intercept(performance, 'now', { value: () => (time += 30_000) })
    await perform(jobs.recomputeReorderPoints, { shopId })
    t.equal(await count(), 300)
    for (let at = 0; at < 3; at += 1) {
      const nextJob = (await enqueued(db, jobs.recomputeReorderPoints, shopId))[at]
      if (nextJob) await perform(jobs.recomputeReorderPoints, nextJob)
    }
    t.equal(await count(), 1_000)
    t.equal((await enqueued(db, jobs.recomputeReorderPoints, shopId)).length, 3)
  },
)

t.test('the job skips a shop that has uninstalled the app', async (t) => {
  const { db, shopId, recompute } = await start(t, { variants: 1 })
  await makeAutoRule(db, shopId, { variant: 1, location: null, supplierId: null, level: 95, review: 7 })
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${shopId}`)
  await recompute()
  t.match(await rulesOf(db, shopId), [{ computedAt: null }])
})
