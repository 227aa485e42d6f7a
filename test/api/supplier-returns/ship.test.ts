import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeSentOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import {
  closeLocation,
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  movementsOf,
  pushLinesOf,
  takeStock,
} from '../../support/make/stock.ts'
import { makeReturn, makeShippedReturn, readReturn, returned } from '../../support/make/supplier-returns.ts'

const act = (person: Person, id: number, verb: string, body?: object) =>
  person.post(`/api/supplier-returns/${id}/${verb}`, body)

const costsOf = async (person: Person) => (await person.get('/api/variants/1/costs')).json().data

async function expectProved(t: Test, db: Db, { shopId }: Person) {
  const { differences } = await verifyCostBatch(db, shopId, 0)
  t.strictSame(differences, [], 'the ledger proves the averages')
}

/** An order of variant 1 that was received at once; returns the ids of its supplier and receipt. */
async function makeReceived(person: Person, quantity: number, costPrice: number, supplierId?: number) {
  const order = await makeSentOrder(person, {
    ...(supplierId && { supplierId }),
    lineItems: [line(1, { quantity, costPrice })],
  })
  await receive(person, order.id, [quantity])
  const [receipt] = await receiptsOf(person, order.id)
  return { orderId: order.id, supplierId: order.supplierId, receiptId: receipt?.id ?? 0 }
}

t.test('shipping takes the pieces off the stock and sends the change to the platform', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const id = await makeReturn(alice, {
    locationId: locationGid(2),
    lines: [returned(1, 3), returned(1, 1, 'Wrong colour'), returned(2, 2)],
  })
  t.strictSame(await movementsOf(db, alice), [], 'a draft moves nothing')
  const shipped = await act(alice, id, 'ship')
  t.strictSame(shipped.json().data, {
    id,
    number: 'RET-00001',
    state: 'shipped',
    version: 2,
    alreadyApplied: false,
  })
  t.match(await levelsOf(db, alice), { '1/1': [10, 10], '1/2': [6, 10], '2/2': [8, 10] })
  const movement = { kind: 'supplier_return', reference: `supplier_return/${id}`, actor: alice.userId }
  t.strictSame(await movementsOf(db, alice), [
    { ...movement, levelKey: '1/2', delta: -4, reason: 'Damaged in transit; Wrong colour' },
    { ...movement, levelKey: '2/2', delta: -2, reason: 'Damaged in transit' },
  ])
  const push = { form: 'adjust', reason: 'other', reference: `supplier_return/${id}`, state: 'queued' }
  t.strictSame(await pushLinesOf(db, alice), [
    { ...push, levelKey: '1/2', delta: -4 },
    { ...push, levelKey: '2/2', delta: -2 },
  ])
  t.match(await queuedJobs(db, alice), [{ task: 'push-stock' }])
  t.match(await readReturn(alice, id), {
    ...{ shippedAt: /Z$/, shippedBy: alice.userId, cancelledAt: null, cancelledBy: '' },
    lines: [{ isStocked: true }, { isStocked: true }, { isStocked: true }],
  })
  t.match((await act(alice, id, 'ship')).json().data, { state: 'shipped', alreadyApplied: true })
  t.match(await levelsOf(db, alice), { '1/2': [6, 10] }, 'a second shipment moves nothing')
  const filtered = await alice.get('/api/stock-movements?kind=supplier_return')
  t.equal(filtered.json().data.length, 2)
  await expectLedger(t, db, alice)
})

t.test('of two shipments at the same time, one moves the stock', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeReturn(alice, { lines: [returned(1, 4)] })
  const answers = await Promise.all([1, 2, 3].map(() => act(alice, id, 'ship')))
  t.strictSame(answers.map((answer) => answer.json().data.alreadyApplied).sort(), [false, true, true])
  t.match(await levelsOf(db, alice), { '1/1': [6, 10] })
})

t.test('more than the stock is refused by line, unless the merchant allows it', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const id = await makeReturn(alice, { lines: [returned(2, 1), returned(1, 12)] })
  const { details } = expectFailure(t, await act(alice, id, 'ship'), 422, 'insufficient_stock')
  t.strictSame(details, [{ path: '/lines/1/quantity', message: 'only 10 in stock' }])
  t.match(await readReturn(alice, id), { state: 'draft', version: 1 })
  t.strictSame(await movementsOf(db, alice), [])
  t.equal((await act(alice, id, 'ship', { allowNegative: true })).statusCode, 200)
  t.match(await levelsOf(db, alice), { '1/1': [-2, 10], '2/1': [9, 10] })
})

