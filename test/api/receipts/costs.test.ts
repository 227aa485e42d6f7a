import t, { type Test } from 'tap'
import type { Db } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/costs/verify.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeSentOrder } from '../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft, postCounts, postDraft } from '../../support/make/receipts.ts'
import { makeStock, markVariant, variantGid } from '../../support/make/stock.ts'

const costsOf = async (person: Person, variant = 1) => {
  const response = await person.get(`/api/variants/${variant}/costs`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

async function expectProved(t: Test, db: Db, { shopId }: Person) {
  const { differences } = await verifyCostBatch(db, shopId, 0)
  t.strictSame(differences, [], 'the ledger proves the averages')
}

t.test(
  'a cost that is corrected at the receipt is the cost of its pieces, and a reversal restores',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { available: 0 })
    const { id } = await makeSentOrder(alice, {
      lineItems: [line(1, { quantity: 10, costPrice: 2, discountPercent: 10 })],
    })
    await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'quantity' })
    // 4 × (2.00 − 10 %) + 4 × 1.00 freight = 11.20, 2.80 each
    await postCounts(alice, id, [{ accepted: 4 }])
    t.match(await costsOf(alice), { averageCost: 2.8, lastCost: 2.8 })
    // 6 × 2.50 + 6 × 1.00 = 21.00; (11.20 + 21.00) / 10 = 3.22
    const corrected = await postCounts(alice, id, [{ accepted: 6, unitCost: 2.5 }])
    t.match(await costsOf(alice), { averageCost: 3.22, lastCost: 3.5 })
    const history = await alice.get('/api/reports/price-history')
    t.match(history.json().data, [
      { quantity: 6, unitPrice: 2.5, discountPercent: 0, landedUnitCost: 3.5 },
      { quantity: 4, unitPrice: 2, discountPercent: 10, landedUnitCost: 2.8 },
    ])
    await alice.post(`/api/purchase-orders/${id}/receipts/${corrected.id}/reverse`)
    t.match(await costsOf(alice), { averageCost: 2.8 })
    await expectProved(t, db, alice)
  },
)

t.test('a corrected cost is in the currency of the order', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const { id } = await makeSentOrder(alice, {
    ...{ currency: 'EUR', rate: 1.25 },
    lineItems: [line(1, { quantity: 10, costPrice: 2 })],
  })
  await postCounts(alice, id, [{ accepted: 10, unitCost: 4 }])
  t.match(await costsOf(alice), { averageCost: 5, lastCost: 5 })
  await alice.put(`/api/purchase-orders/${id}`, { rate: 1.5 })
  t.match(await costsOf(alice), { averageCost: 6 }, 'a later rate corrects it')
  await expectProved(t, db, alice)
})

t.test('drafts and rejected pieces have no value', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10, costPrice: 2 })] })
  await makeDraft(alice, id, [{ accepted: 5, unitCost: 9 }])
  await postCounts(alice, id, [{ rejected: 2, unitCost: 9 }])
  t.match(await costsOf(alice), { averageCost: null })
  await postCounts(alice, id, [{ accepted: 3, rejected: 2, rejectOutcome: 'credit' }])
  t.match(await costsOf(alice), { averageCost: 2 })
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'quantity' })
  t.match(await costsOf(alice), { averageCost: 3 }, 'a late charge counts the accepted pieces only')
  await expectProved(t, db, alice)
})

t.test(
  'a draft that is posted late takes the shares that are left, and shifts no earlier receipt',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { available: 0 })
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10, costPrice: 2 })] })
    await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'quantity' })
    const early = await makeDraft(alice, id, [{ accepted: 5 }])
    await postCounts(alice, id, [{ accepted: 8 }])
    // of 5 pieces, 2 are of the order and take a share: (8 × 3 + 5 × 2 + 2) / 13 = 36 / 13
    await postDraft(alice, early, { allowOverReceipt: true })
    t.match(await costsOf(alice), { averageCost: 2.769231 })
    await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'other', amount: 0, basis: 'quantity' })
    const { movements } = await costsOf(alice)
    t.notOk(
      movements.some(({ cause }: { cause: string }) => cause === 'charge'),
      'a charge of 0 finds no late cost: the receipts keep their sequence',
    )
    await expectProved(t, db, alice)
  },
)

t.test('a corrected cost of a variant without stock is its new cost', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 4, costPrice: 2 })] })
  await markVariant(db, alice, 1, 'untracked')
  await postCounts(alice, id, [{ accepted: 4, unitCost: 7 }])
  t.match(await costsOf(alice), { lastCost: 7 })
})

t.test('goods without an order are averaged at their cost, and without one at the average', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const lines = [
    { variantId: variantGid(1), quantity: 2, unitCost: 3 },
    { variantId: variantGid(1), quantity: 2, unitCost: 5 },
  ]
  await makeDirectReceipt(alice, { lines })
  t.match(await costsOf(alice), { averageCost: 4, lastCost: 5 })
  await makeDirectReceipt(alice, { lines: [{ variantId: variantGid(1), quantity: 6 }] })
  t.match(await costsOf(alice), { averageCost: 4, lastCost: 5 })
  const dear = await makeDirectReceipt(alice, {
    lines: [{ variantId: variantGid(1), quantity: 10, unitCost: 6 }],
  })
  t.match(await costsOf(alice), { averageCost: 5, lastCost: 6 })
  await alice.post(`/api/receipts/${dear.id}/reverse`)
  t.match(await costsOf(alice), { averageCost: 4 })
  await expectProved(t, db, alice)
})
