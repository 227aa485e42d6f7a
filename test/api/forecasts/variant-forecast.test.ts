import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { lockEventsForReading } from '../../../shared/domain/ledgers/demand/events.ts'
import { recomputeSalesVelocity } from '../../../shared/domain/ledgers/sales/velocity.ts'
import { computeForecasts } from '../../../shared/domain/planning/forecasts/compute.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { VariantForecast } from '../../../shared/schemas/forecasts.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { allowIdling, untilBlocked } from '../../support/core/database.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import { deadline } from '../../support/core/machine.ts'
import type { Person } from '../../support/core/people.ts'
import { startTasks } from '../../support/core/worker.ts'
import { type DaySale, makeCatalogue, writeMovements, writeSales } from '../../support/make/demand.ts'
import { line, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { item, makeShippedTransfer, makeStock } from '../../support/make/stock.ts'

/** The days since Monday: sales of a week `weeksAgo` are on its Wednesday. */
const sinceMonday = (new Date().getUTCDay() + 6) % 7
const wednesday = (weeksAgo: number) => sinceMonday - 2 + 7 * weeksAgo
const weekly = (weeks: number, units: number): DaySale[] =>
  Array.from({ length: weeks }, (_, at) => ({ variant: 1, units, daysAgo: wednesday(weeks - at) }))

async function start(t: Test) {
  const context = await startApp(t)
  const { db } = context
  for (const { shopId } of [context.alice, context.mallory]) await makeCatalogue(db, shopId, { variants: 2 })
  const { perform } = await startTasks(t, db)
  const night = async ({ shopId }: Person) => {
    await recomputeSalesVelocity(db, shopId, { isWhole: true })
    await perform(jobs.rollUpDemand, { shopId })
    await perform(jobs.recomputeForecasts, { shopId })
  }
  return { ...context, night }
}

const read = async (person: Person, id = 1): Promise<VariantForecast> =>
  (await person.get(`/api/variants/${id}/forecast`)).json().data

t.test('the forecast has its history, a band, and the day on which stock runs out', async (t) => {
  const { alice, db, night } = await start(t)
  await writeMovements(db, alice.shopId, [
    { variant: 1, location: 1, delta: 30, daysAgo: 799, kind: 'receipt' },
  ])
  await writeSales(db, alice.shopId, weekly(30, 14))
  t.match(await read(alice), { model: null, weeks: [], projected: [], gapOn: null, available: 30 })
  await night(alice)
  const forecast = await read(alice)
  t.equal(forecast.history.length, 52)
  t.strictSame(
    forecast.history.slice(-2).map(({ units, inStock, daysInStock }) => [units, inStock, daysInStock]),
    [
      [14, true, 7],
      [14, true, 7],
    ],
  )
  t.type(forecast.model, 'string')
  t.type(forecast.wape, 'number')
  t.equal(forecast.weeks.length, 26)
  const [first] = forecast.weeks
  t.ok(first && first.low <= first.units && first.units <= first.high && first.low >= 0)
  t.equal(first?.week, dayFromToday(-sinceMonday), 'the current week')
  t.equal(forecast.projected[0]?.day, dayFromToday(0))
  // between 10 and 14 a week, since the first 22 of 52 weeks had no sale
  t.ok(
    forecast.gapOn && forecast.gapOn > dayFromToday(13) && forecast.gapOn < dayFromToday(28),
    `${forecast.gapOn}`,
  )
  t.equal(forecast.nextArrivalOn, null)
})

t.test('an order arrives as late as its supplier was, and the answer says so', async (t) => {
  const { alice, db, night } = await start(t)
  await writeMovements(db, alice.shopId, [
    { variant: 1, location: 1, delta: 4, daysAgo: 799, kind: 'receipt' },
  ])
  await writeSales(db, alice.shopId, weekly(30, 14))
  await night(alice)
  const supplierId = await makeSupplier(alice)
  const order = () =>
    makeSentOrder(alice, {
      supplierId,
      expectedAt: `${dayFromToday(10)}T12:00:00Z`,
      lineItems: [line(1, { quantity: 50 })],
    })
  const { id, poNumber } = await order()
  const promised = await read(alice)
  t.match(promised.arrivals, [{ purchaseOrderId: id, poNumber, quantity: 50, lateDays: 0, lateOrders: 0 }])
  t.equal(promised.arrivals[0]?.expectedAt?.slice(0, 10), dayFromToday(10))
  t.equal(promised.nextArrivalOn, dayFromToday(10))
  t.ok(promised.gapOn && promised.gapOn < dayFromToday(10), 'the gap is before the arrival')

  // 12 received orders: the last ten were 4 days late, two older ones a year
  for (let number = 0; number < 12; number += 1) await order()
  await db.query(sql.typeAlias('void')`
    update purchase_order o
    set status = 'received', expected_at = now() - make_interval(days => 20 + age.place),
      received_at = now() - make_interval(days => case when age.place < 10 then 16 + age.place else -400 + 2000 end)
    from (
      select id, (row_number() over (order by id))::int - 1 as place
      from purchase_order
      where shop_id = ${alice.shopId} and id <> ${id}
    ) age
    where o.shop_id = ${alice.shopId} and o.id = age.id
  `)
  const corrected = await read(alice)
  t.match(corrected.arrivals, [{ purchaseOrderId: id, lateDays: 4, lateOrders: 10 }])
  t.equal(corrected.arrivals[0]?.promisedAt?.slice(0, 10), dayFromToday(10))
  t.equal(corrected.arrivals[0]?.expectedAt?.slice(0, 10), dayFromToday(14))
  t.equal(corrected.nextArrivalOn, dayFromToday(14))
  t.ok(corrected.missingUnits > promised.missingUnits)

  await db.query(sql.typeAlias('void')`
    update purchase_order set expected_at = now() - interval '30 days' where shop_id = ${alice.shopId} and id = ${id}
  `)
  const overdue = await read(alice)
  t.equal(overdue.arrivals[0]?.expectedAt?.slice(0, 10), dayFromToday(1), 'it comes tomorrow at the earliest')
  const [today, tomorrow] = overdue.projected
  t.ok((tomorrow?.quantity ?? 0) > (today?.quantity ?? 0) + 40)
})

t.test('the number that a person enters replaces the forecast until it is taken back', async (t) => {
  const { alice, mallory, db, night } = await start(t)
  await writeSales(db, alice.shopId, weekly(30, 14))
  await night(alice)
  const computed = await read(alice)
  const url = '/api/variants/1/forecast'
  const entered = (await alice.put(url, { unitsPerWeek: 99.5, version: 0 })).json().data
  t.match(entered, { model: 'manual', unitsPerWeek: 99.5, enteredBy: alice.userId, version: 1, wape: null })
  t.ok(entered.weeks.every(({ units }: { units: number }) => units === 99.5))
  await db.query(
    sql.typeAlias('void')`update variant_forecast set is_stale = true where shop_id = ${alice.shopId}`,
  )
  await night(alice)
  t.match(await read(alice), { model: 'manual', isStale: false, unitsPerWeek: 99.5 }, 'the night keeps it')
  expectFailure(t, await alice.put(url, { unitsPerWeek: 1, version: 0 }), 409, 'stale_version')
  const { details } = expectFailure(t, await alice.put(url, { unitsPerWeek: -1 }), 400, 'invalid_request')
  t.match(details, [{ path: '/unitsPerWeek' }])
  const cleared = (await alice.put(url, { unitsPerWeek: null, version: 1 })).json().data
  t.match(cleared, { model: computed.model, unitsPerWeek: null, enteredBy: null, version: 2 })
  t.strictSame(cleared.weeks, computed.weeks)
  t.match(await read(mallory), { model: null, unitsPerWeek: null, version: 0 }, 'another shop has its own')
})

t.test('a number that is entered while a first forecast is computed replaces it', async (t) => {
  const { alice, mallory, db } = await start(t)
  await writeSales(db, alice.shopId, weekly(30, 14))
  const variantIds = await db.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${alice.shopId} order by id
  `)
  const computed = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const computation = db.transaction(async (tx) => {
    await allowIdling(tx)
    // the number is entered after the computation has read that there is none, and before it stores a forecast
    await lockEventsForReading(tx, alice.shopId)
    computed.resolve()
    await stored.promise
    await computeForecasts(tx, alice.shopId, variantIds, AbortSignal.timeout(deadline(60_000)))
  })
  await computed.promise
  const url = '/api/variants/1/forecast'
  t.equal((await mallory.put(url, { unitsPerWeek: 3 })).statusCode, 200, 'another shop does not wait')
  const answer = alice.put(url, { unitsPerWeek: 5 })
  await untilBlocked(db, 1)
  stored.resolve()
  await computation
  t.match((await answer).json().data, { model: 'manual', unitsPerWeek: 5 })
  t.match(await read(alice), { model: 'manual', unitsPerWeek: 5 })
})

t.test('a product without sales takes a number by hand, and one of another shop is not found', async (t) => {
  const { alice, mallory, db } = await start(t)
  await db.query(sql.typeAlias('void')`
    update variant set gid = 'gid://platform/ProductVariant/77' where shop_id = ${alice.shopId} and gid like '%/2'
  `)
  const entered = (await alice.put('/api/variants/77/forecast', { unitsPerWeek: 7 })).json().data
  t.match(entered, { model: 'manual', history: [], available: 0, gapOn: dayFromToday(0) })
  for (const answer of [
    await mallory.get('/api/variants/77/forecast'),
    await mallory.put('/api/variants/77/forecast', { unitsPerWeek: 1 }),
  ]) {
    expectFailure(t, answer, 404, 'not_found')
  }
})

t.test('pieces that travel between locations are in the projection on their day', async (t) => {
  const { alice, mallory, db } = await start(t)
  for (const person of [alice, mallory]) {
    await makeStock(db, person, { variants: 2, locations: 2, available: 5 })
    await setForecast(db, person, 1)
  }
  // 5 at each location, one a day: 4 of them are away for three days
  await makeShippedTransfer(alice, { items: [item(1, 4)] })
  const { available, projected, gaps, gapOn } = await read(alice)
  t.equal(available, 6)
  t.strictSame(
    projected.slice(0, 4).map(({ quantity }) => quantity),
    [5, 4, 3, 6],
  )
  t.equal(gapOn, dayFromToday(10))
  t.match(gaps, [
    { locationId: null, available: 6, gapOn: dayFromToday(10), nextArrivalOn: null, cure: { kind: 'buy' } },
  ])
  t.equal((await read(mallory)).projected[0]?.quantity, 9, 'another shop has its own transfers')
})