t.test('a return from a location that is no longer in use is refused', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { locations: 2 })
  const id = await makeReturn(alice, { locationId: locationGid(2) })
  await closeLocation(db, alice, 2)
  const { details } = expectFailure(t, await act(alice, id, 'ship'), 422, 'unknown_location')
  t.match(details, [{ path: '/locationId' }])
})

t.test('each state allows its own steps only', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const draft = await makeReturn(alice)
  const credit = { creditAmount: 3, creditReference: 'CN-1' }
  t.match(
    expectFailure(t, await act(alice, draft, 'credit', credit), 409, 'conflict').message,
    /Ship it before/,
  )
  t.match(expectFailure(t, await act(alice, draft, 'undo'), 409, 'conflict').message, /Cancel it instead/)
  t.match((await act(alice, draft, 'cancel')).json().data, { state: 'cancelled', alreadyApplied: false })
  t.match((await act(alice, draft, 'cancel')).json().data, { state: 'cancelled', alreadyApplied: true })
  expectFailure(t, await act(alice, draft, 'ship'), 409, 'conflict')
  expectFailure(t, await act(alice, draft, 'credit', credit), 409, 'conflict')
  t.strictSame(await movementsOf(db, alice), [])

  const shipped = await makeShippedReturn(alice)
  t.match(expectFailure(t, await act(alice, shipped, 'cancel'), 409, 'conflict').message, /Undo the shipment/)
  await act(alice, shipped, 'credit', credit)
  expectFailure(t, await act(alice, shipped, 'cancel'), 409, 'conflict')
  t.match(expectFailure(t, await act(alice, shipped, 'undo'), 409, 'conflict').message, /has credited/)
  t.match((await act(alice, shipped, 'ship')).json().data, { state: 'credited', alreadyApplied: true })
})

t.test('undoing a shipment puts the pieces back, also where the location is closed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { locations: 2 })
  const id = await makeShippedReturn(alice, { locationId: locationGid(2), lines: [returned(1, 4)] })
  await closeLocation(db, alice, 2)
  t.match((await act(alice, id, 'undo')).json().data, { state: 'cancelled', alreadyApplied: false })
  t.match((await act(alice, id, 'undo')).json().data, { state: 'cancelled', alreadyApplied: true })
  t.match(await readReturn(alice, id), { cancelledBy: alice.userId })
  t.match(await levelsOf(db, alice), { '1/2': [10, 10] })
  t.match(await movementsOf(db, alice), [
    { kind: 'supplier_return', delta: -4 },
    { kind: 'supplier_return', delta: 4 },
  ])
  t.match(await pushLinesOf(db, alice), [{ delta: -4 }, { delta: 4, reason: 'correction' }])
  await expectLedger(t, db, alice)
})

t.test('a receipt with a return cannot be reversed until the return is cancelled', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { orderId, supplierId, receiptId } = await makeReceived(alice, 5, 2)
  const reverse = () => alice.post(`/api/purchase-orders/${orderId}/receipts/${receiptId}/reverse`)
  const id = await makeReturn(alice, { supplierId, receiptId })
  t.match(
    expectFailure(t, await reverse(), 409, 'conflict').message,
    'Goods of this receipt are on the return RET-00001. Cancel it before you undo the receipt.',
  )
  await act(alice, id, 'ship')
  t.match(expectFailure(t, await reverse(), 409, 'conflict').message, /went back .* RET-00001/)
  await act(alice, id, 'undo')
  const before = await levelsOf(db, alice)
  t.match(before, { '1/1': [15, 10] })
  t.equal((await reverse()).statusCode, 200)
  t.match(await levelsOf(db, alice), { '1/1': [10, 10] })
  const late = await alice.post('/api/supplier-returns', {
    supplierId,
    receiptId,
    locationId: locationGid(1),
    lines: [returned(1, 1)],
  })
  t.match(expectFailure(t, late, 409, 'conflict').message, /was reversed/)
  await expectProved(t, db, alice)
})

