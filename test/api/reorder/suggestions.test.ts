import { Type } from '@sinclair/typebox'
import pg from 'pg'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  readOrder,
  receive,
} from '../../support/make/orders.ts'
import { listRules, listSuggestions, makeRule, setVelocity } from '../../support/make/reorder.ts'
import { setDemandDays } from '../../support/make/replenishment.ts'
import { setTimeZone } from '../../support/make/sales.ts'
import {
  item,
  locationGid,
  makeStock,
  makeTransfer,
  markVariant,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

useOwnDatabase()

/** Both shops have three variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 3, locations: 2 })
  }
  return people
}

/** The day after the given number of days from today in the shop: as in the API, and as in an explanation. */
function dayOf(days: number, timeZone = 'UTC') {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
  const at = new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000)
  const isThisYear = String(at.getUTCFullYear()) === today.slice(0, 4)
  const text = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(at)
  return { day: at.toISOString().slice(0, 10), text: isThisYear ? text.replace(/ \d{4}$/, '') : text }
}

t.test('a suggestion has the fields of the specification and explains its numbers', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  const ruleId = await makeRule(alice, { reorderPoint: 44, reorderQuantity: 18, supplierId })
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { quantity: 24 })] })
  await setVelocity(db, alice, 1, 66)
  const [stockout, covered, orderBy] = [dayOf(9), dayOf(20), dayOf(6)]
  t.strictSame(await listSuggestions(alice), [
    {
      variantId: variantGid(1),
      sku: 'SKU-1',
      title: 'Mug 1 - Size 1',
      currentStock: 20,
      reorderPoint: 44,
      reorderQuantity: 18,
      supplierId,
      supplierName: 'Acme',
      productId: gidOf('Product', 1),
      ruleId,
      locationId: null,
      locationName: null,
      onOrder: 24,
      inTransit: 0,
      position: 44,
      suggestedQuantity: 18,
      inDraft: 0,
      drafts: [],
      avgDailySales: 2.2,
      leadTimeDays: 14,
      stockoutDate: stockout.day,
      orderByDate: orderBy.day,
      supplierSku: '',
      packSize: 1,
      unitCost: 1,
      currency: 'USD',
      roundedUpBy: 0,
      explanation: `20 available + 24 on order = 44, at or below 44: order 18, the usual quantity; sold out from ${stockout.text} to ${dayOf(14).text}, when 24 arrive; sells 2.2 a day (mean of 30 days), arrives in 14 days: lasts until ${stockout.text}, with incoming stock until ${covered.text}, order by ${orderBy.text}.`,
      method: '30d',
      wape: null,
      // 24 on order arrive on day 14, with what is ordered now
      gapOn: stockout.day,
      gapUntil: dayOf(14).day,
      arrivingInGap: 24,
      lateOnOrder: 0,
      inTimePosition: 44,
      confidence: 'low',
    },
  ])
})

t.test('there is a suggestion for each rule at or below its reorder point and for no other', async (t) => {
  const { db, alice, mallory } = await start(t)
  await makeRule(alice, { reorderPoint: 20 })
  await makeRule(alice, { reorderPoint: 19, variantId: variantGid(2) })
  await makeRule(mallory)
  const suggested = async () => (await listSuggestions(alice)).map(({ variantId }) => variantId)
  t.strictSame(await suggested(), [variantGid(1)])
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 1 })
  t.strictSame(await suggested(), [variantGid(2), variantGid(1)])
  await takeStock(db, alice, { variant: 2, location: 1, quantity: -1 })
  t.strictSame(await suggested(), [variantGid(1)])
  for (const how of ['untracked', 'deleted'] as const) {
    await markVariant(db, alice, 1, how)
    t.strictSame(await suggested(), [], how)
  }
  await markVariant(db, alice, 1, 'counted')
  t.strictSame(await suggested(), [variantGid(1)])
})

