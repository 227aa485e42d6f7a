import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { dateText } from '../../../shared/domain/planning/supply/day-text.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { StockGap } from '../../../shared/schemas/planning.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import type { Person } from '../../support/core/people.ts'
import { startTasks } from '../../support/core/worker.ts'
import { line, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { computePlans, setLevel, setPlaceForecast, setPrice, setSales } from '../../support/make/planning.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { item, locationGid, makeShippedTransfer, makeStock, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

const date = (days: number) => dateText(dayFromToday(days), dayFromToday(0))

/** Three variants with 10 pieces at one location; alice's supplier of variant 1 delivers in 7 days. */
async function start(t: Test, { locations = 1, available = 10 } = {}) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3, locations, available })
  const supplierId = await makeSupplier(alice, { leadTimeDays: 7 })
  await makeSupplierProduct(alice, { supplierId, variantId: variantGid(1) })
  return { ...people, supplierId }
}

const list = async (person: Person, query = ''): Promise<StockGap[]> => {
  const response = await person.get(`/api/reports/stock-gaps${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

const incoming = (person: Person, supplierId: number, days: number, fields = {}) =>
  makeSentOrder(person, {
    supplierId,
    lineItems: [line(1, { quantity: 100 })],
    expectedAt: `${dayFromToday(days)}T12:00:00Z`,
    ...fields,
  })

t.test('a product that runs out before its order arrives is listed with its loss and its cure', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  await setForecast(db, alice, 1)
  await setPrice(db, alice, 1, { price: 20, cost: 8 })
  const { id, poNumber } = await incoming(alice, supplierId, 25)
  await computePlans(db, alice)
  // 10 pieces at one a day last to day 9; 15 days are missing until the order arrives on day 25
  t.strictSame(await list(alice), [
    {
      variantId: variantGid(1),
      sku: 'SKU-1',
      title: 'Mug 1 - Size 1',
      locationId: null,
      locationName: null,
      available: 10,
      gapOn: dayFromToday(10),
      nextArrivalOn: dayFromToday(25),
      missingUnits: 15,
      lostRevenue: 300,
      cure: {
        kind: 'expedite',
        quantity: 100,
        arrivesOn: dayFromToday(10),
        savedUnits: 15,
        savedRevenue: 300,
        spends: 0,
        purchaseOrderId: id,
        poNumber,
        supplierId,
        supplierName: 'Acme',
        sourceLocationId: null,
        sourceLocationName: null,
        sourceLastsDays: null,
      },
      explanation: `Expedite ${poNumber} of Acme (expected on ${date(25)}): it arrives on ${date(10)} and covers 15 of 15 missing pieces.`,
    },
  ])
  t.strictSame(await list(mallory), [], 'another shop has its own')
  const { data } = (await alice.get('/api/variants/1/forecast')).json()
  t.match(data.gaps, [{ locationId: null, gapOn: dayFromToday(10), cure: { kind: 'expedite', poNumber } }])
  t.equal((await alice.get('/api/dashboard')).json().data.attention.stockGaps, 1)
  t.equal((await mallory.get('/api/dashboard')).json().data.attention.stockGaps, 0)

  // the order is expedited: the numbers are as of now, before the next night
  await alice.put(`/api/purchase-orders/${id}`, { expectedAt: `${dayFromToday(9)}T12:00:00Z` })
  t.strictSame(await list(alice), [])
  const { perform } = await startTasks(t, db)
  t.match(await queuedJobs(db, alice), [
    { task: 'send-purchase-order' },
    { task: 'recompute-planning', payload: { purchaseOrderId: id } },
  ])
  await perform(jobs.recomputePlanning, { shopId: alice.shopId, purchaseOrderId: id })
  t.equal((await alice.get('/api/dashboard')).json().data.attention.stockGaps, 0)
})

t.test('an order counts on the day on which its supplier truly delivers', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1)
  for (let count = 0; count < 3; count += 1) {
    const { id } = await makeSentOrder(alice, {
      supplierId,
      lineItems: [line(2)],
      expectedAt: `${dayFromToday(2)}T12:00:00Z`,
    })
    // received six days after the promised date
    await db.query(sql.typeAlias('void')`
      update purchase_order set status = 'received', received_at = expected_at + interval '6 days'
      where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
  await incoming(alice, supplierId, 8)
  await computePlans(db, alice)
  t.match(await list(alice), [{ gapOn: dayFromToday(10), nextArrivalOn: dayFromToday(14), missingUnits: 4 }])
})

t.test('without an order on its way the cure is to buy, and only a gap before L + R counts', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1)
  await setPrice(db, alice, 1, { price: 20, cost: 8 })
  await setForecast(db, alice, 2, { units: new Array(26).fill(3) })
  await computePlans(db, alice)
  // L + R = 14 days: variant 1 has no stock on days 10 to 13. Variant 2 lasts for 23 days, and its supplier is not known: 14 + 7 = 21
  t.match(await list(alice), [
    {
      variantId: variantGid(1),
      nextArrivalOn: null,
      missingUnits: 4,
      lostRevenue: 80,
      cure: { kind: 'buy', quantity: 4, arrivesOn: dayFromToday(10), savedUnits: 4, spends: 32, supplierId },
    },
  ])
  t.equal((await alice.get('/api/dashboard')).json().data.attention.stockGaps, 0, 'no arrival is known')
})

