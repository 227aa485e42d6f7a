import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, readOrder } from '../../support/make/orders.ts'
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

t.test('the landed cost of an order has the costs that its receipts corrected', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const landedOf = async (id: number) =>
    (await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json().data
  const { id } = await makeOrder(alice, {
    ...{ currency: 'EUR', rate: 2 },
    lineItems: [line(1, { quantity: 10, costPrice: 5 }), line(1, { quantity: 2, costPrice: null })],
  })
  await alice.post(`/api/purchase-orders/${id}/send`, { allowUnknownCosts: true })
  await alice.post(`/api/purchase-orders/${id}/charges`, {
    ...{ kind: 'freight', amount: 12, basis: 'quantity', currency: 'USD' },
  })
  const first = await postCounts(alice, id, [{ accepted: 4, unitCost: 6 }])
  // (4 × 12.00 + 6 × 10.00) / 10 = 10.80, and 1.00 of freight
  t.match(await landedOf(id), {
    lines: [
      { unitCost: 10.8, landedUnitCost: 11.8 },
      { unitCost: null, landedUnitCost: null },
    ],
    total: null,
  })
  await postCounts(alice, id, [
    { accepted: 6, unitCost: 6 },
    { accepted: 2, unitCost: 3 },
  ])
  t.match(await landedOf(id), {
    lines: [
      { unitCost: 12, landedUnitCost: 13 },
      { unitCost: 6, landedUnitCost: 7 },
    ],
    total: 144,
  })
  t.match(await costsOf(alice), { averageCost: 12 }, '144.00 for 12 pieces, as the ledger has it')
  await alice.post(`/api/purchase-orders/${id}/receipts/${first.id}/reverse`)
  t.match((await landedOf(id)).lines, [{ unitCost: 11.2 }, { unitCost: 6 }], '6 at 12.00 and 4 at 10.00')
})

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

/** A sent order of a variant without stock that has no cost yet. */
async function makeUnstocked(db: Db, person: Person, fields: object, order: object = {}) {
  await markVariant(db, person, 1, 'untracked')
  const { id } = await makeOrder(person, { ...order, lineItems: [line(1, { quantity: 10, ...fields })] })
  const sent = await person.post(`/api/purchase-orders/${id}/send`, { allowUnknownCosts: true })
  if (sent.statusCode !== 200) throw new Error(sent.body)
  return id
}

const freight = { kind: 'freight', amount: 20, basis: 'quantity' }

t.test('a rate or a price that comes late is the cost of a variant without stock', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/settings', { costWriteBack: 'last' })
  const inYuan = await makeUnstocked(db, alice, { costPrice: 30 }, { currency: 'CNY' })
  await postCounts(alice, inYuan, [{ accepted: 10 }])
  t.match(await costsOf(alice), { averageCost: null, lastCost: null })
  // 30 × 0.139, then 30 × 0.145
  t.equal((await alice.put(`/api/purchase-orders/${inYuan}`, { rate: 0.139 })).statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 4.17, lastCost: 4.17 })
  await alice.put(`/api/purchase-orders/${inYuan}`, { rate: 0.145 })
  t.match(await costsOf(alice), {
    ...{ averageCost: 4.35, lastCost: 4.35, source: 'receipt' },
    movements: [{ reference: `purchase_order/${inYuan}`, quantity: 0 }, { averageAfter: 4.17 }],
  })
  t.match((await alice.get('/api/variants/1')).json().data, { unitCost: 4.35, costSource: 'receipt' })
  t.match((await costsOf(alice)).writeBack, { cost: 4.35, state: 'waiting' })

  const open = await makeUnstocked(db, alice, { costPrice: null })
  await postCounts(alice, open, [{ accepted: 10 }])
  t.match(await costsOf(alice), { lastCost: 4.35 })
  const [item] = (await readOrder(alice, open)).lineItems
  const priced = await alice.put(`/api/purchase-orders/${open}`, {
    lineItems: [{ id: item?.id, costPrice: 6 }],
  })
  t.equal(priced.statusCode, 200)
  t.match(await costsOf(alice), { averageCost: 6, lastCost: 6 })
  await expectProved(t, db, alice)
})

t.test('a late charge is part of the cost of a variant without stock, as an early one is', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeUnstocked(db, alice, { costPrice: 5 })
  await postCounts(alice, id, [{ accepted: 10 }])
  t.match(await costsOf(alice), { lastCost: 5 })
  // 5 + 20 / 10
  await alice.post(`/api/purchase-orders/${id}/charges`, freight)
  t.match(await costsOf(alice), { averageCost: 7, lastCost: 7 })
  const landed = (await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json().data
  t.match(landed, { lines: [{ landedUnitCost: 7 }], variance: 0 })

  const early = await makeUnstocked(db, alice, { costPrice: 6 })
  await alice.post(`/api/purchase-orders/${early}/charges`, freight)
  await postCounts(alice, early, [{ accepted: 10 }])
  t.match(await costsOf(alice), { averageCost: 8, lastCost: 8 })
  await expectProved(t, db, alice)
})

t.test('a cost at the receipt of a line without a price is that of a variant without stock', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeUnstocked(db, alice, { costPrice: null })
  await postCounts(alice, id, [{ accepted: 10, unitCost: 4 }])
  t.match(await costsOf(alice), { averageCost: 4, lastCost: 4 })
  await expectProved(t, db, alice)
})

t.test('a late cost of a variant without stock replaces no newer cost', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/variants/1', { unitCost: 3 })
  const [first, second] = [
    await makeUnstocked(db, alice, { costPrice: 50 }, { currency: 'CNY' }),
    await makeUnstocked(db, alice, { costPrice: 6 }),
  ]
  const charge = (id: number) => alice.post(`/api/purchase-orders/${id}/charges`, freight)
  await postCounts(alice, first, [{ accepted: 10 }])
  t.match(await costsOf(alice), { lastCost: 3 })
  // 50 × 0.1, after a cost that is older than the receipt
  await alice.put(`/api/purchase-orders/${first}`, { rate: 0.1 })
  t.match(await costsOf(alice), { lastCost: 5 })
  await postCounts(alice, second, [{ accepted: 10 }])
  await charge(first)
  t.match(await costsOf(alice), { lastCost: 6 }, 'that of a newer receipt stays')
  await charge(second)
  t.match(await costsOf(alice), { lastCost: 8 })
  await alice.put('/api/variants/1', { unitCost: 9 })
  await charge(second)
  t.match(await costsOf(alice), { lastCost: 9 }, 'a typed cost stays')
  await db.query(sql.typeAlias('void')`
    update variant set platform_cost = 7, item_updated_at = now() - interval '1 day'
    where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  await alice.put('/api/variants/1', { unitCost: null })
  await charge(second)
  t.match(await costsOf(alice), { lastCost: 7 }, 'the cost of the platform that was chosen again stays')
  await db.query(sql.typeAlias('void')`
    update variant set platform_cost = null where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  await alice.put('/api/variants/1', { unitCost: null })
  await charge(second)
  t.match(await costsOf(alice), { lastCost: null }, 'a cost that was removed stays away')
  await expectProved(t, db, alice)
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