t.test('an automatic rule leads to a suggestion after its computation', async (t) => {
  const { db, alice } = await start(t)
  await makeStock(db, alice, { variants: 4, available: 0 })
  const supplierId = await makeSupplier(alice)
  const variantId = variantGid(4)
  const answer = await alice.post('/api/reorder/rules/bulk', {
    rules: [{ variantId, mode: 'auto', supplierId }],
  })
  t.equal(answer.statusCode, 200, answer.body)
  t.strictSame(await listSuggestions(alice), [])
  const drafted = async () => (await alice.post('/api/reorder/purchase-orders')).json().data
  t.strictSame(await drafted(), { purchaseOrders: [], skipped: [] })
  const [{ id = 0 } = {}] = await listRules(alice)
  await alice.put(`/api/reorder/rules/${id}`, { serviceLevel: 90 })
  t.match(await listSuggestions(alice), [{ variantId, suggestedQuantity: 1 }])
  t.match(await drafted(), { purchaseOrders: [{ lineItemCount: 1 }] })
})

t.test('outstanding units count as on order; received, cancelled and closed ones do not', async (t) => {
  const { alice } = await start(t)
  await makeRule(alice, { reorderPoint: 40, reorderQuantity: 5 })
  const lineItems = [line(1, { quantity: 3 }), line(1, { quantity: 4 }), line(2, { quantity: 100 })]
  for (const status of ['draft', 'sent', 'partial', 'received', 'cancelled'] as const) {
    await makeOrderIn(alice, status, { lineItems })
  }
  const closed = await makeOrderIn(alice, 'partial', { lineItems })
  await alice.post(`/api/purchase-orders/${closed.id}/close`)
  // On hand: 20 + 1 + 7 + 1 received. On order: 7 of the sent order and 6 of the partial one.
  t.match(await listSuggestions(alice), [
    { currentStock: 29, onOrder: 13, position: 42, suggestedQuantity: 0, inDraft: 7 },
  ])
})

t.test('an over-receipt of one line does not reduce the outstanding units of another', async (t) => {
  const { alice } = await start(t)
  await makeRule(alice, { reorderPoint: 100, reorderQuantity: 5 })
  const { id } = await makeSentOrder(alice, {
    lineItems: [line(1, { quantity: 3 }), line(1, { quantity: 4 })],
  })
  await receive(alice, id, [9], { allowOverReceipt: true })
  t.match(await listSuggestions(alice), [
    // 33 + 14 · 5 = 103 is the first above 100
    { currentStock: 29, onOrder: 4, position: 33, suggestedQuantity: 70 },
  ])
})

t.test('a suggestion is so many times the reorder quantity that it is above the reorder point', async (t) => {
  const { alice } = await start(t)
  for (const [reorderPoint, reorderQuantity, suggestedQuantity, explanation] of [
    [20, 50, 50, /: order 50, the usual quantity; /],
    [69, 50, 50, /: order 50, the usual quantity; /],
    // 20 + 50 = 70 would be at the point, and suggested again
    [70, 50, 100, /: order 100, 2 × the usual 50 to get above 70; /],
    [1_000_000_000, 1, 999_999_981, /: order 999999981, 999999981 × the usual 1 to get above 1000000000; /],
  ] as const) {
    const [existing] = await listRules(alice)
    const fields = { reorderPoint, reorderQuantity }
    if (existing) await alice.put(`/api/reorder/rules/${existing.id}`, fields)
    else await makeRule(alice, fields)
    t.match(await listSuggestions(alice), [{ suggestedQuantity, explanation }])
  }
})

t.test('what was ordered as suggested is not suggested again', async (t) => {
  const { alice } = await start(t)
  for (const [number, reorderPoint, reorderQuantity] of [
    [1, 68, 50],
    [2, 20, 1],
    [3, 120, 30],
  ] as const) {
    await makeRule(alice, { variantId: variantGid(number), reorderPoint, reorderQuantity })
  }
  const suggested = await listSuggestions(alice)
  // 20 + 50 > 68; 20 + 1 > 20; 20 + 4 · 30 = 140 > 120
  t.strictSame(
    suggested.map(({ suggestedQuantity }) => suggestedQuantity).toSorted((a, b) => a - b),
    [1, 50, 120],
  )
  await makeSentOrder(alice, {
    lineItems: suggested.map(({ variantId, suggestedQuantity }) =>
      line(Number(variantId.split('/').at(-1)), { quantity: suggestedQuantity }),
    ),
  })
  t.strictSame(
    (await listSuggestions(alice)).map(({ suggestedQuantity }) => suggestedQuantity),
    [0, 0, 0],
  )
})

