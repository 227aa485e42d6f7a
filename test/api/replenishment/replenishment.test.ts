import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import { line, makeOrder, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { setPlaceForecast } from '../../support/make/planning.ts'
import { makeRule, setVelocity } from '../../support/make/reorder.ts'
import {
  listReplenishment,
  setDemandDays,
  setForecast,
  setRolledUp,
} from '../../support/make/replenishment.ts'
import {
  item,
  locationGid,
  makeStock,
  makeTransfer,
  markVariant,
  variantGid,
} from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

/** 10 units of each of three variants at one location; alice's supplier delivers in 14 days. */
async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3 })
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  return { ...people, supplierId }
}

const sell = (person: Person, supplierId: number, number: number, fields = {}) =>
  makeSupplierProduct(person, {
    ...{ supplierId, variantId: variantGid(number), supplierSku: `N-${number}` },
    ...fields,
  })

/** An order of 100 of variant 1 that was sent and is expected in a number of days. */
const makeIncoming = (person: Person, supplierId: number, days: number) =>
  makeSentOrder(person, {
    supplierId,
    lineItems: [line(1, { quantity: 100 })],
    expectedAt: `${dayFromToday(days)}T12:00:00Z`,
  })

t.test('a row has the numbers of the formula in packs, and explains them', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1, { packSize: 12, prices: [{ price: 2.5 }] })
  await setForecast(db, alice, 1, { standardError: 2 })
  // L = 14 days = 2 weeks, R = 7 days = 1 week, cover 30 days: 44 days at 1 a day = 44
  // SS = 1.6449 · √(3 · 2²) = 1.6449 · 3.4641 = 5.698
  // 44 + 5.698 - 10 = 39.698, so 40, and 4 packs of 12 = 48, at 2.50: 120
  // 10 pieces last for day 0 to 9, so the gap is on day 10; minus 14 days it was to order 4 days ago
  t.strictSame(await listReplenishment(alice, '?days=30'), [
    {
      variantId: variantGid(1),
      sku: 'SKU-1',
      title: 'Mug 1 - Size 1',
      supplierId,
      supplierName: 'Acme',
      onHand: 10,
      inTimePosition: 10,
      lateOnOrder: 0,
      forecastUnits: 44,
      safetyStock: 5.7,
      suggestedQuantity: 48,
      roundedUpBy: 8,
      packs: 4,
      unitCost: 2.5,
      lineTotal: 120,
      breaks: [{ minQuantity: 1, price: 2.5 }],
      method: 'seasonal_mean',
      wape: 0.18,
      gapOn: dayFromToday(10),
      gapUntil: null,
      arrivingInGap: 0,
      explanation:
        'Sells 7 a week (seasonal, off by 18 % lately), arrives in 14 days, 10 left: order 48 (4 packs of 12) now.',
      confidence: 'normal',
      productId: gidOf('Product', 1),
      currency: 'USD',
      inDraft: 0,
      packSize: 12,
      quantityMultiple: 1,
      minimumQuantity: null,
      leadTimeDays: 14,
      orderBy: dayFromToday(-4),
      supplierMinimumValue: null,
      supplierMinimumQuantity: null,
    },
  ])
})

t.test('the total of a row is rounded as that of its draft', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1, { packSize: 9, prices: [{ price: 1.001 }] })
  await setForecast(db, alice, 1, { standardError: 2 })
  const [row] = await listReplenishment(alice, '?days=30')
  const order = await makeOrder(alice, {
    ...{ supplierId },
    lineItems: [line(1, { quantity: 45, costPrice: 1.001 })],
  })
  t.match(row, { suggestedQuantity: 45, lineTotal: order.total })
})

t.test(
  'an order twenty days after the stock is sold out is shown as late and does not silence the row',
  async (t) => {
    const { db, alice, supplierId } = await start(t)
    await sell(alice, supplierId, 1, { prices: [{ price: 1 }] })
    await setForecast(db, alice, 1)
    await makeIncoming(alice, supplierId, 30)
    // sold out after 10 days; the 100 arrive 20 days later, a new order after 14 days: 44 - 10 = 34
    const [row] = await listReplenishment(alice, '?days=30')
    t.match(row, {
      onHand: 10,
      inTimePosition: 10,
      lateOnOrder: 100,
      suggestedQuantity: 34,
      gapOn: dayFromToday(10),
    })
    t.match(
      row?.explanation,
      /10 left, 100 on order arrive on .+, 20 days after it is sold out: order 34 now\.$/,
    )
  },
)

