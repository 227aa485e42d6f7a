import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { advanceMail, startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  mailsOf,
  makeOrder,
  makeSentOrder,
  pdfSha256,
  readOrder,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { makeDraft, postDraft } from '../../support/make/receipts.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'
import { makeShippedReturn, returned } from '../../support/make/supplier-returns.ts'

const costsOf = async (person: Person, variant = 1) => {
  const response = await person.get(`/api/variants/${variant}/costs`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

async function expectProved(t: Test, db: Db, { shopId }: Person) {
  const { differences } = await verifyCostBatch(db, shopId, 0)
  t.strictSame(differences, [], 'the ledger proves the averages')
}

/** A sent order in which a variant has 10 pieces at 5.00, and 10 pieces with a price that is to be agreed. */
async function makeOpenOrder(person: Person) {
  const { id } = await makeOrder(person, {
    lineItems: [line(1, { quantity: 10, costPrice: 5 }), line(1, { quantity: 10, costPrice: null })],
  })
  const sent = await person.post(`/api/purchase-orders/${id}/send`, { allowUnknownCosts: true })
  if (sent.statusCode !== 200) throw new Error(sent.body)
  return id
}

t.test('pieces of a known and of an unknown cost in one receipt cost the average', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: 4 })
  const id = await makeOpenOrder(alice)
  t.equal((await receive(alice, id, [10, 10])).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 4, lastCost: 4, onHand: 20, value: 80 })
  await expectProved(t, db, alice)
})

t.test('without an average, such pieces have no cost', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: null })
  const id = await makeOpenOrder(alice)
  t.equal((await receive(alice, id, [10, 10])).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: null, onHand: 20, value: null, movements: [] })
})

t.test('a reversed receipt gives its shares of the charges to the others', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: null })
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 100, costPrice: 10 })] })
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 400, basis: 'quantity' })
  // 50 at 10.00 with 200 of the freight: 14.00
  const corrected = await makeDraft(alice, id, [{ accepted: 100 }])
  t.equal((await receive(alice, id, [50])).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 14 })
  const [wrong] = (await receiptsOf(alice, id)).filter(({ id }) => id !== corrected.id)
  // 50 of the 100 are beyond the ordered quantity: 150 pieces cost 1500 + 400
  t.equal((await postDraft(alice, corrected, { allowOverReceipt: true })).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 12.666667, value: 1900 })
  await alice.post('/api/stock-levels/adjust', {
    adjustments: [{ variantId: variantGid(1), locationId: locationGid(1), delta: -20 }],
  })
  // 80 pieces are left of 100 that cost 1000 + 400: the 200 that were of the wrong receipt add 160, and 40 are a variance
  const reversed = await alice.post(`/api/purchase-orders/${id}/receipts/${wrong?.id}/reverse`)
  t.equal(reversed.statusCode, 200)
  const costs = await costsOf(alice)
  t.equal(costs.onHand, 80)
  t.match(costs.movements[0], { cause: 'charge', unitCost: 2, variance: 40 })
  t.match((await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json().data, { variance: 40 })
  t.equal((await readOrder(alice, id)).status, 'received')
  await expectProved(t, db, alice)
})

t.test('a price that is agreed after the receipt is booked like a late charge', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: 4 })
  const id = await makeOpenOrder(alice)
  t.equal((await receive(alice, id, [10, 10])).statusCode, 200)
  const { lineItems, version } = await readOrder(alice, id)
  const [known, open] = lineItems.map((entry) => entry.id)
  const enter = (second: object, first: object = {}, fields: object = {}) =>
    alice.put(`/api/purchase-orders/${id}`, {
      lineItems: [
        { id: known, ...first },
        { id: open, ...second },
      ],
      ...fields,
    })
  expectFailure(t, await enter({ costPrice: 7, quantity: 11 }), 409, 'conflict')
  expectFailure(t, await enter({ costPrice: 7 }, { costPrice: 6 }), 409, 'conflict')
  expectFailure(t, await enter({ costPrice: 7 }, {}, { notes: 'Other' }), 409, 'conflict')
  // 10 at 5.00 and 10 at 7.00, which were 80 before: 40 more
  const entered = await enter({ costPrice: 7 }, {}, { version })
  t.equal(entered.statusCode, 200)
  t.match(entered.json().data, { status: 'received', total: 120, unknownCosts: 0 })
  t.match(await costsOf(alice), { averageCost: 6, value: 120 })
  expectFailure(t, await enter({ costPrice: 8 }), 409, 'conflict')
  await expectProved(t, db, alice)
})