t.test('a rule of one location counts the orders and transfers to that location', async (t) => {
  const { alice } = await start(t)
  await makeRule(alice, { reorderPoint: 100, locationId: locationGid(1) })
  await makeRule(alice, { reorderPoint: 100, locationId: locationGid(2) })
  await makeRule(alice, { reorderPoint: 100 })
  const order = (quantity: number, fields: object = {}) =>
    makeSentOrder(alice, { lineItems: [line(1, { quantity })], ...fields })
  await order(3)
  await order(5, { destinationLocationId: locationGid(2) })
  await makeOrder(alice, { lineItems: [line(1, { quantity: 7 })], destinationLocationId: locationGid(2) })
  await makeOrder(alice, { lineItems: [line(1, { quantity: 8 })] })
  const inTransit = await makeTransfer(alice, { items: [item(1, 2), item(1, 1), item(2, 9)] })
  await alice.put(`/api/stock-transfers/${inTransit}`, { status: 'in_transit' })
  await makeTransfer(alice, { items: [item(1, 1)] })
  const completed = await makeTransfer(alice, { items: [item(1, 1)] })
  await alice.put(`/api/stock-transfers/${completed}`, { status: 'completed' })
  t.match(await listSuggestions(alice), [
    { locationId: null, currentStock: 17, onOrder: 8, inTransit: 3, position: 28, inDraft: 15 },
    { locationId: locationGid(2), currentStock: 11, onOrder: 5, inTransit: 3, position: 19, inDraft: 7 },
    { locationName: 'Place 1', currentStock: 6, onOrder: 3, inTransit: 0, position: 9, inDraft: 8 },
  ])
})

t.test(
  'the explanation names units on order, in transit and in drafts, and an assumed lead time',
  async (t) => {
    const { db, alice } = await start(t)
    const explanation = async () => (await listSuggestions(alice))[0]?.explanation
    await makeRule(alice, { reorderPoint: 25, reorderQuantity: 9 })
    t.equal(
      await explanation(),
      '20 available, at or below 25: order 9, the usual quantity; nothing was sold in 30 days.',
    )

    await setVelocity(db, alice, 1, 60)
    const { text } = dayOf(10)
    const pace = `sells 2 a day (mean of 30 days), is assumed to arrive in 14 days: lasts until ${text}, order now.`
    t.equal(await explanation(), `20 available, at or below 25: order 9, the usual quantity; ${pace}`)

    const first = await makeOrder(alice, { lineItems: [line(1, { quantity: 1 })] })
    t.match(await explanation(), new RegExp(` 1 is in draft ${first.poNumber} already\\.$`))
    const second = await makeOrder(alice, { lineItems: [line(1, { quantity: 17 })] })
    const both = ` 18 are in drafts ${first.poNumber} and ${second.poNumber} already.`
    t.equal(await explanation(), `20 available, at or below 25: order 9, the usual quantity; ${pace}${both}`)

    const transfer = await makeTransfer(alice, { items: [item(1, 4)] })
    await alice.put(`/api/stock-transfers/${transfer}`, { status: 'in_transit' })
    t.match(
      await explanation(),
      /^16 available \+ 4 in transit = 20, at or below 25: order 9, the usual quantity; /,
    )
    await makeSentOrder(alice, { lineItems: [line(1, { quantity: 30 })] })
    t.match(
      await explanation(),
      /^16 available \+ 30 on order \+ 4 in transit = 50, above 25: sold out on .+ until .+, ask for the order on its way earlier; /,
    )

    await setVelocity(db, alice, 1, 1)
    t.match(
      await explanation(),
      /; sells 0\.03 a day \(mean of 30 days\), .*: lasts until \d+ \w+ \d{4}, with incoming stock until \d+ \w+ \d{4}, order by \d+ \w+ \d{4}\./,
    )
  },
)