t.test('an order counts when it arrives by the day of the gap, or before a new order could', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  const { id } = await makeIncoming(alice, supplierId, 10)
  // day 10 starts without stock, and the 100 arrive on it: no gap, 110 pieces are more than 44
  t.strictSame(await listReplenishment(alice, '?days=30'), [])
  await alice.put(`/api/purchase-orders/${id}`, { expectedAt: `${dayFromToday(12)}T12:00:00Z` })
  // sold out on the days 10 and 11; a new order would arrive on day 14, so buying does not help
  const [row] = await listReplenishment(alice, '?days=30')
  t.match(row, {
    inTimePosition: 110,
    lateOnOrder: 0,
    suggestedQuantity: 0,
    gapOn: dayFromToday(10),
    gapUntil: dayFromToday(12),
    arrivingInGap: 100,
    lineTotal: 0,
  })
  t.match(
    row?.explanation,
    /10 left and 100 arriving 2 days after it is sold out: sold out on .+ until .+, ask for the order on its way earlier\.$/,
  )
})

t.test('an overdue order is expected tomorrow', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  await makeIncoming(alice, supplierId, -20)
  // 10 + 100 in time; 14 + 120 days at 1 a day = 134: 24 to order
  t.match(await listReplenishment(alice, '?days=120'), [
    { inTimePosition: 110, lateOnOrder: 0, suggestedQuantity: 24 },
  ])
})

t.test('packs, multiple and minimum of the supplier round up', async (t) => {
  const { db, alice, supplierId } = await start(t)
  // each needs 14 + 30 - 10 = 34
  const packagings = [
    { packSize: 6, quantityMultiple: 4 }, // lcm 12: 36
    { minimumQuantity: 50 }, // 50
    { packSize: 20, minimumQuantity: 50 }, // 60
  ]
  for (const [at, packaging] of packagings.entries()) {
    await sell(alice, supplierId, at + 1, packaging)
    await setForecast(db, alice, at + 1)
  }
  const rows = await listReplenishment(alice, '?days=30')
  t.match(
    rows.map(({ suggestedQuantity, packs }) => [suggestedQuantity, packs]),
    [
      [36, 6],
      [50, 50],
      [60, 3],
    ],
  )
})

t.test('the basis is past days without those that had no stock, or last year, with growth', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  const days = Array.from({ length: 25 }, (_, at) => ({ daysAgo: at + 1, units: 2 }))
  const empty = [26, 27, 28, 29, 30].map((daysAgo) => ({ daysAgo, units: 0 }))
  // the days 364 to 358 before today are the first week ahead, the next ones the second week
  const lastYear = [
    { daysAgo: 364, units: 21 },
    { daysAgo: 357, units: 70 },
  ]
  await setRolledUp(db, alice)
  await setDemandDays(db, alice, 1, [...days, ...empty, ...lastYear])
  const read = async (query: string) => {
    const [row] = await listReplenishment(alice, `?days=30&${query}`)
    return [row?.forecastUnits, row?.method, row?.suggestedQuantity]
  }
  // 50 units on 25 days with stock: 2 a day for 44 days = 88, minus 10 and with the forecast's error of 0: 78
  t.strictSame(await read('basis=30d'), [88, '30d', 78])
  // 88 · 1.25 = 110
  t.strictSame(await read('basis=30d&growth=25'), [110, '30d', 100])
  // 50 on 55 of 60 days: 0.909 · 44 = 40
  t.strictSame(await read('basis=60d'), [40, '60d', 30])
  // 21 + 70 in the first two of 6.3 weeks
  t.strictSame(await read('basis=last_year'), [91, 'last_year', 81])
  t.strictSame(await read('basis=last_year&growth=-50'), [45.5, 'last_year', 36])
  t.strictSame(await read('basis=forecast'), [44, 'seasonal_mean', 34])
})