t.test('a location of a rule gets pieces from the one that lasts longest above its own point', async (t) => {
  const { db, alice } = await start(t, { locations: 4, available: 100 })
  await setForecast(db, alice, 1)
  await setPrice(db, alice, 1, { price: 20, cost: 8 })
  await setLevel(db, alice, 1, 1, 5)
  await makeRule(alice, { locationId: locationGid(1), reorderPoint: 3, reorderQuantity: 10 })
  await makeRule(alice, { locationId: locationGid(2), reorderPoint: 92, reorderQuantity: 10 })
  await makeRule(alice, { locationId: locationGid(3), reorderPoint: 60, reorderQuantity: 10 })
  await setPlaceForecast(db, alice, { variant: 1, location: 1, perWeek: 7 })
  await setPlaceForecast(db, alice, { variant: 1, location: 2, perWeek: 0 })
  await setPlaceForecast(db, alice, { variant: 1, location: 3, perWeek: 14 })
  // a forecast that a deleted rule left does not count: location 4 sold 900 in 90 days
  await setPlaceForecast(db, alice, { variant: 1, location: 4, perWeek: 0 })
  await setSales(db, alice, 1, { 4: 900 })
  await computePlans(db, alice)
  // 5 pieces at one a day: days 5 to 13 are missing. Location 2 sells none and can spare 8; location 3 spares 40, 20 days; location
  // 4 spares 100, 10 days
  t.match(await list(alice), [
    {
      locationId: locationGid(1),
      locationName: 'Place 1',
      available: 5,
      gapOn: dayFromToday(5),
      missingUnits: 9,
      cure: { kind: 'transfer', sourceLocationId: locationGid(2), quantity: 8, savedUnits: 8, spends: 0 },
    },
  ])
  t.equal((await list(alice)).length, 1)
  // goods for the location are on their way
  await makeShippedTransfer(alice, {
    sourceLocationId: locationGid(4),
    destinationLocationId: locationGid(1),
    items: [item(1, 30)],
  })
  t.strictSame(await list(alice), [])
})

t.test('a number entered by hand changes the gaps at once', async (t) => {
  const { alice } = await start(t)
  t.strictSame(await list(alice), [])
  await alice.put('/api/variants/1/forecast', { unitsPerWeek: 7 })
  t.match(await list(alice), [{ variantId: variantGid(1), gapOn: dayFromToday(10) }])
  await alice.put('/api/variants/1/forecast', { unitsPerWeek: 0 })
  t.strictSame(await list(alice), [])
})

t.test('pages follow the loss, then what has no price; a filter leaves out other products', async (t) => {
  const { db, alice } = await start(t)
  for (const [number, price] of [
    [1, 5],
    [2, null],
    [3, 50],
  ] as const) {
    await setForecast(db, alice, number, { units: new Array(26).fill(70) })
    await setPrice(db, alice, number, { price })
  }
  await computePlans(db, alice)
  const numbers = (rows: StockGap[]) => rows.map(({ variantId }) => Number(variantId.split('/').at(-1)))
  t.strictSame(numbers(await list(alice)), [3, 1, 2])
  const first = await alice.get('/api/reports/stock-gaps?limit=2')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame(numbers(first.json().data), [3, 1])
  t.strictSame(numbers((await alice.get(next)).json().data), [2])
  t.strictSame(numbers(await list(alice, '?vendor=nobody')), [])
  t.strictSame(numbers(await list(alice, '?search=sku-2')), [2])
  const csv = (await alice.get('/api/reports/stock-gaps', { accept: 'text/csv' })).body
  t.match(csv.split('\n')[0], 'Missing units,Lost revenue (USD),Explanation,Variant ID')
  t.match(csv, 'Buy ')
  expectFailure(t, await alice.get('/api/reports/stock-gaps?limit=251'), 400, 'invalid_request')
})

t.test('the forecasts enqueue the reports, and the same data gives the same rows', async (t) => {
  const { db, alice } = await start(t)
  const { shopId } = alice
  const { perform } = await startTasks(t, db)
  await setForecast(db, alice, 1)
  await perform(jobs.recomputeForecasts, { shopId })
  t.match(await queuedJobs(db, alice), [{ task: 'recompute-planning', payload: { shopId } }])
  await perform(jobs.recomputePlanning, { shopId })
  const rows = () =>
    db.any(sql.unsafe`select ctid::text, * from stock_gap where shop_id = ${shopId} order by id`)
  const before = await rows()
  t.equal(before.length, 1)
  await perform(jobs.recomputePlanning, { shopId })
  t.strictSame(await rows(), before, 'nothing is written again')
  await db.query(sql.typeAlias('void')`update variant set deleted_at = now() where shop_id = ${shopId}`)
  await perform(jobs.recomputePlanning, { shopId })
  t.strictSame(await rows(), [], 'deleted products have no gap')
})
