import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import type { BudgetPlan } from '../../../shared/schemas/buying-budgets.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, receive } from '../../support/make/orders.ts'
import { makeDirectReceipt, postCounts } from '../../support/make/receipts.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) await makeStock(people.db, person, { variants: 3 })
  return { ...people, supplierId: await makeSupplier(people.alice) }
}

/** Makes a budget of the days around today. */
async function make(person: Person, fields: object = {}) {
  const dates = { startsOn: dayFromToday(-5), endsOn: dayFromToday(5) }
  const answer = await person.post('/api/buying-budgets', {
    ...{ name: 'Now', amount: 2000, ...dates },
    ...fields,
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}

const read = async (person: Person, id: number) => (await person.get(`/api/buying-budgets/${id}`)).json().data

const setCurrency = (db: Db, { shopId }: Person, currency: string) =>
  db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, currency) values (${shopId}, ${currency})
    on conflict (shop_id) do update set currency = excluded.currency
  `)

t.test(
  'pieces of an order that was closed short are not spent, with their share of discount and tax',
  async (t) => {
    const { alice, supplierId } = await start(t)
    const { id } = await make(alice)
    const lineItems = [line(1, { quantity: 10, costPrice: 100 })]
    const order = await makeSentOrder(alice, { supplierId, lineItems, discount: 100, tax: 180 })
    t.match(await read(alice, id), { spent: 1080, remaining: 920 })
    await receive(alice, order.id, [1])
    t.match(await read(alice, id), { spent: 1080 }, 'the rest may still come')
    t.equal((await alice.post(`/api/purchase-orders/${order.id}/close`)).statusCode, 200)
    // one of ten pieces: 90 and 18 of tax
    t.match(await read(alice, id), { spent: 108, remaining: 1892, unknownOrders: 0 })
  },
)

t.test('receipts without an order, corrected costs and credits are spent', async (t) => {
  const { alice, mallory, supplierId } = await start(t)
  const [{ id }, ofSupplier, past] = [
    await make(alice),
    await make(alice, { supplierId }),
    await make(alice, { startsOn: dayFromToday(-25), endsOn: dayFromToday(-15) }),
  ]
  await makeDirectReceipt(alice, { lines: [{ variantId: variantGid(1), quantity: 4, unitCost: 25 }] })
  await makeDirectReceipt(mallory)
  t.match(await read(alice, id), { spent: 100, remaining: 1900 })
  const lineItems = [line(1, { quantity: 10, costPrice: 2 })]
  const order = await makeSentOrder(alice, { supplierId, lineItems })
  await postCounts(alice, order.id, [{ accepted: 8, unitCost: 2.5, rejected: 2, rejectOutcome: 'credit' }])
  // 8 x 2.50 came, and the credited pieces are subtracted once
  t.match(await read(alice, id), { spent: 120 })
  t.match(await read(alice, ofSupplier.id), { spent: 20 }, 'the receipt names no supplier')
  t.match(await read(alice, past.id), { spent: 0 })
})

t.test('orders with lines without a cost are counted, until a receipt says it', async (t) => {
  const { alice, supplierId } = await start(t)
  const { id } = await make(alice)
  const lineItems = [line(1, { quantity: 5, costPrice: 10 }), line(2, { quantity: 4, costPrice: null })]
  const draft = await makeOrder(alice, { supplierId, lineItems })
  t.match(await read(alice, id), { spent: 0, drafted: 50, unknownOrders: 1 })
  const sent = await alice.post(`/api/purchase-orders/${draft.id}/send`, { allowUnknownCosts: true })
  t.equal(sent.statusCode, 200)
  t.match(await read(alice, id), { spent: 50, drafted: 0, unknownOrders: 1 })
  await postCounts(alice, draft.id, [{ accepted: 5 }, { accepted: 4, unitCost: 3 }])
  t.match(await read(alice, id), { spent: 62, unknownOrders: 0 })
  await makeDirectReceipt(alice, { lines: [{ variantId: variantGid(3), quantity: 4 }] })
  t.match(await read(alice, id), { unknownOrders: 1 }, 'a receipt without an order counts, too')
})

t.test('money has the minor units of the currency', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  await setCurrency(db, alice, 'JPY')
  await setCurrency(db, mallory, 'KWD')
  const refused = await alice.post('/api/buying-budgets', { name: 'Now', month: '2026-03', amount: 0.5 })
  t.match(expectFailure(t, refused, 400, 'invalid_request').details, [
    { path: '/amount', message: 'must have at most 0 decimals in JPY' },
  ])
  const yen = await make(alice, { amount: 1000 })
  await makeSentOrder(alice, {
    ...{ supplierId, currency: 'USD', rate: 150.33 },
    lineItems: [line(1, { quantity: 1, costPrice: 2.5 })],
  })
  // 375.825
  t.match(await read(alice, yen.id), { currency: 'JPY', spent: 376, remaining: 624 })
  const changed = await alice.put(`/api/buying-budgets/${yen.id}`, { amount: 999.5 })
  t.match(expectFailure(t, changed, 400, 'invalid_request').details, [{ path: '/amount' }])
  const spend = (await alice.get('/api/reports/procurement-spend')).json().data
  t.match(spend, { totalSpend: 376 })

  const dinars = await make(mallory, { amount: 500.125 })
  await makeSentOrder(mallory, {
    ...{ currency: 'USD', rate: 0.3071 },
    lineItems: [line(1, { quantity: 1, costPrice: 2.55 })],
  })
  // 0.783105
  t.match(await read(mallory, dinars.id), { amount: 500.125, spent: 0.783, remaining: 499.342 })
  const seller = await makeSupplier(mallory, { leadTimeDays: 14 })
  await makeSupplierProduct(mallory, {
    ...{ supplierId: seller, variantId: variantGid(2), supplierSku: 'N-2' },
    prices: [{ price: 1.125, currency: 'KWD' }],
  })
  await setForecast(db, mallory, 2)
  const plan: BudgetPlan = (await mallory.get(`/api/buying-budgets/${dinars.id}/suggestions?days=30`)).json()
    .data
  // 34 at 1.125
  t.match(plan, { planned: 38.25, left: 461.092, rows: [{ sku: 'SKU-2', cost: 38.25 }] })
})

t.test('of two changes at once, neither loses a field of the other', async (t) => {
  const { alice } = await start(t)
  const { id } = await make(alice)
  const url = `/api/buying-budgets/${id}`
  for (let round = 1; round <= 10; round += 1) {
    const answers = await Promise.all([
      alice.put(url, { name: `Round ${round}` }),
      alice.put(url, { amount: round }),
    ])
    t.strictSame(
      answers.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    t.match(await read(alice, id), { name: `Round ${round}`, amount: round, version: 1 + 2 * round })
  }
})
