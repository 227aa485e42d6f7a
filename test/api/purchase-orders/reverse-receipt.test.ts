import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  makeOrderIn,
  makeSentOrder,
  readOrder,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import {
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  markVariant,
  movementsOf,
  pushLinesOf,
  takeStock,
} from '../../support/make/stock.ts'

const reverse = (person: Person, id: number, receiptId: number, body?: object) =>
  person.post(`/api/purchase-orders/${id}/receipts/${receiptId}/reverse`, body)

const cancel = (person: Person, id: number) => person.post(`/api/purchase-orders/${id}/cancel`)
const close = (person: Person, id: number) => person.post(`/api/purchase-orders/${id}/close`)

/** The id of the newest receipt. */
async function newestReceipt(person: Person, id: number): Promise<number> {
  const [receipt] = await receiptsOf(person, id)
  if (!receipt) throw new Error('Nothing was received.')
  return receipt.id
}

const twoLines = [line(1, { quantity: 10 }), line(2, { quantity: 5 })]

t.test('reversing a receipt reverses its movements and updates the order', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  await receive(alice, id, [10, 5], { locationId: locationGid(2) })
  const receiptId = await newestReceipt(alice, id)
  const answer = await reverse(alice, id, receiptId)
  t.equal(answer.statusCode, 200)
  const { reversedAt } = answer.json().data
  t.strictSame(answer.json(), {
    success: true,
    data: { id: receiptId, purchaseOrderId: id, status: 'sent', reversedAt, alreadyApplied: false },
  })
  t.match(await readOrder(alice, id), {
    status: 'sent',
    receivedAt: null,
    lineItems: [
      { receivedQuantity: 0, outstandingQuantity: 10, status: 'open' },
      { receivedQuantity: 0, outstandingQuantity: 5, status: 'open' },
    ],
  })
  t.match(await receiptsOf(alice, id), [{ id: receiptId, reversedAt, reversedBy: alice.userId }])
  t.match(await levelsOf(db, alice), { '1/1': [10, 10], '1/2': [10, 10], '2/2': [10, 10] })
  const movement = { kind: 'reversal', reason: '', reference: `purchase_order/${id}`, actor: alice.userId }
  t.strictSame((await movementsOf(db, alice)).slice(2), [
    { ...movement, levelKey: '1/2', delta: -10 },
    { ...movement, levelKey: '2/2', delta: -5 },
  ])
  const push = { form: 'adjust', reason: 'correction', reference: movement.reference, state: 'queued' }
  t.strictSame((await pushLinesOf(db, alice)).slice(2), [
    { ...push, levelKey: '1/2', delta: -10 },
    { ...push, levelKey: '2/2', delta: -5 },
  ])
  await expectLedger(t, db, alice)
})

t.test('the status of an order follows its unreversed receipts', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const first = (await receive(alice, id, [4])).json().data
  const firstReceipt = await newestReceipt(alice, id)
  const second = (await receive(alice, id, [6])).json().data
  const secondReceipt = await newestReceipt(alice, id)

  t.match((await reverse(alice, id, secondReceipt)).json().data, { status: 'partial' })
  t.match(await readOrder(alice, id), { status: 'partial', receivedAt: first.receivedAt })
  await receive(alice, id, [6])
  t.match(await readOrder(alice, id), { status: 'received' })
  t.not((await readOrder(alice, id)).receivedAt, second.receivedAt)

  const { receivedAt } = await readOrder(alice, id)
  t.match((await reverse(alice, id, firstReceipt)).json().data, { status: 'partial' })
  t.match(await readOrder(alice, id), { receivedAt, lineItems: [{ receivedQuantity: 6 }] })
  t.match((await reverse(alice, id, await newestReceipt(alice, id))).json().data, { status: 'sent' })
  t.match(await readOrder(alice, id), { receivedAt: null, lineItems: [{ receivedQuantity: 0 }] })
  await expectLedger(t, db, alice)
})

t.test('an order stays received as long as nothing is outstanding', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  await receive(alice, id, [10, 0])
  const tooMany = (await receive(alice, id, [3, 0], { allowOverReceipt: true })).json().data
  t.match(tooMany, { status: 'partial' })
  const receiptId = await newestReceipt(alice, id)
  t.match((await receive(alice, id, [0, 5])).json().data, { status: 'received' })
  t.match((await reverse(alice, id, receiptId)).json().data, { status: 'received' })
  t.match(await readOrder(alice, id), { status: 'received', lineItems: [{ receivedQuantity: 10 }] })
})

t.test('a second reversal moves nothing, even after the order is cancelled', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'partial')
  const receiptId = await newestReceipt(alice, id)
  const first = (await reverse(alice, id, receiptId)).json().data
  const before = [await readOrder(alice, id), await movementsOf(db, alice), await pushLinesOf(db, alice)]
  t.strictSame((await reverse(alice, id, receiptId)).json().data, { ...first, alreadyApplied: true })
  t.strictSame(
    [await readOrder(alice, id), await movementsOf(db, alice), await pushLinesOf(db, alice)],
    before,
  )
  await cancel(alice, id)
  const expected = { ...first, status: 'cancelled', alreadyApplied: true }
  t.strictSame((await reverse(alice, id, receiptId)).json().data, expected)
  t.match(await levelsOf(db, alice), { '1/1': [10, 10] })
})