t.test('without a forecast, 30 days are the basis and the confidence is low', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setVelocity(db, alice, 1, 60)
  await setRolledUp(db, alice)
  await setDemandDays(db, alice, 1, [{ daysAgo: 3, units: 60 }])
  // 60 on 30 days: 2 a day for 14 + 7 days = 42; without a forecast √14 a week; class C, 90 %: 1.2816 · √(3 · 14) = 8.3
  t.match(await listReplenishment(alice), [
    {
      confidence: 'low',
      method: '30d',
      wape: null,
      forecastUnits: 42,
      safetyStock: 8.3,
      suggestedQuantity: 41,
    },
  ])
})

t.test('before the first roll-up of demand, the sales of 30 or 90 days count', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setVelocity(db, alice, 1, 60)
  await db.query(sql.typeAlias('void')`
    update variant_velocity set units_90d = 90 where shop_id = ${alice.shopId}
  `)
  const read = async (query: string) => {
    const [row] = await listReplenishment(alice, `?${query}`)
    return [row?.forecastUnits, row?.suggestedQuantity]
  }
  // 2 a day for 21 days, with the safety stock of √14 a week, as above
  t.strictSame(await read('basis=forecast'), [42, 41])
  t.strictSame(await read('basis=30d'), [42, 41])
  t.strictSame(await read(`locationId=${locationGid(1)}`), [42, 41], 'a location has them, too')
  // 1 a day; 1.2816 · √(3 · 7) = 5.9
  t.strictSame(await read('basis=60d'), [21, 17])
  t.strictSame(await read('basis=90d'), [21, 17])
  // those of last year are not known
  t.strictSame(await read('basis=last_year'), [42, 41])
  const { id } = await makeOrder(alice, { supplierId, lineItems: [line(2, { quantity: 1 })] })
  const filled = await alice.post(`/api/purchase-orders/${id}/suggest`, { mode: 'add' })
  t.match(filled.json().data, { added: 1 }, filled.body)
})

t.test('the confidence is low without a measured error or lead time', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await sell(alice, await makeSupplier(alice, { name: 'Bolt' }), 2)
  await setForecast(db, alice, 1, { wape: null })
  await setForecast(db, alice, 2)
  const rows = await listReplenishment(alice)
  t.match(rows, [
    { confidence: 'low', wape: null },
    { confidence: 'low', wape: 0.18, leadTimeDays: 14 },
  ])
  t.match(rows[1]?.explanation, /is assumed to arrive in 14 days/)
})

t.test("a person's number is explained as such, and is sure", async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  await alice.put('/api/variants/1/forecast', { unitsPerWeek: 14 })
  const [row] = await listReplenishment(alice)
  t.match(row, { method: 'manual', wape: null, confidence: 'normal' })
  t.match(row?.explanation, /^Sells 14 a week \(entered by hand\), arrives in 14 days, 10 left: /)
})

t.test('review days and service level are those of the rule', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1, { standardError: 2 })
  await makeRule(alice, { supplierId, mode: 'auto', serviceLevel: 98, reviewDays: 14 })
  // L + R = 28 days = 4 weeks: 28 units; SS = 2.0537 · √(4 · 4) = 8.2
  t.match(await listReplenishment(alice, '?days=3'), [
    { supplierId, forecastUnits: 28, safetyStock: 8.2, suggestedQuantity: 27 },
  ])
})

t.test(
  'transfers count as stock, drafts do not, and deleted and untracked variants are left out',
  async (t) => {
    const { db, alice, supplierId } = await start(t)
    await makeStock(db, alice, { variants: 3, locations: 2 })
    for (const number of [1, 2, 3]) {
      await sell(alice, supplierId, number)
      await setForecast(db, alice, number)
    }
    await markVariant(db, alice, 2, 'untracked')
    await markVariant(db, alice, 3, 'deleted')
    const transferId = await makeTransfer(alice, { items: [item(1, 4)] })
    await alice.put(`/api/stock-transfers/${transferId}`, { status: 'in_transit' })
    await makeOrder(alice, { supplierId, lineItems: [line(1, { quantity: 5 })] })
    // 20 at two locations, of which 4 are in transit
    t.match(await listReplenishment(alice, '?days=30'), [
      { variantId: variantGid(1), onHand: 16, inTimePosition: 20, inDraft: 5, suggestedQuantity: 24 },
    ])
    // 8 a day: sold out on the third day, and the 4 arrive on the next one, as in the report of gaps
    await setForecast(db, alice, 1, { units: [56] })
    t.match(await listReplenishment(alice), [
      { gapOn: dayFromToday(2), gapUntil: null, arrivingInGap: 4, inTimePosition: 20 },
    ])
  },
)

