import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  makeOrder,
  makeSentOrder,
  makeSupplier,
  readOrder,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const rates = async (person: Person) => (await person.get('/api/exchange-rates')).json().data
const averageOf = async (person: Person) =>
  (await person.get('/api/variants/1/costs')).json().data.averageCost

t.test('a typed rate of an order is kept by day, and is the default of the next', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const day = new Date().toISOString().slice(0, 10)
  t.strictSame(await rates(alice), [])
  const { id } = await makeOrder(alice, { currency: 'EUR', rate: 1.1 })
  t.strictSame(await rates(alice), [{ currency: 'EUR', rate: 1.1, day, source: 'typed' }])
  await alice.put(`/api/purchase-orders/${id}`, { rate: 1.25 })
  const next = await makeOrder(alice, { currency: 'EUR' })
  t.equal((await readOrder(alice, next.id)).rate, 1.25, 'the last one of the day')
  await db.query(sql.typeAlias('void')`
    insert into exchange_rate (shop_id, currency, day, rate, source)
    values (${alice.shopId}, 'EUR', current_date - 3, 9, 'typed'), (${alice.shopId}, 'CNY', current_date - 3, 0.139, 'typed')
  `)
  t.match(await rates(alice), [
    { currency: 'CNY', rate: 0.139 },
    { currency: 'EUR', rate: 1.25 },
  ])
  await alice.post(`/api/purchase-orders/${id}/charges`, {
    ...{ kind: 'freight', amount: 5, basis: 'value' },
    ...{ currency: 'EUR', rate: 1.3 },
  })
  t.match(await rates(alice), [{ currency: 'CNY' }, { currency: 'EUR', rate: 1.3 }], 'of a charge, too')
  await makeOrder(alice, { rate: 1 })
  t.equal((await rates(alice)).length, 2, 'the own currency has no rate')
  t.strictSame(await rates(mallory), [])
})

t.test('the terms of a supplier show the rate that a new order gets', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const first = await makeOrder(alice, { supplierId, currency: 'EUR', rate: 1.1 })
  const second = await makeOrder(alice, { supplierId, currency: 'EUR' })
  t.equal((await readOrder(alice, second.id)).rate, 1.1)
  await alice.put(`/api/purchase-orders/${first.id}`, { rate: 1.25 })
  const { data } = (await alice.get(`/api/suppliers/${supplierId}/terms?currency=EUR`)).json()
  const next = await makeOrder(alice, { supplierId, currency: 'EUR' })
  t.strictSame([data.rate, (await readOrder(alice, next.id)).rate], [1.25, 1.25])
})

/**
 * 10 on hand at 2.00, then 10 received at EUR 4 x 1.5 = 6.00: (20 + 60) / 20 = 4.00. At the rate 1.75 the goods cost 7.00: 10 more
 * for 10 received pieces, all of which are still there: 4.00 + 10 / 20 = 4.50.
 */
t.test('another rate of a received order raises the average of what is left', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  await alice.put('/api/variants/1', { unitCost: 2 })
  const { id } = await makeSentOrder(alice, {
    currency: 'EUR',
    rate: 1.5,
    lineItems: [line(1, { quantity: 10, costPrice: 4 })],
  })
  await receive(alice, id, [10])
  t.equal(await averageOf(alice), 4)
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 1.75 })).statusCode, 200)
  t.equal(await averageOf(alice), 4.5)
  const { movements } = (await alice.get('/api/variants/1/costs')).json().data
  t.match(movements[0], { cause: 'charge', reference: `purchase_order/${id}`, actor: /alice/ })
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 1.75 })).statusCode, 200)
  t.equal((await alice.get('/api/variants/1/costs')).json().data.movements.length, movements.length)
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 1.5 })).statusCode, 200)
  t.equal(await averageOf(alice), 4, 'and back')
  t.strictSame((await verifyCostBatch(db, alice.shopId, 0)).differences, [])
})

/**
 * 10 received at CNY 100 × 0.139 = 13.90. Freight of CNY 400 is 55.60 or 5.56 each, and duty of CNY 100 at a typed 0.14 is 14.00
 * or 1.40 each: 20.86. At 0.145 the goods cost 14.50 and the freight 58.00 or 5.80 each: 14.50 + 5.80 + 1.40 = 21.70.
 */