t.test('days without stock of a rule are left out of its mean, at all locations or at one', async (t) => {
  const { db, alice, mallory } = await start(t)
  const ids = [
    await makeRule(alice, { reorderPoint: 1_000 }),
    await makeRule(alice, { reorderPoint: 1_000, locationId: locationGid(1) }),
    await makeRule(alice, { reorderPoint: 1_000, locationId: locationGid(2) }),
  ]
  await makeRule(mallory, { reorderPoint: 1_000 })
  await setVelocity(db, alice, 1, 60)
  await setVelocity(db, mallory, 1, 60)
  const empty = Array.from({ length: 15 }, (_, at) => ({ daysAgo: at + 1, units: 0 }))
  await setDemandDays(db, alice, 1, [...empty, { daysAgo: 31, units: 0 }])
  const means = async (person: Person) =>
    new Map((await listSuggestions(person)).map(({ ruleId, avgDailySales }) => [ruleId, avgDailySales]))
  const found = await means(alice)
  t.strictSame(
    ids.map((id) => found.get(id)),
    [4, 4, 2],
    '60 on 15 of 30 days; the second location had stock',
  )
  t.strictSame([...(await means(mallory)).values()], [2], 'not of another shop')
})

t.test('dates are in the time zone of the shop', async (t) => {
  const { db, alice } = await start(t)
  await makeRule(alice, { supplierId: await makeSupplier(alice, { leadTimeDays: 0 }) })
  await setVelocity(db, alice, 1, 600)
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await setTimeZone(db, alice, timeZone)
    const { day } = dayOf(1, timeZone)
    t.match(await listSuggestions(alice), [{ stockoutDate: day, orderByDate: day, leadTimeDays: 0 }])
  }
})

t.test('the stockout date is today without stock, and missing without sales', async (t) => {
  const { db, alice } = await start(t)
  await makeRule(alice, { reorderPoint: 1_000_000_000 })
  t.match(await listSuggestions(alice), [{ avgDailySales: 0, stockoutDate: null, orderByDate: null }])
  await setVelocity(db, alice, 1, 1)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: -900_000_000 })
  t.match(await listSuggestions(alice), [{ stockoutDate: null, explanation: /: lasts for years\.$/ }])
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 900_000_010 })
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 10 })
  t.match(await listSuggestions(alice), [{ currentStock: 0, stockoutDate: dayOf(0).day }])
  await setVelocity(db, alice, 1, 30)
  await makeSentOrder(alice, { lineItems: [line(1, { quantity: 40 })] })
  t.match(await listSuggestions(alice), [{ stockoutDate: dayOf(0).day, orderByDate: dayOf(26).day }])
})