t.test('the list has pages, a filter by supplier and CSV', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const other = await makeSupplier(alice, { name: 'Bolt', leadTimeDays: 14 })
  await sell(alice, supplierId, 1)
  await sell(alice, other, 2)
  // both sell the third one; the second supplier is preferred
  await sell(alice, supplierId, 3, { rank: 2 })
  await sell(alice, other, 3, { rank: 1 })
  for (const number of [1, 2, 3]) await setForecast(db, alice, number)
  const ids = async (query: string) =>
    (await listReplenishment(alice, query)).map(({ variantId }) => variantId)
  t.strictSame(await ids('?days=30'), [variantGid(1), variantGid(2), variantGid(3)])
  t.strictSame(await ids(`?days=30&supplierId=${supplierId}`), [variantGid(1)])
  t.strictSame(await ids(`?days=30&supplierId=${other}`), [variantGid(2), variantGid(3)])
  const seen: string[] = []
  for (let next: string | undefined = '/api/replenishment?days=30&limit=1'; next !== undefined; ) {
    const response = await alice.get(next)
    seen.push(...response.json().data.map(({ variantId }: { variantId: string }) => variantId))
    next = /<(.+)>/.exec(String(response.headers.link ?? ''))?.[1]
  }
  t.strictSame(seen, [variantGid(1), variantGid(2), variantGid(3)])
  const csv = await alice.get('/api/replenishment?days=30', { accept: 'text/csv' })
  t.match(csv.headers['content-type'], /text\/csv/)
  t.match(csv.body, /^\uFEFFSKU,Product,Supplier,Suggested quantity,/)
  t.equal(csv.body.trim().split(/\r?\n/).length, 4)
})

t.test('a variant without a supplier is listed without a cost', async (t) => {
  const { db, alice } = await start(t)
  await setForecast(db, alice, 1)
  t.match(await listReplenishment(alice, '?days=30'), [
    { supplierId: null, supplierName: null, unitCost: null, lineTotal: null, confidence: 'low' },
  ])
})

t.test('another shop sees nothing of it', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  t.strictSame(await listReplenishment(mallory, '?days=30'), [])
  t.strictSame(await listReplenishment(mallory, `?days=30&supplierId=${supplierId}`), [])
})

t.test('bad input names the field and the rule', async (t) => {
  const { alice } = await start(t)
  for (const [query, path] of [
    ['days=0', '/days'],
    ['days=366', '/days'],
    ['days=1.5', '/days'],
    ['basis=7d', '/basis'],
    ['growth=-91', '/growth'],
    ['growth=many', '/growth'],
    ['supplierId=0', '/supplierId'],
    ['limit=251', '/limit'],
    ['locationId=1', '/locationId'],
  ] as const) {
    const response = await alice.get(`/api/replenishment?${query}`)
    expectFailure(t, response, 400, 'invalid_request')
    t.equal(response.json().error.details[0].path, path, query)
  }
})

const chosen = (supplierId: number, number: number, quantity: number, fields = {}) => ({
  variantId: variantGid(number),
  supplierId,
  quantity,
  ...fields,
})