t.test('of a return and a reversal of one receipt at the same time, one wins', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (let round = 0; round < 5; round += 1) {
    const { orderId, supplierId, receiptId } = await makeReceived(alice, 2 + round, 2)
    const [created, reversed] = await Promise.all([
      alice.post('/api/supplier-returns', {
        supplierId,
        receiptId,
        locationId: locationGid(1),
        lines: [returned(1, 1)],
      }),
      alice.post(`/api/purchase-orders/${orderId}/receipts/${receiptId}/reverse`),
    ])
    t.strictSame([created.statusCode === 201, reversed.statusCode === 200].sort(), [false, true])
  }
})

/*
 * 10 on hand at 2.00, 5 received at 2.60: (20 + 13) / 15 = 2.20. Two go back: (33 - 5.20) / 13 = 2.138462. A late charge of
 * 1.30 adds 1.30 × min(13, 5) / 5 to the average: (27.80 + 1.30) / 13 = 2.238462. The three that are left of the receipt are
 * worth 13 + 1.30 - 5.20 = 9.10; they go back: (29.10 - 9.10) / 10 = 2.00.
 */
t.test('returned pieces take the cost of their own receipt out of the average', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/variants/1', { unitCost: 2 })
  const { orderId, supplierId, receiptId } = await makeReceived(alice, 5, 2.6)
  t.match(await costsOf(alice), { averageCost: 2.2 })
  const first = await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 2)] })
  t.match(await costsOf(alice), {
    averageCost: 2.138462,
    lastCost: 2.6,
    onHand: 13,
    movements: [
      {
        cause: 'return',
        reference: `supplier_return/${first}`,
        quantity: -2,
        unitCost: 2.6,
        averageBefore: 2.2,
        variance: 0,
      },
    ],
  })
  await alice.post(`/api/purchase-orders/${orderId}/charges`, {
    kind: 'freight',
    amount: 1.3,
    basis: 'value',
  })
  t.match(await costsOf(alice), { averageCost: 2.238462 })
  const second = await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 3)] })
  t.match(await costsOf(alice), { averageCost: 2, movements: [{ quantity: -3, unitCost: 3.033333 }] })
  const landed = (await alice.get('/api/reports/price-history')).json().data
  t.match(landed, [{ landedUnitCost: 2.86 }], 'what was paid for the receipt stays')
  await act(alice, second, 'undo')
  t.match(await costsOf(alice), { averageCost: 2.238462, movements: [{ quantity: 3 }] })
  await act(alice, first, 'undo')
  t.match(await costsOf(alice), { averageCost: 2.286667, onHand: 15 }, '(29.10 + 5.20) / 15')
  await expectProved(t, db, alice)
})

/* 10 on hand at 2.00, 5 received at 20.00, and a person enters 7.15. Two go back: 2 × (7.15 - 20.00) = -25.70 is a variance. */
t.test('returned pieces keep an average that a person has entered since the receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/variants/1', { unitCost: 2 })
  const { supplierId, receiptId } = await makeReceived(alice, 5, 20)
  t.match(await costsOf(alice), { averageCost: 8 })
  await alice.put('/api/variants/1', { unitCost: 7.15 })
  const first = await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 2)] })
  t.match(await costsOf(alice), {
    averageCost: 7.15,
    movements: [{ cause: 'return', quantity: -2, unitCost: 20, variance: -25.7 }],
  })
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 3)] })
  t.match(await costsOf(alice), { averageCost: 7.15, movements: [{ unitCost: 20, variance: -38.55 }] })
  await act(alice, first, 'undo')
  t.match(await costsOf(alice), { averageCost: 7.15, onHand: 12 })
  await expectProved(t, db, alice)
})

/*
 * 100 received at 10.00, 90 sold, then 100.00 of freight: 10 pieces take 10.00 of it, 90.00 are a variance, and the average is
 * 110 / 10 = 11.00. Each piece cost (1000 + 100) / 100 = 11.00. Five go back: (110 - 55) / 5 = 11.00; four more: (55 - 44) / 1 = 11.00.
 */
