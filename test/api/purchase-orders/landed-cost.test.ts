import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, readOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

const setWeights = (db: Db, { shopId }: Person, grams: (number | null)[]) =>
  db.query(sql.typeAlias('void')`
    update variant v
    set weight_grams = w.grams
    from ${sql.unnest(
      grams.map((weight, at) => [`gid://platform/ProductVariant/${at + 1}`, weight]),
      ['text', 'numeric'],
    )} as w (gid, grams)
    where v.shop_id = ${shopId} and v.gid = w.gid
  `)

const setAvailable = (db: Db, { shopId }: Person, available: number) =>
  db.query(sql.typeAlias('void')`
    with changed as (
      update stock_level set quantity = ${available}
      where shop_id = ${shopId}
      returning variant_id, location_id
    )
    insert into stock_movement (shop_id, variant_id, location_id, previous_quantity, new_quantity, kind)
    select ${shopId}, c.variant_id, c.location_id, l.quantity, ${available}, 'platform'
    from changed c
    join stock_level l on l.shop_id = ${shopId} and l.variant_id = c.variant_id and l.location_id = c.location_id
  `)

const costsOf = async (person: Person, variant: number) => {
  const response = await person.get(`/api/variants/${variant}/costs`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** The stored average, with all its decimals. */
const averageOf = (db: Db, { shopId }: Person) =>
  db.oneFirst(sql.type(row(Type.Object({ average: Type.String() })))`
    select average_cost::text as average from variant_cost where shop_id = ${shopId}
  `)

async function expectProved(t: Test, db: Db, { shopId }: Person) {
  const { differences } = await verifyCostBatch(db, shopId, 0)
  t.strictSame(differences, [], 'the ledger proves the averages')
}

/**
 * The worked example. Ordered in CNY at 0.139: 100 at 30, 50 at 12, 10 at 5.50; weights 200 g, 400 g, 1 000 g.
 *   goods     100 × 4.17 = 417.00       50 × 1.668 = 83.40      10 × 0.7645 = 7.645
 *   freight   400 by weight: 20 kg, 20 kg and 10 kg of 50 kg: 160, 160, 80
 *   duty      33.33 by value on the first two, 3 000 and 600 of 3 600: 27.775 and 5.555. The cent that rounding down leaves
 *             goes to the first, since the remainders are equal: 27.78 and 5.55
 *   landed    4.17 + 187.78 / 100 = 6.0478     1.668 + 165.55 / 50 = 4.979     0.7645 + 80 / 10 = 8.7645
 *   total     417 + 83.40 + 7.645 + 400 + 33.33 = 941.375, which is 941.38
 */
const workedOrder = {
  currency: 'CNY',
  rate: 0.139,
  lineItems: [
    line(1, { quantity: 100, costPrice: 30 }),
    line(2, { quantity: 50, costPrice: 12 }),
    line(3, { quantity: 10, costPrice: 5.5 }),
  ],
}

async function makeWorkedOrder(db: Db, person: Person): Promise<{ id: number; lineIds: number[] }> {
  await makeStock(db, person, { variants: 3, available: 10 })
  await setWeights(db, person, [200, 400, 1000])
  const { id } = await makeSentOrder(person, workedOrder)
  const lineIds = (await readOrder(person, id)).lineItems.map((item) => item.id)
  await person.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 400, basis: 'weight' })
  await person.post(`/api/purchase-orders/${id}/charges`, {
    kind: 'duty',
    amount: 33.33,
    basis: 'value',
    lineItemIds: lineIds.slice(0, 2),
  })
  return { id, lineIds }
}

t.test('the landed cost of an order has its shares of freight and duty', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeWorkedOrder(db, alice)
  t.match((await readOrder(alice, id)).charges, [
    { kind: 'freight', amount: 400, currency: 'USD', basis: 'weight', lineItemIds: null, isEstimate: false },
    { kind: 'duty', amount: 33.33, basis: 'value', lineItemIds: { length: 2 } },
  ])
  const response = await alice.get(`/api/purchase-orders/${id}/landed-cost`)
  t.equal(response.statusCode, 200)
  t.match(response.json().data, {
    currency: 'USD',
    total: 941.38,
    lines: [
      {
        unitCost: 4.17,
        landedUnitCost: 6.0478,
        shares: [
          { kind: 'freight', amount: 160 },
          { kind: 'duty', amount: 27.78 },
        ],
      },
      {
        unitCost: 1.668,
        landedUnitCost: 4.979,
        shares: [
          { kind: 'freight', amount: 160 },
          { kind: 'duty', amount: 5.55 },
        ],
      },
      { unitCost: 0.7645, landedUnitCost: 8.7645, shares: [{ kind: 'freight', amount: 80 }] },
    ],
  })
})

t.test('receipts, stock below zero and a late bill change the average', async (t) => {
  const { db, alice } = await startApp(t)
  const { id, lineIds } = await makeWorkedOrder(db, alice)
  await alice.put('/api/variants/1', { unitCost: 5 })
  t.match(await costsOf(alice, 1), { averageCost: 5, onHand: 10, value: 50, source: 'manual' })

  // (10 × 5.00 + 60 × 6.0478) / 70 = 412.868 / 70 = 5.898114
  t.equal((await receive(alice, id, [60])).statusCode, 200)
  t.match(await costsOf(alice, 1), { averageCost: 5.898114, lastCost: 6.0478, onHand: 70, value: 412.87 })

  // below zero, the landed cost is the average
  await setAvailable(db, alice, -5)
  t.equal((await receive(alice, id, [40])).statusCode, 200)
  t.match(await costsOf(alice, 1), { averageCost: 6.0478, onHand: 35 })

  // 50.00 of freight came late: 35 of 100 pieces are left, which take 17.50, or 0.50 each; 32.50 are a variance
  const late = { kind: 'freight', amount: 50, basis: 'quantity', lineItemIds: lineIds.slice(0, 1) }
  const created = await alice.post(`/api/purchase-orders/${id}/charges`, late)
  t.equal(created.statusCode, 201)
  const costs = await costsOf(alice, 1)
  t.match(costs, { averageCost: 6.5478 })
  t.strictSame(
    costs.movements.map(({ cause, quantity, averageAfter, variance }: Record<string, unknown>) => [
      cause,
      quantity,
      averageAfter,
      variance,
    ]),
    [
      ['charge', 0, 6.5478, 13],
      ['charge', 0, 6.3478, 19.5],
      ['receipt', 40, 6.0478, 0],
      ['receipt', 60, 5.898114, 0],
      ['opening', 0, 5, 0],
    ],
  )
  const { data } = (await alice.get(`/api/purchase-orders/${id}/landed-cost`)).json()
  t.equal(data.variance, 32.5)

  // the bill is deleted again: the same 35 pieces give back what they took
  await alice.delete(`/api/purchase-orders/${id}/charges/${created.json().data.id}`)
  t.match(await costsOf(alice, 1), { averageCost: 6.0478 })
  await expectProved(t, db, alice)
})

t.test('a reversal restores the average to the last digit', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 7 })
  await alice.put('/api/variants/1', { unitCost: 1.23 })
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 14, costPrice: 0.77 })] })
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'value' })
  await receive(alice, id, [3])
  const before = await averageOf(db, alice)
  await receive(alice, id, [11])
  t.not(await averageOf(db, alice), before)
  const [receipt] = await receiptsOf(alice, id)
  const reversed = await alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  t.equal(reversed.statusCode, 200)
  t.equal(Number(await averageOf(db, alice)).toFixed(15), Number(before).toFixed(15))
  t.equal(await averageOf(db, alice), before)
  await expectProved(t, db, alice)
})

/** 71 at 7.15 and 3 at 20.00, received by mistake: (71 × 7.15 + 60) / 74 = 7.670946. The three leave at 7.15: 3 × (7.15 - 20.00) = -38.55. */
t.test('a reversal keeps an average that a person has entered since the receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 71 })
  const enter = (unitCost: number | null) => alice.put('/api/variants/1', { unitCost })
  const receiveByMistake = async () => {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 3, costPrice: 20 })] })
    await receive(alice, id, [3])
    t.match(await costsOf(alice, 1), { averageCost: 7.670946 })
    const [receipt] = await receiptsOf(alice, id)
    return () => alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  }
  await enter(7.15)
  const undoFirst = await receiveByMistake()
  await enter(7.15)
  await undoFirst()
  t.match(await costsOf(alice, 1), {
    ...{ averageCost: 7.15, lastCost: 7.15, onHand: 71 },
    movements: [
      { cause: 'reversal', quantity: -3, averageAfter: 7.15, variance: -38.55 },
      { cause: 'manual' },
    ],
  })
  const undoSecond = await receiveByMistake()
  await enter(null)
  await undoSecond()
  t.match(await costsOf(alice, 1), { averageCost: 7.15 }, 'a removed cost sets no average')
  await expectProved(t, db, alice)
})

t.test('a reversal sets the last cost back to the newest one of no reversed receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const receiveAt = async (costPrice: number) => {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2, costPrice })] })
    await receive(alice, id, [2])
    const [receipt] = await receiptsOf(alice, id)
    return () => alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  }
  const known = async () => ({
    ledger: (await costsOf(alice, 1)).lastCost,
    variant: (await alice.get('/api/variants/1')).json().data.unitCost,
  })
  const undoFirst = await receiveAt(9)
  await undoFirst()
  t.match(await known(), { ledger: 9, variant: 9 }, 'without an earlier cost it stays')

  await alice.put('/api/variants/1', { unitCost: 2 })
  const undoThree = await receiveAt(3)
  const undoFive = await receiveAt(5)
  await undoThree()
  t.match(await known(), { ledger: 5, variant: 5 }, 'a later receipt keeps its cost')
  await undoFive()
  t.match(await known(), { ledger: 2, variant: 2 }, 'that of 3 is reversed, too')

  const undoSeven = await receiveAt(7)
  await alice.put('/api/variants/1', { unitCost: 8 })
  await undoSeven()
  t.match(await known(), { ledger: 8, variant: 8 }, 'a typed cost stays')

  const undoNine = await receiveAt(9)
  const withoutCost = { lines: [{ variantId: variantGid(1), quantity: 1, unitCost: null }] }
  t.equal((await alice.post('/api/receipts', withoutCost)).statusCode, 201)
  await undoNine()
  t.match(await known(), { ledger: 8, variant: 8 }, 'a receipt without a cost does not count')
  t.equal((await alice.get('/api/variants/1')).json().data.costSource, 'manual')

  const undoFour = await receiveAt(4)
  await alice.put('/api/variants/1', { unitCost: null })
  await undoFour()
  t.match(await known(), { ledger: null, variant: null }, 'a cost that the merchant has removed stays away')
  await expectProved(t, db, alice)
})

t.test('a charge names what is wrong with it', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  await setWeights(db, alice, [100, null])
  const { id } = await makeOrder(alice, { lineItems: [line(1), line(2)] })
  const [first] = (await readOrder(alice, id)).lineItems
  const url = `/api/purchase-orders/${id}/charges`
  const charge = { kind: 'freight', amount: 10, basis: 'value' }
  const post = (fields: object, person = alice) => person.post(url, { ...charge, ...fields })
  expectFailure(t, await post({ basis: 'weight' }), 422, 'weight_missing')
  t.match((await post({ basis: 'weight' })).json().error.details, [
    { path: '/basis', message: 'needs a weight of Thing 2' },
  ])
  t.equal((await post({ basis: 'weight', lineItemIds: [first?.id] })).statusCode, 201)
  expectFailure(t, await post({ lineItemIds: [first?.id, 999] }), 422, 'unknown_line')
  expectFailure(t, await post({ currency: 'EUR' }), 422, 'rate_missing')
  expectFailure(t, await post({ currency: 'JPY', rate: 0.0067, amount: 10.5 }), 400, 'invalid_request')
  expectFailure(t, await post({ rate: 2 }), 400, 'invalid_request')
  const shares = [{ lineItemId: first?.id, amount: 9.99 }]
  expectFailure(t, await post({ basis: 'manual', shares }), 422, 'shares_do_not_add_up')
  t.equal((await post({ currency: 'EUR', rate: 1.1 })).statusCode, 201)
  t.equal((await post({ currency: 'EUR' })).statusCode, 201, 'the last rate of the currency is the default')
  for (const request of [
    () => post({}, mallory),
    () => mallory.put(`${url}/1`, charge),
    () => mallory.delete(`${url}/1`),
    () => mallory.get(`/api/purchase-orders/${id}/landed-cost`),
    () => mallory.get('/api/variants/1/costs'),
    () => mallory.get('/api/variants/1/cost-movements'),
  ]) {
    expectFailure(t, await request(), 404, 'not_found')
  }
})

t.test('the movements of a cost are listed in pages, and all of them as CSV', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (const unitCost of [1, 2, 3]) await alice.put('/api/variants/1', { unitCost })
  const { movements } = await costsOf(alice, 1)
  t.equal(movements.length, 3)
  const first = await alice.get('/api/variants/1/cost-movements?limit=2')
  t.strictSame(first.json().data, movements.slice(0, 2))
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  const last = await alice.get(next)
  t.strictSame(last.json().data, movements.slice(2))
  t.notOk(last.headers.link)
  const csv = await alice.get('/api/variants/1/cost-movements?limit=1', { accept: 'text/csv' })
  t.equal(csv.body.trim().split('\n').length, 2)
  t.match(csv.headers.link, 'cost-movements')
  for (const path of ['9/cost-movements', '1/cost-movements?cursor=x', '1/cost-movements?limit=251']) {
    const refused = await alice.get(`/api/variants/${path}`)
    t.equal(refused.statusCode, path.startsWith('9') ? 404 : 400, path)
  }
})

t.test('pieces of an order without a rate cost the average until the rate is entered', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  await alice.put('/api/variants/1', { unitCost: 5 })
  const { id } = await makeSentOrder(alice, {
    currency: 'CNY',
    lineItems: [line(1, { quantity: 10, costPrice: 100 }), line(2, { quantity: 30, costPrice: 20 })],
  })
  t.equal((await receive(alice, id, [10, 30])).statusCode, 200)
  t.match(await costsOf(alice, 1), { averageCost: 5, lastCost: 5, onHand: 20 })
  t.match(await costsOf(alice, 2), { averageCost: null, onHand: 40, movements: [] })
  // 10 pieces at 5.00 and 10 at 100 × 0.1: 150 / 20 = 7.50; all pieces of the other cost 20 × 0.1
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 0.1 })).statusCode, 200)
  t.match(await costsOf(alice, 1), { averageCost: 7.5, value: 150 })
  t.match(await costsOf(alice, 2), { averageCost: 2, lastCost: 2, value: 80 })
  // twice as much: 10 pieces more by 10.00 are 250 / 20, and 30 pieces more by 2.00 are 140 / 40
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 0.2 })).statusCode, 200)
  t.match(await costsOf(alice, 1), { averageCost: 12.5 })
  t.match(await costsOf(alice, 2), { averageCost: 3.5 })
  await expectProved(t, db, alice)
})