t.test('chosen rows become one draft per supplier and destination, with edited quantities', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const other = await makeSupplier(alice, { name: 'Bolt' })
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await sell(alice, supplierId, 1, { packSize: 6, prices: [{ price: 2 }, { minQuantity: 24, price: 1.5 }] })
  const response = await alice.post('/api/replenishment/orders', {
    items: [
      chosen(supplierId, 1, 24, { roundedUpBy: 4 }),
      chosen(other, 2, 5, { costPrice: 3.25 }),
      chosen(supplierId, 3, 7, { costPrice: 1 }),
      chosen(supplierId, 3, 2, { costPrice: 1, destinationLocationId: locationGid(2) }),
    ],
  })
  t.equal(response.statusCode, 201, response.body)
  const { purchaseOrders } = response.json().data
  // 24 · 1.50 + 7 · 1 = 43; 5 · 3.25 = 16.25; 2 · 1 = 2
  t.match(purchaseOrders, [
    { supplierId, supplierName: 'Acme', total: 43, lineItemCount: 2, destinationLocationName: null },
    { supplierId: other, supplierName: 'Bolt', total: 16.25, lineItemCount: 1 },
    { supplierId, total: 2, destinationLocationName: 'Place 2' },
  ])
  const { data } = (await alice.get(`/api/purchase-orders/${purchaseOrders[0].id}`)).json()
  t.match(data, {
    status: 'draft',
    lineItems: [
      { quantity: 24, packs: 4, packSize: 6, supplierSku: 'N-1', costPrice: 1.5, roundedUpBy: 4 },
      { quantity: 7, roundedUpBy: 0 },
    ],
  })
})

t.test('drafts are refused for unknown records, of another shop too, and none is made', async (t) => {
  const { alice, mallory, supplierId } = await start(t)
  const refused = async (person: Person, items: object[], code: string, path: string) => {
    const response = await person.post('/api/replenishment/orders', { items })
    expectFailure(t, response, code === 'invalid_request' ? 400 : 422, code)
    t.equal(response.json().error.details[0].path, path)
  }
  const good = chosen(supplierId, 1, 5)
  await refused(mallory, [good], 'unknown_supplier', '/items/0/supplierId')
  await refused(alice, [good, chosen(supplierId, 9, 5)], 'unknown_variant', '/items/1/variantId')
  await refused(alice, [good, good], 'duplicate_item', '/items/1/variantId')
  const elsewhere = { ...good, destinationLocationId: locationGid(9) }
  await refused(alice, [elsewhere], 'unknown_location', '/items/0/destinationLocationId')
  await refused(alice, [{ ...good, quantity: 0 }], 'invalid_request', '/items/0/quantity')
  await refused(alice, [{ ...good, roundedUpBy: 5 }], 'invalid_request', '/items/0/roundedUpBy')
  await refused(alice, [], 'invalid_request', '/items')
  t.strictSame((await alice.get('/api/purchase-orders')).json().data, [])
})

t.test('the filter by location has its stock, its demand and what arrives there', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1, { units: [28], standardError: 4 })
  // 30 of 40 pieces were sold at the first location
  await setRolledUp(db, alice)
  await setDemandDays(db, alice, 1, [{ daysAgo: 1, units: 30 }])
  await db.query(sql.typeAlias('void')`
    insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock)
    select d.shop_id, d.variant_id, w.id, d.day - 1, 10, true
    from demand_day d
    join location w on w.shop_id = d.shop_id and w.gid = ${locationGid(2)}
    where d.shop_id = ${alice.shopId}
  `)
  await makeSentOrder(alice, {
    supplierId,
    lineItems: [line(1, { quantity: 5 })],
    expectedAt: `${dayFromToday(3)}T12:00:00Z`,
  })
  const at = (number: number) =>
    listReplenishment(alice, `?days=30&locationId=${encodeURIComponent(locationGid(number))}`)
  // the first: 21 a week, 3 a day · 44 = 132; SS = 1.6449 · √(3 · 4² · 0.75) = 9.9; 10 + 5 in time
  t.match(await at(1), [
    { onHand: 10, inTimePosition: 15, forecastUnits: 132, safetyStock: 9.9, suggestedQuantity: 127 },
  ])
  // the second: 7 a week, 44; SS = 1.6449 · √(3 · 4² · 0.25) = 5.7; 44 + 5.7 - 10 = 39.7
  t.match(await at(2), [
    { onHand: 10, inTimePosition: 10, forecastUnits: 44, safetyStock: 5.7, suggestedQuantity: 40 },
  ])
  t.match(await listReplenishment(alice, '?days=30'), [
    { onHand: 20, inTimePosition: 25, forecastUnits: 176 },
  ])
  // a rule of the location has its own maximum
  await makeRule(alice, {
    locationId: locationGid(2),
    reorderPoint: 5,
    reorderQuantity: 5,
    maxLevel: 30,
    supplierId,
  })
  t.match(await at(2), [{ suggestedQuantity: 20 }])
  t.match(await at(1), [{ suggestedQuantity: 127 }])
  t.strictSame(await at(9), [], 'not a location of this shop')
  t.strictSame(
    await listReplenishment(mallory, `?locationId=${encodeURIComponent(locationGid(1))}`),
    [],
    'of another shop nothing',
  )
})