t.test('pieces go back with their part of a late charge, of which a part is a variance', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const { orderId, supplierId, receiptId } = await makeReceived(alice, 100, 10)
  const freight = { kind: 'freight', amount: 100, basis: 'quantity' }
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 90 })
  const charged = await alice.post(`/api/purchase-orders/${orderId}/charges`, freight)
  t.match(await costsOf(alice), { averageCost: 11, movements: [{ variance: 90 }] })
  const first = await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 5)] })
  t.match(await costsOf(alice), { averageCost: 11, movements: [{ quantity: -5, unitCost: 11, variance: 0 }] })
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 4)] })
  t.match(await costsOf(alice), { averageCost: 11, onHand: 1, movements: [{ unitCost: 11, variance: 0 }] })
  await act(alice, first, 'undo')
  t.match(await costsOf(alice), { averageCost: 11, onHand: 6 })
  // the freight is taken off again: 6 pieces lose 1.00 each, and the pieces cost what they did before
  await alice.delete(`/api/purchase-orders/${orderId}/charges/${charged.json().data.id}`)
  t.match(await costsOf(alice), { averageCost: 10 })
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 3)] })
  t.match(await costsOf(alice), { averageCost: 10, onHand: 3, movements: [{ unitCost: 10 }] })
  await expectProved(t, db, alice)
})

/*
 * 100 received at 10.00, 5 go back, 90 are sold: 5 at 10.00. 100.00 of freight are 5.00 for them, and 95.00 are a variance:
 * 55 / 5 = 11.00. The 95 pieces carry 950 + 95, so 11.00 each. 4 go back: (55 - 44) / 1 = 11.00.
 */
t.test('pieces that had gone back leave no part of a later charge to the others', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const { orderId, supplierId, receiptId } = await makeReceived(alice, 100, 10)
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 5)] })
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 90 })
  const freight = { kind: 'freight', amount: 100, basis: 'quantity' }
  await alice.post(`/api/purchase-orders/${orderId}/charges`, freight)
  t.match(await costsOf(alice), { averageCost: 11, movements: [{ variance: 95 }] })
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 4)] })
  t.match(await costsOf(alice), { averageCost: 11, movements: [{ quantity: -4, unitCost: 11 }] })
  await expectProved(t, db, alice)
})

/*
 * 10 received at 10.00 are sold, and 20.00 of freight are a variance. Customers bring 4 back, which are at 10.00 again; 6 of another
 * receipt cost 10.00, too. The freight is in no average, so 4 go back at 10.00: (100 - 40) / 6 = 10.00.
 */
t.test('a charge that came when all pieces had left is not taken out with them', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const { orderId, supplierId, receiptId } = await makeReceived(alice, 10, 10)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 10 })
  const freight = { kind: 'freight', amount: 20, basis: 'quantity' }
  await alice.post(`/api/purchase-orders/${orderId}/charges`, freight)
  t.match(await costsOf(alice), { averageCost: 10, movements: [{ variance: 20 }] })
  await takeStock(db, alice, { variant: 1, location: 1, quantity: -4 })
  await makeReceived(alice, 6, 10)
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 4)] })
  t.match(await costsOf(alice), {
    averageCost: 10,
    onHand: 6,
    movements: [{ quantity: -4, unitCost: 10, variance: 0 }],
  })
  await expectProved(t, db, alice)
})

t.test('pieces without a receipt, and the last ones, leave the average unchanged', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/variants/1', { unitCost: 2 })
  await makeShippedReturn(alice, { lines: [returned(1, 4)] })
  t.match(await costsOf(alice), { averageCost: 2, onHand: 6, movements: [{ quantity: -4, unitCost: 2 }] })
  const { supplierId, receiptId } = await makeReceived(alice, 6, 4)
  t.match(await costsOf(alice), { averageCost: 3 })
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 6 })
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 6)] })
  t.match(
    await costsOf(alice),
    { averageCost: 3, onHand: 0, movements: [{ quantity: -6, unitCost: 4, variance: -6 }] },
    'the six pieces had cost 24.00, and left at an average of 3.00: 6.00 less',
  )
  await expectProved(t, db, alice)
})

t.test('goods of unknown cost go back without a row in the ledger of costs', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeShippedReturn(alice, { lines: [returned(1, 4)] })
  t.match(await costsOf(alice), { averageCost: null, movements: [] })
  await act(alice, id, 'undo')
  t.match(await levelsOf(db, alice), { '1/1': [10, 10] })
  t.match(await costsOf(alice), { averageCost: null, movements: [] })
})

t.test('a changed average is written to the platform when the shop wants it', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/settings', { costWriteBack: 'average' })
  await alice.put('/api/variants/1', { unitCost: 2 })
  const { supplierId, receiptId } = await makeReceived(alice, 5, 2.6)
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 5)] })
  const cost = await db.oneFirst(sql.typeAlias('void')`
    select cost::text from cost_push where shop_id = ${alice.shopId}
  `)
  t.equal(Number(cost), 2)
})
