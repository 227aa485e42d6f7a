import t, { type Test } from 'tap'
import type { Db } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/costs/verify.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, readOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeDraft, postDraft } from '../../support/make/receipts.ts'
import { makeStock } from '../../support/make/stock.ts'

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
    adjustments: [{ variantId: line(1).variantId, locationId: 'gid://platform/Location/1', delta: -20 }],
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