t.test('with a location, only the drafts that arrive there are in a draft', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  for (const number of [1, 2]) {
    await makeRule(alice, { locationId: locationGid(number), supplierId })
    await setPlaceForecast(db, alice, { variant: 1, location: number, perWeek: 7 })
  }
  const draft = (quantity: number, destinationLocationId: string | null) =>
    makeOrder(alice, { supplierId, lineItems: [line(1, { quantity })], destinationLocationId })
  await draft(40, locationGid(2))
  // without a destination it arrives at the primary location, the first
  await draft(3, null)
  const inDraft = async (query: string) =>
    (await listReplenishment(alice, `?days=30${query}`)).map((row) => row.inDraft)
  const at = (number: number) => inDraft(`&locationId=${encodeURIComponent(locationGid(number))}`)
  t.strictSame(await at(1), [3])
  t.strictSame(await at(2), [40])
  t.strictSame(await inDraft(''), [43])
})

t.test('the forecast of a location counts while it is current and a rule names the location', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await sell(alice, supplierId, 1)
  await setForecast(db, alice, 1)
  await setRolledUp(db, alice)
  await setDemandDays(db, alice, 1, [{ daysAgo: 1, units: 9 }])
  await setPlaceForecast(db, alice, { variant: 1, location: 2, perWeek: 70 })
  const makePlaceRule = () => makeRule(alice, { locationId: locationGid(2), supplierId })
  const units = async () => {
    const at = `?days=30&locationId=${encodeURIComponent(locationGid(2))}`
    return (await listReplenishment(alice, at)).map(({ forecastUnits }) => forecastUnits)
  }
  const id = await makePlaceRule()
  // 10 a day for 14 + 30 days
  t.strictSame(await units(), [440])
  // the second location sold none of the 9 pieces, so its part of 7 a week is 0
  await alice.delete(`/api/reorder/rules/${id}`)
  t.strictSame(await units(), [], 'the rule was deleted')
  const moved = await makePlaceRule()
  t.strictSame(await units(), [440])
  await alice.put(`/api/reorder/rules/${moved}`, { locationId: locationGid(1) })
  t.strictSame(await units(), [], 'the rule was moved')
  await makePlaceRule()
  await db.query(sql.typeAlias('void')`
    update variant_forecast set week = week - 14 where shop_id = ${alice.shopId} and location_id is not null
  `)
  t.strictSame(await units(), [], 'it is two weeks old')
})

t.test("a location's rule without a supplier has that of the rule for all locations", async (t) => {
  const { db, alice, supplierId } = await start(t)
  await sell(alice, supplierId, 1)
  const other = await makeSupplier(alice, { name: 'Bolt', leadTimeDays: 14 })
  await setForecast(db, alice, 1)
  const suppliers = async () => {
    const at = `?days=30&locationId=${encodeURIComponent(locationGid(1))}`
    const all = (await listReplenishment(alice, at)).map((row) => row.supplierId)
    const filtered = await listReplenishment(alice, `${at}&supplierId=${all[0]}`)
    t.equal(filtered.length, 1, 'the filter by it lists the row')
    return all
  }
  await setPlaceForecast(db, alice, { variant: 1, location: 1, perWeek: 7 })
  const atLocation = await makeRule(alice, { locationId: locationGid(1) })
  t.strictSame(await suppliers(), [supplierId], 'the preferred one')
  await makeRule(alice, { supplierId: other })
  t.strictSame(await suppliers(), [other])
  await alice.put(`/api/reorder/rules/${atLocation}`, { supplierId })
  t.strictSame(await suppliers(), [supplierId], 'the rule of the location names one')
})
