import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { LostSale, Overstock } from '../../../shared/schemas/planning.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrderIn, makeSupplier, receiptsOf } from '../../support/make/orders.ts'
import { computePlans, setLevel, setPrice } from '../../support/make/planning.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { setDemandDays, setForecast } from '../../support/make/replenishment.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'
import { makeReturn, returned } from '../../support/make/supplier-returns.ts'

/** Three variants with 100 pieces at the first of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) {
    await makeStock(db, person, { variants: 3, locations: 2, available: 0 })
    for (const number of [1, 2, 3]) await setLevel(db, person, number, 1, 100)
    // known for longer than any report looks back
    await db.query(sql.typeAlias('void')`
      insert into sales_reading (shop_id, known_since) values (${person.shopId}, now() - interval '800 days')
      on conflict (shop_id) do update set known_since = excluded.known_since
    `)
  }
  return people
}

async function read<T>(person: Person, path: string): Promise<T[]> {
  const response = await person.get(`/api/reports/${path}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}
const numberOf = ({ variantId }: { variantId: string }) => Number(variantId.split('/').at(-1))

t.test('pieces above the cover are listed with the money in them, most money first', async (t) => {
  const { db, alice, mallory } = await start(t)
  await setForecast(db, alice, 1)
  await setPrice(db, alice, 1, { cost: 4 })
  await setPrice(db, alice, 2, { cost: 1 })
  await setPrice(db, alice, 3, {})
  await computePlans(db, alice)
  const rows = await read<Overstock>(alice, 'overstock?days=30')
  // variant 1 sells 30 in 30 days: 70 x 4; variant 2 sells none: 100 x 1; the cost of variant 3 is not known
  t.strictSame(
    rows.map((row) => [numberOf(row), row.forecastUnits, row.pieces, row.unitCost, row.value, row.action]),
    [
      [1, 30, 70, 4, 280, 'mark_down'],
      [2, 0, 100, 1, 100, 'mark_down'],
      [3, 0, 100, null, null, 'mark_down'],
    ],
  )
  const ninety = await read<Overstock>(alice, 'overstock')
  t.strictSame(
    ninety.map((row) => [numberOf(row), row.pieces, row.value]),
    [
      [2, 100, 100],
      [1, 10, 40],
      [3, 100, null],
    ],
    '90 days without a choice',
  )
  t.strictSame(await read(mallory, 'overstock'), [], 'another shop has its own')
  const first = await alice.get('/api/reports/overstock?days=30&limit=2')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame((await alice.get(next)).json().data.map(numberOf), [3])
  t.strictSame(await read(alice, 'overstock?productType=Nothing'), [])
  t.strictSame((await read<Overstock>(alice, 'overstock?search=sku-2')).map(numberOf), [2])
  const { meta } = (await alice.get('/api/reports/overstock?count=true&limit=1&days=30')).json()
  t.strictSame(meta, { total: 3, isExact: true })
  expectFailure(t, await alice.get('/api/reports/overstock?days=45'), 400, 'invalid_request')
  const csv = (await alice.get('/api/reports/overstock?days=30', { accept: 'text/csv' })).body
  t.match(csv, 'Mark down')
})

t.test('goods of a late receipt go back, less what goes back already', async (t) => {
  const { db, alice } = await start(t)
  await setPrice(db, alice, 1, { cost: 4 })
  const supplierId = await makeSupplier(alice)
  const { id } = await makeOrderIn(alice, 'received', { supplierId, lineItems: [line(1, { quantity: 50 })] })
  const [receipt] = await receiptsOf(alice, id)
  if (!receipt) throw new Error('The order has a receipt')
  await computePlans(db, alice)
  const advice = async () => (await read<Overstock>(alice, 'overstock')).find((row) => numberOf(row) === 1)
  t.match(await advice(), {
    pieces: 150,
    action: 'return',
    quantity: 50,
    receiptId: receipt.id,
    supplierId,
    supplierName: 'Acme',
  })
  await makeReturn(alice, { supplierId, receiptId: receipt.id, lines: [returned(1, 20)] })
  t.match(await advice(), { action: 'return', quantity: 30 })
  await db.query(sql.typeAlias('void')`
    update receipt set posted_at = now() - interval '91 days' where shop_id = ${alice.shopId}
  `)
  t.match(await advice(), { action: 'mark_down', quantity: 150, receiptId: null, supplierId: null })
})

t.test('another location that is low gets the pieces', async (t) => {
  const { db, alice } = await start(t)
  await makeRule(alice, { locationId: locationGid(2), reorderPoint: 12, reorderQuantity: 8 })
  await makeRule(alice, { locationId: locationGid(1), reorderPoint: 95, reorderQuantity: 8 })
  await computePlans(db, alice)
  const [row] = (await read<Overstock>(alice, 'overstock')).filter((each) => numberOf(each) === 1)
  // it lacks 12, and the source can spare 5
  t.match(row, {
    action: 'transfer',
    quantity: 5,
    sourceLocationId: locationGid(1),
    destinationLocationId: locationGid(2),
    destinationLocationName: 'Place 2',
  })
})

t.test('lost sales are the days without stock at the speed of the others, most revenue first', async (t) => {
  const { db, alice, mallory } = await start(t)
  await setPrice(db, alice, 1, { price: 10 })
  await setPrice(db, alice, 2, { price: 100 })
  await setPrice(db, alice, 3, {})
  // ten days without stock; 40 sold on the other 20 of 30 days
  const days = (units: number) => [
    ...Array.from({ length: 10 }, (_, at) => ({ daysAgo: at + 1, units: 0 })),
    { daysAgo: 20, units },
  ]
  await setDemandDays(db, alice, 1, days(40))
  await setDemandDays(db, alice, 2, days(20))
  await setDemandDays(db, alice, 3, days(20))
  await computePlans(db, alice)
  const rows = await read<LostSale>(alice, 'lost-sales?period=30d')
  t.strictSame(
    rows.map((row) => [
      numberOf(row),
      row.daysWithoutStock,
      row.daysKnown,
      row.soldUnits,
      row.lostUnits,
      row.lostRevenue,
    ]),
    [
      [2, 10, 30, 20, 10, 1000],
      [1, 10, 30, 40, 20, 200],
      [3, 10, 30, 20, 10, null],
    ],
  )
  // 40 on 80 of 90 days in stock, 0.5 a day
  const [, second] = await read<LostSale>(alice, 'lost-sales')
  t.match(second, { variantId: variantGid(1), lostUnits: 5, lostRevenue: 50, daysKnown: 90 })
  t.strictSame(await read(mallory, 'lost-sales'), [], 'another shop has its own')
  const first = await alice.get('/api/reports/lost-sales?period=30d&limit=2')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame((await alice.get(next)).json().data.map(numberOf), [3])
  const found = (await alice.get('/api/reports/lost-sales?period=30d&search=size%201&count=true')).json()
  t.strictSame(found.data.map(numberOf), [1])
  t.strictSame(found.meta, { total: 1, isExact: true })
  expectFailure(t, await alice.get('/api/reports/lost-sales?period=7d'), 400, 'invalid_request')
  const csv = (await alice.get('/api/reports/lost-sales?period=30d', { accept: 'text/csv' })).body
  t.match(
    csv.split('\n')[0],
    'Days without stock,Days of known sales,Sold units,Lost units,Lost revenue (USD)',
  )
})

t.test('a week with a forecast of its own counts what that expected', async (t) => {
  const { db, alice } = await start(t)
  await setPrice(db, alice, 1, { price: 10 })
  await setDemandDays(db, alice, 1, [
    { daysAgo: 10, units: 0 },
    { daysAgo: 20, units: 29 },
  ])
  // 84 in four weeks are 3 a day
  await db.query(sql.typeAlias('void')`
    insert into forecast_week (shop_id, variant_id, week, units)
    select shop_id, id, date_trunc('week', (now() at time zone 'UTC')::date - 10)::date, 84
    from variant where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  await computePlans(db, alice)
  t.match(await read(alice, 'lost-sales?period=30d'), [
    { daysWithoutStock: 1, lostUnits: 3, lostRevenue: 30 },
  ])
})