t.test('a charge without a typed rate follows the rate of its order', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const { id } = await makeSentOrder(alice, {
    ...{ currency: 'CNY', rate: 0.139 },
    lineItems: [line(1, { quantity: 10, costPrice: 100 })],
  })
  const url = `/api/purchase-orders/${id}`
  const charge = async (fields: object) => {
    const answer = await alice.post(`${url}/charges`, { basis: 'quantity', currency: 'CNY', ...fields })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return `${url}/charges/${answer.json().data.id}`
  }
  const freight = await charge({ kind: 'freight', amount: 400 })
  const duty = await charge({ kind: 'duty', amount: 100, rate: 0.14 })
  const charges = async () =>
    (await readOrder(alice, id)).charges.map(({ rate, isRateTyped }) => [rate, isRateTyped])
  await receive(alice, id, [10])
  t.equal(await averageOf(alice), 20.86)
  t.equal((await alice.put(url, { rate: 0.145 })).statusCode, 200)
  t.strictSame(await charges(), [
    [0.145, false],
    [0.14, true],
  ])
  t.equal(await averageOf(alice), 21.7)
  const landed = (await alice.get(`${url}/landed-cost`)).json().data
  t.match(landed.lines[0].shares, [{ amount: 58 }, { amount: 14 }])
  // one booking for goods and charges
  const { movements } = (await alice.get(`/api/variants/1/costs`)).json().data
  t.match(movements, [{ cause: 'charge', averageBefore: 20.86 }, { cause: 'receipt' }])

  // an amount, and the stored rate again as an older page sends it, leave the rate what it is
  t.equal((await alice.put(freight, { amount: 400, rate: 0.145 })).statusCode, 200)
  t.equal((await alice.put(duty, { amount: 100 })).statusCode, 200)
  await alice.put(url, { rate: 0.15 })
  t.strictSame(await charges(), [
    [0.15, false],
    [0.14, true],
  ])
  // a typed rate stays from then on, and null takes that of the order again
  await alice.put(freight, { rate: 0.2 })
  await alice.put(duty, { rate: null })
  t.strictSame(await charges(), [
    [0.2, true],
    [0.15, false],
  ])
  await alice.put(url, { rate: 0.139 })
  t.strictSame(await charges(), [
    [0.2, true],
    [0.139, false],
  ])
  t.strictSame((await verifyCostBatch(db, alice.shopId, 0)).differences, [])
})

t.test('the rate of an order whose goods have costs may change, and not be removed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const lineItems = [line(1, { quantity: 2, costPrice: 10 })]
  const { id } = await makeSentOrder(alice, { currency: 'EUR', rate: 1.1, lineItems })
  const url = `/api/purchase-orders/${id}`
  t.equal((await alice.put(url, { rate: null })).statusCode, 200, 'before the goods')
  await alice.put(url, { rate: 1.1 })
  await receive(alice, id, [2])
  const refused = await alice.put(url, { rate: null })
  t.match(expectFailure(t, refused, 422, 'rate_in_use').details, [
    { path: '/rate', message: /enter another rate/ },
  ])
  t.match(await readOrder(alice, id), { rate: 1.1 })
  t.equal((await alice.put(url, { rate: 1.2 })).statusCode, 200)
  const [receipt] = await receiptsOf(alice, id)
  await alice.post(`${url}/receipts/${receipt?.id}/reverse`)
  t.match((await alice.put(url, { rate: null })).json().data, { rate: null }, 'no goods have costs')
})

t.test(
  'a charge takes the rate of its order when that becomes known, and no other currency does',
  async (t) => {
    const { db, alice } = await startApp(t)
    const { id } = await makeOrder(alice, { currency: 'EUR', rate: 1.1 })
    await alice.put(`/api/purchase-orders/${id}`, { rate: null })
    const charge = { kind: 'freight', amount: 5, basis: 'value' }
    const url = `/api/purchase-orders/${id}`
    for (const currency of ['EUR', 'USD']) await alice.post(`${url}/charges`, { ...charge, currency })
    await alice.post(`${url}/charges`, { ...charge, currency: 'CNY', rate: 0.139 })
    await alice.post(`${url}/charges`, { ...charge, currency: 'CNY' })
    const rates = async () => (await readOrder(alice, id)).charges.map(({ rate }) => rate)
    t.strictSame(await rates(), [1.1, 1, 0.139, 0.139], 'the last rate, while that of the order is not known')
    await db.query(sql.typeAlias('void')`
      insert into purchase_order_charge (shop_id, purchase_order_id, kind, amount, currency, rate, basis, created_by)
      values (${alice.shopId}, ${id}, 'freight', 5, 'EUR', 1.15, 'value', 'alice')
    `)
    await alice.put(url, { rate: 1.2 })
    t.strictSame(
      await rates(),
      [1.2, 1, 0.139, 0.139, 1.15],
      'a charge of the previous release keeps its rate',
    )
    await alice.put(url, { currency: 'CNY', rate: 0.145 })
    t.strictSame(await rates(), [1.2, 1, 0.139, 0.145, 1.15], 'a draft may get another currency')
  },
)