t.test('a price that is agreed after the receipt is the first cost of a product', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: null })
  const id = await makeOpenOrder(alice)
  t.equal((await receive(alice, id, [10, 5])).statusCode, 200)
  const { lineItems, status } = await readOrder(alice, id)
  t.equal(status, 'partial')
  const entries = lineItems.map((entry) => ({ ...entry, costPrice: entry.costPrice ?? 8 }))
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { lineItems: entries })).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 6, lastCost: 8, onHand: 15, value: 90 })
  t.match(await readOrder(alice, id), { status: 'partial', revision: 0 })
  await expectProved(t, db, alice)
})

const adjust = async (person: Person, delta: number) => {
  const adjustments = [{ variantId: variantGid(1), locationId: locationGid(1), delta }]
  const answer = await person.post('/api/stock-levels/adjust', { adjustments })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

/** Sends an order of a variant and receives it; returns the id, and what reverses the receipt. */
async function receiveOrder(
  person: Person,
  fields: { quantity: number; costPrice: number; currency?: string; rate?: number },
) {
  const { quantity, costPrice, ...order } = fields
  const { id } = await makeSentOrder(person, { ...order, lineItems: [line(1, { quantity, costPrice })] })
  if ((await receive(person, id, [quantity])).statusCode !== 200) throw new Error('not received')
  const [receipt] = await receiptsOf(person, id)
  return { id, reverse: () => person.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`) }
}

const variantCost = async (person: Person) => (await person.get('/api/variants/1')).json().data.unitCost

t.test('a late cost of the newest receipt is part of the last cost', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: null })
  // a rate that was typed wrong: 100 x 1.39
  const first = await receiveOrder(alice, { quantity: 10, costPrice: 100, currency: 'CNY', rate: 1.39 })
  t.match(await costsOf(alice), { averageCost: 139, lastCost: 139 })
  await alice.put(`/api/purchase-orders/${first.id}`, { rate: 0.139 })
  t.match(await costsOf(alice), { averageCost: 13.9, lastCost: 13.9 })
  t.equal(await variantCost(alice), 13.9)

  const second = await receiveOrder(alice, { quantity: 10, costPrice: 20 })
  const freight = { kind: 'freight', amount: 10, basis: 'quantity' }
  await alice.post(`/api/purchase-orders/${first.id}/charges`, freight)
  t.match(await costsOf(alice), { lastCost: 20 }, 'the newest receipt is another')
  await alice.post(`/api/purchase-orders/${second.id}/charges`, { ...freight, amount: 5 })
  t.match(await costsOf(alice), { lastCost: 20.5 })
  t.equal(await variantCost(alice), 20.5)

  // the first receipt with its late freight: 100 x 0.139 + 10 / 10
  t.equal((await second.reverse()).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 14.9, lastCost: 14.9 })
  t.equal(await variantCost(alice), 14.9)

  await alice.put('/api/variants/1', { unitCost: 30 })
  await alice.post(`/api/purchase-orders/${first.id}/charges`, freight)
  t.match(await costsOf(alice), { averageCost: 31, lastCost: 30 }, 'a cost that the merchant typed stays')
  await alice.put('/api/variants/1', { unitCost: null })
  await alice.post(`/api/purchase-orders/${first.id}/charges`, freight)
  t.match(await costsOf(alice), { lastCost: null }, 'and one that the merchant removed stays away')
  await expectProved(t, db, alice)
})

t.test('a receipt whose cost was known late can be reversed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: null })
  const late = await receiveOrder(alice, { quantity: 10, costPrice: 20, currency: 'CNY' })
  await alice.put(`/api/purchase-orders/${late.id}`, { rate: 0.1 })
  t.match(await costsOf(alice), {
    averageCost: 2,
    lastCost: 2,
    movements: [{ cause: 'charge', quantity: 10, unitCost: 2 }],
  })
  const { data } = (await alice.get(`/api/reports/price-history?variantId=${variantGid(1)}`)).json()
  t.match(data, [{ landedUnitCost: 2 }])
  // (10 x 2 + 10 x 4) / 20 = 3
  await receiveOrder(alice, { quantity: 10, costPrice: 4 })
  t.match(await costsOf(alice), { averageCost: 3 })
  // (20 x 3 - 10 x 2) / 10 = 4
  t.equal((await late.reverse()).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 4, lastCost: 4, onHand: 10 })
  await expectProved(t, db, alice)
})

t.test(
  'two receipts without a cost are both booked when it is known, also after the pieces left',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { available: 0 })
    await alice.put('/api/variants/1', { unitCost: null })
    const { id } = await makeSentOrder(alice, {
      currency: 'CNY',
      lineItems: [line(1, { quantity: 15, costPrice: 20 })],
    })
    t.equal((await receive(alice, id, [10])).statusCode, 200)
    t.equal((await receive(alice, id, [5])).statusCode, 200)
    await adjust(alice, -15)
    await alice.put(`/api/purchase-orders/${id}`, { rate: 0.1 })
    t.match(await costsOf(alice), {
      averageCost: 2,
      lastCost: 2,
      onHand: 0,
      movements: [
        { quantity: 5, variance: 0 },
        { quantity: 10, variance: 0 },
      ],
    })
    t.match((await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json().data, {
      variance: 0,
      total: 30,
    })
    await expectProved(t, db, alice)
  },
)

t.test('pieces whose cost was known late go back to their supplier at that cost', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  await alice.put('/api/variants/1', { unitCost: null })
  const late = await receiveOrder(alice, { quantity: 10, costPrice: 20, currency: 'CNY' })
  await alice.put(`/api/purchase-orders/${late.id}`, { rate: 0.1 })
  await receiveOrder(alice, { quantity: 10, costPrice: 4 })
  const { supplierId } = await readOrder(alice, late.id)
  const [receipt] = await receiptsOf(alice, late.id)
  await makeShippedReturn(alice, { supplierId, receiptId: receipt?.id ?? 0, lines: [returned(1, 4)] })
  // (20 x 3 - 4 x 2) / 16
  t.match(await costsOf(alice), { averageCost: 3.25, onHand: 16 })
  await expectProved(t, db, alice)
})

t.test('a reversal takes back the variance of its receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/variants/1', { unitCost: 5 })
  const { id, reverse } = await receiveOrder(alice, { quantity: 10, costPrice: 5 })
  await adjust(alice, -16)
  // 4 of 10 pieces are left: 4 of the freight raise their cost to 6, and 6 are a variance
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'quantity' })
  const landed = async () => (await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json().data
  t.match(await costsOf(alice), { averageCost: 6 })
  t.match(await landed(), { variance: 6 })
  await adjust(alice, 16)
  // (20 x 6 - 54) / 10
  t.equal((await reverse()).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 6.6, movements: [{ cause: 'reversal', variance: -6 }] })
  t.match(await landed(), { variance: 0 })
  // the pieces that come again take the whole freight: (10 x 6.6 + 60) / 20
  t.equal((await receive(alice, id, [10])).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 6.3 })
  t.match(await landed(), { variance: 0 })
  await expectProved(t, db, alice)
})

t.test(
  'a weight that is corrected after goods have arrived counts when the charge is saved again',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { variants: 2, available: 0 })
    const setWeight = (variant: number, grams: number) =>
      db.query(sql.typeAlias('void')`
      update variant set weight_grams = ${grams} where shop_id = ${alice.shopId} and gid = ${variantGid(variant)}
    `)
    await setWeight(1, 1000)
    await setWeight(2, 1000)
    const { id } = await makeSentOrder(alice, {
      lineItems: [line(1, { quantity: 100, costPrice: 1 }), line(2, { quantity: 100, costPrice: 1 })],
    })
    const url = `/api/purchase-orders/${id}/charges`
    const charge = (await alice.post(url, { kind: 'freight', amount: 400, basis: 'weight' })).json().data.id
    const averages = async () =>
      [await costsOf(alice, 1), await costsOf(alice, 2)].map((cost) => cost.averageCost)
    t.equal((await receive(alice, id, [100])).statusCode, 200)
    await setWeight(2, 3000)
    t.equal((await receive(alice, id, [0, 100])).statusCode, 200)
    t.strictSame(await averages(), [3, 3], '200 of the freight each')
    const { lines } = (await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json().data
    t.match(lines, [{ landedUnitCost: 3 }, { landedUnitCost: 3 }])
    // 1 + 400 x 1 / 4 / 100, and 1 + 400 x 3 / 4 / 100
    t.equal((await alice.put(`${url}/${charge}`, { isEstimate: false })).statusCode, 200)
    t.strictSame(await averages(), [2, 4])

    // another charge reads the weights of its lines only: the first charge keeps 1000 and 3000
    await setWeight(2, 0)
    const [first] = (await readOrder(alice, id)).lineItems
    const other = { kind: 'handling', amount: 100, basis: 'weight', lineItemIds: [first?.id] }
    t.equal((await alice.post(url, other)).statusCode, 201)
    t.strictSame(await averages(), [3, 4])
    await expectProved(t, db, alice)
  },
)

t.test('a line that gets another product after a receipt has the weight of that product', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3, available: 0 })
  await db.query(sql.typeAlias('void')`
    update variant set weight_grams = case when gid = ${variantGid(3)} then 900 else 100 end where shop_id = ${alice.shopId}
  `)
  const { id } = await makeSentOrder(alice, {
    lineItems: [line(1, { quantity: 10, costPrice: 1 }), line(2, { quantity: 10, costPrice: 1 })],
  })
  const url = `/api/purchase-orders/${id}`
  await alice.post(`${url}/charges`, { kind: 'freight', amount: 20, basis: 'weight' })
  t.equal((await receive(alice, id, [10])).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 2 })
  const [mail] = await mailsOf(db, alice, id)
  await startMail(db, alice.shopId, mail?.id ?? 0, pdfSha256)
  await advanceMail(db, alice.shopId, mail?.id ?? 0, { state: 'sent', messageId: 'message' })
  const { lineItems, version } = await readOrder(alice, id)
  const [first, second] = lineItems.map((entry) => entry.id)
  const entries = [{ id: first }, { ...line(3, { quantity: 10, costPrice: 1 }), id: second }]
  const revised = await alice.post(`${url}/revise`, { version, lineItems: entries })
  t.equal(revised.statusCode, 200, revised.body)
  // 2 of the freight are of the first line, and 18 of the other
  t.match(await costsOf(alice), { averageCost: 1.2 })
  await expectProved(t, db, alice)
})

t.test(
  'a late cost is part of the last cost, also when the newest receipt takes no part of it',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { variants: 2, available: 0 })
    await alice.put('/api/variants/1', { unitCost: null })
    const { id } = await makeSentOrder(alice, {
      lineItems: [line(1, { quantity: 10, costPrice: 5 }), line(2)],
    })
    const [first] = (await readOrder(alice, id)).lineItems
    // the draft has 2 pieces beyond the ordered ones, and is posted last
    const draft = await makeDraft(alice, id, [{ accepted: 2 }])
    t.equal((await receive(alice, id, [10])).statusCode, 200)
    t.equal((await postDraft(alice, draft, { allowOverReceipt: true })).statusCode, 200)
    const freight = { kind: 'freight', amount: 20, basis: 'quantity', lineItemIds: [first?.id] }
    await alice.post(`/api/purchase-orders/${id}/charges`, freight)
    // 10 at 7.00 and 2 at 5.00
    t.match(await costsOf(alice), { averageCost: 6.666667, lastCost: 7 })
    await expectProved(t, db, alice)
  },
)