t.test('one of twenty concurrent requests reverses the receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'received')
  const receiptId = await newestReceipt(alice, id)
  const requests = Array.from({ length: 20 }, () => reverse(alice, id, receiptId))
  const answers = (await Promise.all(requests)).map((answer) => answer.json().data)
  t.equal(answers.filter(({ alreadyApplied }) => !alreadyApplied).length, 1)
  t.equal(new Set(answers.map(({ status, reversedAt }) => `${status} ${reversedAt}`)).size, 1)
  t.match(await levelsOf(db, alice), { '1/1': [10, 10] })
  t.match(await readOrder(alice, id), { lineItems: [{ receivedQuantity: 0 }] })
  await expectLedger(t, db, alice)
})

t.test('a receipt without enough stock cannot be reversed unless negative stock is allowed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, available: 0 })
  const lineItems = [line(1, { quantity: 4 }), line(2, { quantity: 5 }), line(2, { quantity: 1 })]
  const { id } = await makeSentOrder(alice, { lineItems })
  await receive(alice, id, [4, 5, 1])
  const receiptId = await newestReceipt(alice, id)
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 4 })
  const state = async () => [
    await readOrder(alice, id),
    await receiptsOf(alice, id),
    await levelsOf(db, alice),
  ]
  const before = await state()
  for (const body of [undefined, {}, { allowNegative: false }]) {
    const answer = await reverse(alice, id, receiptId, body)
    const { details } = expectFailure(t, answer, 422, 'insufficient_stock')
    const message = 'only 2 in stock'
    t.strictSame(details, [
      { path: '/lineItems/1', message },
      { path: '/lineItems/2', message },
    ])
  }
  t.strictSame(await state(), before)

  t.equal((await reverse(alice, id, receiptId, { allowNegative: true })).statusCode, 200)
  t.match(await levelsOf(db, alice), { '1/1': [0, 0], '2/1': [-4, 0] })
  await expectLedger(t, db, alice)
})

t.test('reversing moves no stock of lines that moved none or are no longer tracked', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const { id } = await makeSentOrder(alice, { lineItems: [line(1), line(2), line(3)] })
  await markVariant(db, alice, 1, 'untracked')
  await receive(alice, id, [1, 1, 1])
  await markVariant(db, alice, 1, 'counted')
  await markVariant(db, alice, 2, 'deleted')
  t.match((await reverse(alice, id, await newestReceipt(alice, id))).json().data, { status: 'sent' })
  t.match((await movementsOf(db, alice)).slice(2), [{ kind: 'reversal', levelKey: '3/1', delta: -1 }])
  t.match(await levelsOf(db, alice), { '1/1': [10, 10], '2/1': [11, 10], '3/1': [10, 10] })
  const returned = { receivedQuantity: 0, status: 'open' }
  t.match((await readOrder(alice, id)).lineItems, [returned, returned, returned])
  await expectLedger(t, db, alice)
})

t.test('quantities cancelled by closing stay cancelled', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  await receive(alice, id, [4])
  await close(alice, id)
  t.match((await reverse(alice, id, await newestReceipt(alice, id))).json().data, { status: 'sent' })
  t.match((await readOrder(alice, id)).lineItems, [
    { receivedQuantity: 0, cancelledQuantity: 6, outstandingQuantity: 4, status: 'open' },
    { receivedQuantity: 0, cancelledQuantity: 5, outstandingQuantity: 0, status: 'cancelled' },
  ])
  t.match((await receive(alice, id, [4])).json().data, { status: 'received' })
})

t.test('concurrent reversal and receipt of one order both succeed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (let round = 0; round < 5; round++) {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
    await receive(alice, id, [4])
    const receiptId = await newestReceipt(alice, id)
    const [reversal, delivery] = await Promise.all([reverse(alice, id, receiptId), receive(alice, id, [6])])
    t.strictSame([reversal.statusCode, delivery.statusCode], [200, 200])
    t.match(await readOrder(alice, id), {
      status: 'partial',
      receivedAt: delivery.json().data.receivedAt,
      lineItems: [{ receivedQuantity: 6, outstandingQuantity: 4 }],
    })
  }
  t.match(await levelsOf(db, alice), { '1/1': [40, 10] })
  await expectLedger(t, db, alice)
})

t.test('concurrent reversals of different lines make the order sent again', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  for (let round = 0; round < 10; round++) {
    const { id } = await makeSentOrder(alice, { lineItems: twoLines })
    await receive(alice, id, [10])
    await receive(alice, id, [0, 5])
    const receipts = await receiptsOf(alice, id)
    const answers = await Promise.all(receipts.map((receipt) => reverse(alice, id, receipt.id)))
    t.strictSame(answers.map((answer) => answer.json().data.status).sort(), ['partial', 'sent'])
    t.match(await readOrder(alice, id), { status: 'sent', receivedAt: null })
  }
  await expectLedger(t, db, alice)
})

t.test('a receipt of another order is not found', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'partial')
  const other = await makeOrderIn(alice, 'partial')
  const receiptOfOther = await newestReceipt(alice, other.id)
  expectFailure(t, await reverse(alice, id, receiptOfOther), 404, 'not_found')
  expectFailure(t, await reverse(alice, id, 999_999), 404, 'not_found')
  expectFailure(t, await reverse(alice, 999_999, receiptOfOther), 404, 'not_found')
  await reverse(alice, other.id, receiptOfOther)
  expectFailure(
    t,
    await reverse(alice, id, receiptOfOther),
    404,
    'not_found',
    'a reversed receipt of another order',
  )
  t.match(await readOrder(alice, id), { status: 'partial' })
})

t.test('another shop cannot reverse a receipt', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'partial')
  const receiptId = await newestReceipt(alice, id)
  expectFailure(t, await reverse(mallory, id, receiptId), 404, 'not_found')
  t.match(await receiptsOf(alice, id), [{ reversedAt: null, reversedBy: '' }])
  t.match(await levelsOf(db, alice), { '1/1': [11, 10] })
})