t.test('a lead time is measured on received orders of the supplier', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 30 })
  await makeRule(alice, { supplierId, reorderPoint: 100 })
  const arriveAfter = async (days: number) => {
    const { id } = await makeOrderIn(alice, 'received', { supplierId, lineItems: [line(2)] })
    t.equal((await readOrder(alice, id)).status, 'received')
    await db.query(sql.typeAlias('void')`
      update purchase_order
      set sent_at = received_at - make_interval(secs => ${days * 86_400})
      where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
  for (const days of [4, 5]) await arriveAfter(days)
  t.match(await listSuggestions(alice), [{ leadTimeDays: 30 }], 'two orders are not enough')
  await arriveAfter(6.5)
  t.match(await listSuggestions(alice), [{ leadTimeDays: 6 }], 'the mean of three orders is 5.17, rounded up')
  for (let orders = 0; orders < 10; orders += 1) await arriveAfter(9)
  t.match(await listSuggestions(alice), [{ leadTimeDays: 9 }], 'the mean of the last ten orders')
})

t.test('equally urgent suggestions are paged newest first, and exported as CSV', async (t) => {
  const { alice } = await start(t)
  for (const number of [1, 2, 3]) await makeRule(alice, { variantId: variantGid(number) })
  const first = await alice.get('/api/reorder/suggestions?limit=2')
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link)) ?? []
  const second = await alice.get(next)
  const variants = [first, second].map((answer) => answer.json().data.map(({ sku }: { sku: string }) => sku))
  t.strictSame(variants, [['SKU-3', 'SKU-2'], ['SKU-1']])
  t.notOk('link' in second.headers)
  const csv = await alice.get('/api/reorder/suggestions?limit=1', { accept: 'text/csv' })
  const [header, record] = csv.body.slice(1).split('\n')
  t.match(
    header,
    /^SKU,Product,Suggested quantity,Available,On order,In transit,Available and incoming,Reorder point,/,
  )
  t.match(record, /^SKU-3,Mug 3 - Size 3,50,20,0,0,20,20,50,,,/)
  expectFailure(t, await alice.get('/api/reorder/suggestions?cursor=x'), 400, 'invalid_request')
})

t.test(
  'suggestions are searched by titles, SKU, barcode and the codes of suppliers, also as CSV',
  async (t) => {
    const { alice, mallory } = await start(t)
    for (const number of [1, 2, 3]) await makeRule(alice, { variantId: variantGid(number) })
    await makeRule(mallory, { variantId: variantGid(1) })
    const packBarcode = '4006381333931'
    await makeSupplierProduct(alice, { variantId: variantGid(3), supplierSku: 'NG_77', packBarcode })
    await makeSupplierProduct(mallory, { variantId: variantGid(2), supplierSku: 'NG_77', packBarcode })
    for (const [search, skus] of [
      ['ng_7', ['SKU-3']],
      ['ngx7', []],
      [packBarcode, ['SKU-3']],
      ['mUG 2', ['SKU-2']],
      ['Size 3', ['SKU-3']],
      ['sku-1', ['SKU-1']],
      ['003', ['SKU-3']],
      ['mug', ['SKU-3', 'SKU-2', 'SKU-1']],
      [' ', ['SKU-3', 'SKU-2', 'SKU-1']],
      ['mug%', []],
      ['no such product', []],
    ] as const) {
      const listed = await listSuggestions(alice, `?search=${encodeURIComponent(search)}`)
      t.strictSame(
        listed.map(({ sku }) => sku),
        skus,
        search,
      )
    }
    t.strictSame(await listSuggestions(mallory, '?search=sku-2'), [], 'not of another shop')
    const paged = await alice.get('/api/reorder/suggestions?search=mug&limit=2')
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(paged.headers.link)) ?? []
    t.match((await alice.get(next)).json().data, [{ sku: 'SKU-1' }], 'the next page has the search')
    const csv = await alice.get('/api/reorder/suggestions?search=sku-2', { accept: 'text/csv' })
    t.match(csv.body.trimEnd().split('\n').slice(1), [/^SKU-2,/])
    t.equal(csv.body.trimEnd().split('\n').length, 2)
    const long = await alice.get(`/api/reorder/suggestions?search=${'x'.repeat(201)}`)
    expectFailure(t, long, 400, 'invalid_request')
  },
)

t.test('the most urgent suggestion is first: days of stock left, then the cost of the order', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 8, available: 10 })
  const cost = (number: number, unitCost: number) =>
    db.query(sql.typeAlias('void')`
      update variant set unit_cost = ${unitCost} where shop_id = ${alice.shopId} and gid = ${variantGid(number)}
    `)
  const make = (number: number, reorderQuantity = 10) =>
    makeRule(alice, { variantId: variantGid(number), reorderPoint: 20, reorderQuantity })
  // [variant, sold in 30 days, unit cost, reorder quantity]: 10 in stock, so 30 sold are 10 days
  for (const [number, units, unitCost, quantity] of [
    [1, 0, 9, 10], // no stockout date
    [2, 30, 1, 10], // 10 days, order of 10.00
    [3, 150, 1, 10], // 2 days
    [4, 29, 2, 10], // 10 days, too, order of 20.00
    [5, 30, 1, 3000], // 10 days, order of 3 000.00
    [6, 0, 1_000_000, 1_000_000_000], // no stockout date, more expensive than the rank can hold
  ] as const) {
    await setVelocity(db, alice, number, units)
    await cost(number, unitCost)
    await make(number, quantity)
  }
  await make(7) // without sales and cost
  await setVelocity(db, alice, 8, 1_000)
  await make(8)
  await takeStock(db, alice, { variant: 8, location: 1, quantity: 10 }) // no day is left
  await makeRule(mallory)
  await setVelocity(db, mallory, 1, 1_000)
  const skus = (all: { sku: string }[]) => all.map(({ sku }) => Number(sku.slice(4)))
  const expected = [8, 3, 5, 4, 2, 6, 1, 7]
  t.strictSame(skus(await listSuggestions(alice)), expected)
  for (const limit of [1, 3]) {
    const listed: number[] = []
    let next: string | undefined = `/api/reorder/suggestions?limit=${limit}`
    for (let pages = 0; next && pages < 9; pages += 1) {
      const answer = await alice.get(next)
      t.ok(answer.json().data.length <= limit)
      t.notOk('rank' in answer.json().data[0], 'the rank is not shown')
      listed.push(...skus(answer.json().data))
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    t.strictSame(listed, expected, `pages of ${limit}`)
  }
})

type PlanStep = {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanStep[]
}

/** How many rows the steps of a plan have read in all. */
const rowsOf = (step: PlanStep): number =>
  (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'] +
  (step.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

t.test(
  'a page of ten thousand suggestions reads each rule a few times, and a change of stock stays a cheap update',
  async (t) => {
    const { db, alice } = await start(t)
    const { shopId } = alice
    const run = (statement: ReturnType<typeof sql.fragment>) => db.query(sql.typeAlias('void')`${statement}`)
    await run(sql.fragment`
    insert into variant (shop_id, gid, product_id, sku, title, unit_cost)
    select ${shopId}, 'gid://platform/ProductVariant/' || n, p.id, 'S' || n, n::text, n % 90
    from generate_series(1000, 10999) as n
    join product p on p.shop_id = ${shopId} and p.gid = 'gid://platform/Product/1'
  `)
    await run(sql.fragment`analyze variant`) // without it, Postgres checks the foreign keys with scans
    const added = sql.fragment`select id from variant where shop_id = ${shopId} and sku like 'S____%' and title = right(sku, -1)`
    await run(sql.fragment`
    insert into variant_velocity (shop_id, variant_id, units_30d) select ${shopId}, id, id % 70 from (${added}) v
  `)
    await run(sql.fragment`
    insert into reorder_rule (shop_id, variant_id, reorder_point, reorder_quantity, current_stock, created_by)
    select ${shopId}, id, 100, 1 + id % 30, id % 50, 'alice-1' from (${added}) v
  `)
    const ids = new Set<number>()
    let next: string | undefined = '/api/reorder/suggestions?limit=250'
    while (next) {
      const answer = await alice.get(next)
      for (const { ruleId } of answer.json().data) ids.add(ruleId)
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    t.equal(ids.size, 10_000, 'each rule once')
    const statements = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query)
    await alice.get('/api/reorder/suggestions?limit=250')
    const queries = statements().map(({ args: [query] }) => query as unknown as pg.QueryConfig)
    statements.restore()
    const ofPage = queries.filter(({ text }) => /^\s*(select|with)\b[\s\S]*\breorder_rule\b/.test(text))
    let rows = 0
    for (const { text, values = [] } of ofPage) {
      const plan = await db.oneFirst({
        ...sql.type(row(Type.Object({ 'QUERY PLAN': Type.Unknown() })))`select`,
        sql: `explain (analyze, timing off, format json) ${text}`,
        values: values as string[],
      })
      const [{ Plan: top }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: PlanStep }]
      rows += rowsOf(top)
    }
    t.ok(rows > 10_000 && rows < 100 * 10_000, `its steps read ${rows} rows, without statistics of the shop`)
    const definitions = await db.anyFirst(sql.type(row(Type.Object({ indexdef: Type.String() })))`
    select indexdef from pg_indexes where schemaname = 'public' and tablename = 'reorder_rule'
  `)
    for (const definition of definitions) t.notMatch(definition, /\(.*(current_stock|updated_at)/, definition)
  },
)
