import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { line, makeSentOrder, readOrder } from '../../support/make/orders.ts'
import {
  expectLedger,
  item,
  levelsOf,
  locationGid,
  makeStock,
  makeTransfer,
  markVariant,
  movementsOf,
  pushLinesOf,
  readTransfer,
  variantGid,
} from '../../support/make/stock.ts'

/** Two variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  await makeStock(people.db, people.alice, { variants: 2, locations: 2 })
  return people
}

const address = (id: number, verb: string) => `/api/stock-transfers/${id}/${verb}`
const ship = (person: Person, id: number, items?: object[], fields: object = {}) =>
  person.post(address(id, 'ship'), { ...(items && { items }), ...fields })
/** With a key, so that equal receipts are no double click. */
const receive = (person: Person, id: number, ...items: object[]) =>
  person.send('POST', address(id, 'receive'), { items }, { 'idempotency-key': randomUUID() })
const close = (person: Person, id: number, body: object = {}) => person.post(address(id, 'close'), body)
const reverse = (person: Person, id: number, eventId: number, body: object = {}) =>
  person.post(address(id, `events/${eventId}/reverse`), body)

const arrived = (number: number, received: number, lost = 0, damaged = 0) => ({
  variantId: variantGid(number),
  ...{ received, lost, damaged },
})

/** Pieces of the items: shipped, received, lost, damaged, returned, in transit. */
const piecesOf = async (person: Person, id: number) =>
  (await readTransfer(person, id)).items.map((item) => [
    ...[item.shipped, item.received, item.lost, item.damaged, item.returned, item.inTransit],
  ])

const eventsOf = async (person: Person, id: number) =>
  (await person.get(address(id, 'events'))).json().data as {
    id: number
    kind: string
    reversedAt: string | null
    lossValue: number | null
  }[]

const brief = (movements: Awaited<ReturnType<typeof movementsOf>>) =>
  movements.map(({ levelKey, delta }) => `${levelKey} ${delta}`)

/** Goods of variant 1 at a known cost: 10 are received, 30 are in the shop afterwards. */
async function buy(person: Person, costPrice: number) {
  const order = await makeSentOrder(person, { lineItems: [line(1, { quantity: 10, costPrice })] })
  const [first] = (await readOrder(person, order.id)).lineItems
  const answer = await person.post(`/api/purchase-orders/${order.id}/receive`, {
    lineItems: [{ lineItemId: first?.id, quantityReceived: 10 }],
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

const costsOf = async (person: Person) => (await person.get('/api/variants/1/costs')).json().data

t.test('of ten shipped pieces seven arrive, two are lost and one is damaged', async (t) => {
  const { db, alice } = await start(t)
  await buy(alice, 2.2)
  const before = await costsOf(alice)
  t.match(before, { onHand: 30, averageCost: 2.2 })
  const id = await makeTransfer(alice, { items: [item(1, 10)] })
  const shipped = (await ship(alice, id)).json().data
  t.match(shipped, { id, status: 'in_transit' })
  t.strictSame(await piecesOf(alice, id), [[10, 0, 0, 0, 0, 10]])
  t.match(await costsOf(alice), { onHand: 30, value: 66 }, 'goods in transit are still of the shop')

  const answer = await receive(alice, id, arrived(1, 7, 2, 1))
  t.equal(answer.statusCode, 200)
  const { eventId } = answer.json().data
  t.strictSame(answer.json().data, { id, status: 'completed', eventId })
  t.match(await readTransfer(alice, id), {
    status: 'completed',
    completedAt: /Z$/,
    cancelledAt: null,
    version: 3,
  })
  t.strictSame(await piecesOf(alice, id), [[10, 7, 2, 1, 0, 0]])
  t.strictSame(await levelsOf(db, alice), {
    '1/1': [10, 10],
    '1/2': [17, 10],
    '2/1': [10, 10],
    '2/2': [10, 10],
  })
  const [listed] = (await alice.get('/api/stock-transfers')).json().data
  t.match(listed, { id, status: 'completed', quantity: 10, shipped: 10, inTransit: 0 })

  const after = await costsOf(alice)
  t.match(after, { onHand: 27, averageCost: 2.2, value: 59.4 })
  t.match(after.movements[0], {
    cause: 'loss',
    reference: `stock_transfer/${id}`,
    actor: alice.userId,
    quantity: -3,
    unitCost: 2.2,
    averageAfter: 2.2,
  })
  t.match(await eventsOf(alice, id), [
    { id: eventId, kind: 'receive', actor: alice.userId, lossValue: 6.6, reversedAt: null, reversedBy: '' },
    { kind: 'ship', lossValue: 0, items: [{ sku: 'SKU-1', shipped: 10, received: 0 }] },
  ])
  await expectLedger(t, db, alice)
  t.strictSame((await verifyCostBatch(db, alice.shopId, 0)).differences, [])
})

t.test('a transfer is shipped and received in parts', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 4), item(2, 5), item(1, 6)] })
  t.match((await ship(alice, id, [item(1, 3), item(1, 3)])).json().data, { status: 'in_transit' })
  t.strictSame(
    await piecesOf(alice, id),
    [
      [4, 0, 0, 0, 0, 4],
      [0, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 2],
    ],
    'the pieces of a variant fill its lines in their order',
  )
  t.match((await receive(alice, id, arrived(1, 5))).json().data, { status: 'partial' })
  t.strictSame((await alice.get('/api/stock-transfers?status=partial')).json().data.length, 1)
  t.match(
    (await receive(alice, id, arrived(1, 1))).json().data,
    { status: 'partial' },
    'a part was not shipped yet',
  )
  t.match((await ship(alice, id)).json().data, { status: 'partial' })
  t.strictSame(await piecesOf(alice, id), [
    [4, 4, 0, 0, 0, 0],
    [5, 0, 0, 0, 0, 5],
    [6, 2, 0, 0, 0, 4],
  ])
  t.match((await receive(alice, id, arrived(1, 4), arrived(2, 5))).json().data, { status: 'completed' })
  t.strictSame(brief(await movementsOf(db, alice)), [
    ...['1/1 -6', '1/2 5', '1/2 1', '1/1 -4', '2/1 -5', '1/2 4', '2/2 5'],
  ])
  t.match(
    (await pushLinesOf(db, alice)).map(({ reason }) => reason),
    [
      ...[
        'movement_created',
        'movement_received',
        'movement_received',
        'movement_created',
        'movement_created',
      ],
      ...['movement_received', 'movement_received'],
    ],
  )
  await expectLedger(t, db, alice)
})

t.test('a refused change of a partial transfer names a step that it has', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  await ship(alice, id, [item(1, 5)])
  await receive(alice, id, arrived(1, 2))
  for (const patch of [{ items: [item(1, 4)] }, { status: 'cancelled' }]) {
    const refused = await alice.put(`/api/stock-transfers/${id}`, patch)
    t.match(expectFailure(t, refused, 409, 'conflict').message, /close (it|the transfer)/i)
  }
})

t.test('a partial transfer is completed by PUT, which receives what is in transit', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 8)] })
  await ship(alice, id, [item(1, 6)])
  await receive(alice, id, arrived(1, 1, 1))
  t.match(await readTransfer(alice, id), { status: 'partial' })
  const put = (body: object) => alice.put(`/api/stock-transfers/${id}`, body)
  t.equal((await put(await readTransfer(alice, id))).statusCode, 200, 'what was read can be sent back')
  t.match(expectFailure(t, await put({ status: 'cancelled' }), 409, 'conflict').message, /close it/)
  t.match((await put({ status: 'completed' })).json().data, { status: 'completed', alreadyApplied: false })
  t.strictSame(await piecesOf(alice, id), [[6, 5, 1, 0, 0, 0]])
  t.match((await put({ status: 'completed' })).json().data, { alreadyApplied: true })
  t.strictSame((await levelsOf(db, alice))['1/2'], [15, 10])
  t.match(
    (await eventsOf(alice, id)).map(({ kind }) => kind),
    ['complete', 'receive', 'ship'],
  )
  const planned = await makeTransfer(alice)
  const partial = await alice.put(`/api/stock-transfers/${planned}`, { status: 'partial' })
  t.match(expectFailure(t, partial, 409, 'conflict').message, /partial/)
})

t.test('closing returns what is in transit, or books it as lost', async (t) => {
  const { db, alice } = await start(t)
  await buy(alice, 3)
  const back = await makeTransfer(alice, { items: [item(1, 6)] })
  await ship(alice, back, [item(1, 4)])
  t.match((await close(alice, back)).json().data, { status: 'cancelled' }, 'nothing has arrived')
  t.strictSame(await piecesOf(alice, back), [[4, 0, 0, 0, 4, 0]])
  const returned = (await movementsOf(db, alice)).at(-1)
  t.match(returned, { levelKey: '1/1', delta: 4, kind: 'transfer', reason: 'Returned to the source' })
  t.match((await pushLinesOf(db, alice)).at(-1), { reason: 'movement_canceled' })

  const lost = await makeTransfer(alice, { items: [item(1, 4), item(2, 2), item(1, 5)] })
  await ship(alice, lost)
  await receive(alice, lost, arrived(1, 2))
  const closing = { rest: 'lost', items: [{ variantId: variantGid(1), returned: 3 }] }
  t.match((await close(alice, lost, closing)).json().data, { status: 'completed' })
  t.strictSame(await piecesOf(alice, lost), [
    [4, 2, 0, 0, 2, 0],
    [2, 0, 2, 0, 0, 0],
    [5, 0, 4, 0, 1, 0],
  ])
  t.match(await costsOf(alice), { onHand: 26, averageCost: 3, value: 78 })
  t.match(
    (await eventsOf(alice, lost))[0],
    { kind: 'close', lossValue: null },
    'the cost of variant 2 is not known',
  )
  await expectLedger(t, db, alice)
  t.strictSame((await verifyCostBatch(db, alice.shopId, 0)).differences, [])

  for (const id of [back, lost]) {
    expectFailure(t, await close(alice, id), 409, 'conflict')
    expectFailure(t, await ship(alice, id, [item(1, 1)]), 409, 'conflict')
    expectFailure(t, await receive(alice, id, arrived(1, 1)), 409, 'conflict')
  }
})

t.test('a transfer that was shipped further in the meantime is not closed', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  await ship(alice, id, [item(1, 5)])
  const { version } = await readTransfer(alice, id)
  await ship(alice, id, [item(1, 4)])
  expectFailure(t, await close(alice, id, { rest: 'lost', version }), 409, 'stale_version')
  const completed = await alice.put(`/api/stock-transfers/${id}`, { status: 'completed', version })
  expectFailure(t, completed, 409, 'stale_version')
  t.strictSame(await piecesOf(alice, id), [[9, 0, 0, 0, 0, 9]])
  const { version: now } = await readTransfer(alice, id)
  t.match((await close(alice, id, { version: now })).json().data, { status: 'cancelled' })
  t.strictSame((await levelsOf(db, alice))['1/1'], [10, 10])
})

t.test('a receipt is reversed with its stock and its costs', async (t) => {
  const { db, alice } = await start(t)
  await buy(alice, 2)
  const id = await makeTransfer(alice, { items: [item(1, 10)] })
  await ship(alice, id)
  const { eventId } = (await receive(alice, id, arrived(1, 7, 2, 1))).json().data
  // pieces at another price come between the loss and its reversal: (27 x 2 + 10 x 5.7) / 37 = 3
  await buy(alice, 5.7)
  t.match(await costsOf(alice), { onHand: 37, averageCost: 3 })

  const answer = await reverse(alice, id, eventId)
  const { reversedAt } = answer.json().data
  t.strictSame(answer.json().data, {
    ...{ id: eventId, transferId: id, status: 'in_transit', reversedAt, alreadyApplied: false },
  })
  t.strictSame(await piecesOf(alice, id), [[10, 0, 0, 0, 0, 10]])
  t.match(await readTransfer(alice, id), { status: 'in_transit', completedAt: null, shippedAt: /Z$/ })
  t.match((await movementsOf(db, alice)).at(-1), { levelKey: '1/2', delta: -7, reason: 'Reversed' })
  // (37 x 3 + 3 x 2) / 40 = 2.925
  const costs = await costsOf(alice)
  t.match(costs, { onHand: 40, averageCost: 2.925 })
  t.match(costs.movements[0], { cause: 'reversal', quantity: 3, unitCost: 2 })
  t.match((await reverse(alice, id, eventId)).json().data, { alreadyApplied: true, reversedAt })
  t.match(await eventsOf(alice, id), [{ reversedAt, reversedBy: alice.userId }, { reversedAt: null }])
  await expectLedger(t, db, alice)
  t.strictSame((await verifyCostBatch(db, alice.shopId, 0)).differences, [])
})

t.test('pieces that were dropped at the end of a transfer stay at the source', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  await ship(alice, id, [item(1, 5)])
  await receive(alice, id, arrived(1, 2))
  const { eventId } = (await receive(alice, id, arrived(1, 3))).json().data
  t.match((await close(alice, id)).json().data, { status: 'completed' })
  t.match((await reverse(alice, id, eventId)).json().data, { status: 'partial' })
  t.match(await readTransfer(alice, id), { isPlanEnded: true })
  t.match(expectFailure(t, await ship(alice, id), 409, 'conflict').message, /stay at the source/)
  expectFailure(t, await ship(alice, id, [item(1, 4)]), 409, 'conflict')
  t.match((await receive(alice, id, arrived(1, 3))).json().data, { status: 'completed' })
})

t.test('dropped pieces are planned again when the completion is reversed', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  await ship(alice, id, [item(1, 5)])
  await alice.put(`/api/stock-transfers/${id}`, { status: 'completed' })
  const [completion] = await eventsOf(alice, id)
  t.match(await readTransfer(alice, id), { status: 'completed', isPlanEnded: true })
  t.match((await reverse(alice, id, completion?.id ?? 0)).json().data, { status: 'in_transit' })
  t.match(await readTransfer(alice, id), { isPlanEnded: false })
  t.match((await ship(alice, id)).json().data, { status: 'in_transit' })
  t.strictSame(await piecesOf(alice, id), [[9, 0, 0, 0, 0, 9]])
})

t.test('events are reversed from the last one, and only with the stock that they moved', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 10)] })
  const shipped = (await ship(alice, id)).json().data.eventId
  const received = (await receive(alice, id, arrived(1, 10))).json().data.eventId
  t.match(expectFailure(t, await reverse(alice, id, shipped), 409, 'conflict').message, /later events/)
  await alice.post('/api/stock-levels/adjust', {
    adjustments: [{ variantId: variantGid(1), locationId: locationGid(2), delta: -15 }],
  })
  t.strictSame(expectFailure(t, await reverse(alice, id, received), 422, 'insufficient_stock').details, [
    { path: '/items/0', message: 'only 5 in stock' },
  ])
  t.match(await readTransfer(alice, id), { status: 'completed' })
  t.equal((await reverse(alice, id, received, { allowNegative: true })).statusCode, 200)
  t.match((await reverse(alice, id, shipped)).json().data, { status: 'pending' })
  t.match(await readTransfer(alice, id), { status: 'pending', shippedAt: null })
  t.strictSame(await levelsOf(db, alice), {
    ...{ '1/1': [10, 10], '1/2': [-5, 10], '2/1': [10, 10], '2/2': [10, 10] },
  })
  await alice.put(`/api/stock-transfers/${id}`, { status: 'cancelled' })
  const [cancelled] = await eventsOf(alice, id)
  t.match(
    expectFailure(t, await reverse(alice, id, cancelled?.id ?? 0), 409, 'conflict').message,
    /moved no goods/,
  )
  const other = await makeTransfer(alice)
  expectFailure(t, await reverse(alice, other, received), 404, 'not_found')
  await expectLedger(t, db, alice)
})

t.test('the API names the field and the rule of a wrong request', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 3)] })
  t.match(expectFailure(t, await receive(alice, id, arrived(1, 1)), 409, 'conflict').message, /Ship it first/)
  t.match(expectFailure(t, await close(alice, id), 409, 'conflict').message, /Cancel it/)
  t.strictSame(
    expectFailure(t, await ship(alice, id, [item(1, 2), item(1, 2)]), 422, 'over_shipment').details,
    [
      { path: '/items/0/quantity', message: 'only 3 left to ship' },
      { path: '/items/1/quantity', message: 'only 3 left to ship' },
    ],
  )
  t.strictSame(
    expectFailure(t, await ship(alice, id, [item(1, 1), item(2, 1)]), 422, 'unknown_line').details,
    [{ path: '/items/1/variantId', message: 'is not on this transfer' }],
  )
  t.match(expectFailure(t, await ship(alice, id, [item(1, 0)]), 400, 'invalid_request').details, [
    { path: '/items/0/quantity' },
  ])
  await ship(alice, id, [item(1, 2)])
  t.strictSame(expectFailure(t, await receive(alice, id, arrived(1, 2, 0, 1)), 422, 'over_transit').details, [
    { path: '/items/0/received', message: 'only 2 in transit' },
    { path: '/items/0/damaged', message: 'only 2 in transit' },
  ])
  t.match(expectFailure(t, await receive(alice, id, arrived(1, 0)), 422, 'nothing_received').details, [
    { path: '/items/0/received' },
  ])
  for (const [body, path] of [
    [{}, '/items'],
    [{ items: [] }, '/items'],
    [{ items: [{ variantId: variantGid(1) }] }, '/items/0/received'],
    [{ items: [arrived(1, -1)] }, '/items/0/received'],
    [{ items: [arrived(1, 1, 0.5)] }, '/items/0/lost'],
    [{ items: [{ ...arrived(1, 1), variantId: 'x' }] }, '/items/0/variantId'],
  ] as const) {
    t.match(
      expectFailure(t, await alice.post(address(id, 'receive'), body), 400, 'invalid_request').details,
      [{ path }],
    )
  }
  for (const [body, path] of [
    [{ rest: 'stolen' }, '/rest'],
    [{ items: [{ variantId: variantGid(1), lost: -1 }] }, '/items/0/lost'],
  ] as const) {
    t.match(expectFailure(t, await close(alice, id, body), 400, 'invalid_request').details, [{ path }])
  }
  const over = await close(alice, id, { items: [{ variantId: variantGid(1), lost: 3 }] })
  t.match(expectFailure(t, over, 422, 'over_transit').details, [{ path: '/items/0/lost' }])
  t.strictSame(await piecesOf(alice, id), [[2, 0, 0, 0, 0, 2]])
  t.strictSame(brief(await movementsOf(db, alice)), ['1/1 -2'])
})

t.test(
  'a part is shipped only with its stock, and received whatever became of product and location',
  async (t) => {
    const { db, alice } = await start(t)
    const id = await makeTransfer(alice, { items: [item(1, 30), item(2, 2)] })
    t.strictSame(
      expectFailure(t, await ship(alice, id, [item(2, 1), item(1, 12)]), 422, 'insufficient_stock').details,
      [{ path: '/items/1/quantity', message: 'only 10 in stock' }],
    )
    t.equal((await ship(alice, id, [item(1, 12)], { allowNegative: true })).statusCode, 200)
    await markVariant(db, alice, 1, 'deleted')
    t.equal((await ship(alice, id, [item(2, 2)])).statusCode, 200, 'the other product can be shipped')
    t.match(expectFailure(t, await ship(alice, id, [item(1, 1)]), 422, 'unknown_variant').details, [
      { path: '/items/0/variantId' },
    ])
    t.equal((await receive(alice, id, arrived(1, 12), arrived(2, 1, 1))).statusCode, 200)
    t.strictSame(await levelsOf(db, alice), {
      ...{ '1/1': [-2, 10], '1/2': [22, 10], '2/1': [8, 10], '2/2': [11, 10] },
    })
  },
)

t.test('a repeated request with its key moves the goods once', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  await ship(alice, id)
  const key = { 'idempotency-key': randomUUID() }
  const body = { items: [arrived(1, 2, 1)] }
  const answers = await Promise.all(
    [1, 2, 3].map(() => alice.send('POST', address(id, 'receive'), body, key)),
  )
  const done = answers.filter(({ statusCode }) => statusCode === 200)
  t.ok(done.length > 0)
  t.equal(new Set(done.map((answer) => answer.json().data.eventId)).size, 1)
  t.strictSame(await piecesOf(alice, id), [[9, 2, 1, 0, 0, 6]])
  t.strictSame((await levelsOf(db, alice))['1/2'], [12, 10])
})

t.test('a request that is repeated after its key has expired moves the goods once', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 20)] })
  const again = async (verb: string, body: object, key: string = randomUUID()) => {
    const send = () => alice.send('POST', address(id, verb), body, { 'idempotency-key': key })
    const first = (await send()).json()
    // as the hourly job does after 24 hours
    await db.query(sql.typeAlias('void')`delete from idempotency_key where shop_id = ${alice.shopId}`)
    const repeated = await send()
    t.notOk('idempotent-replayed' in repeated.headers, 'the answer was not stored any more')
    t.strictSame(repeated.json(), first)
    return key
  }
  // 10 at the source - 8 shipped = 2; 20 - 8 = 12 are left to ship
  await again('ship', { items: [item(1, 8)] })
  t.strictSame((await levelsOf(db, alice))['1/1'], [2, 10])
  await again('ship', { items: [item(1, 12)], allowNegative: true })
  t.strictSame(await piecesOf(alice, id), [[20, 0, 0, 0, 0, 20]])
  // 20 in transit - 7 received = 13; a second receipt would leave 6
  const key = await again('receive', { items: [arrived(1, 7)] })
  t.strictSame(await piecesOf(alice, id), [[20, 7, 0, 0, 0, 13]])
  t.strictSame((await levelsOf(db, alice))['1/2'], [17, 10])
  await again('receive', { items: [arrived(1, 7)] })
  t.strictSame(await piecesOf(alice, id), [[20, 14, 0, 0, 0, 6]], 'another key is another box of 7')
  await again('receive', { items: [arrived(1, 6)] }, key)
  t.strictSame(await piecesOf(alice, id), [[20, 20, 0, 0, 0, 0]], 'an expired key accepts another request')
  await expectLedger(t, db, alice)
})

t.test('a double click without a key receives once', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  await ship(alice, id)
  const body = { items: [arrived(1, 4, 1)] }
  const answers = await Promise.all([1, 2].map(() => alice.post(address(id, 'receive'), body)))
  const [first, second] = answers.map((answer) => answer.json())
  t.strictSame(first, second)
  t.match(first, { success: true, data: { id, status: 'partial' } })
  t.strictSame((await levelsOf(db, alice))['1/2'], [14, 10])
  t.equal(
    (await alice.post(address(id, 'receive'), { items: [arrived(1, 4)] })).statusCode,
    200,
    'other numbers',
  )
  t.strictSame(await piecesOf(alice, id), [[9, 8, 1, 0, 0, 0]])
  t.match((await alice.post(address(id, 'receive'), body)).json().data, { status: 'completed' }, 'once more')
  await reverse(alice, id, first.data.eventId)
  t.match((await alice.post(address(id, 'receive'), body)).json().data, { status: 'completed' })
  t.strictSame((await levelsOf(db, alice))['1/2'], [18, 10], 'a reversed receipt is not a first click')
})

t.test('a double click without a key ships once', async (t) => {
  const { db, alice, mallory } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  const answers = await Promise.all([1, 2].map(() => ship(alice, id, [item(1, 4)])))
  const [first, second] = answers.map((answer) => answer.json())
  t.strictSame(first, second)
  t.match(first, { success: true, data: { id, status: 'in_transit' } })
  t.strictSame(await piecesOf(alice, id), [[4, 0, 0, 0, 0, 4]])
  t.strictSame((await levelsOf(db, alice))['1/1'], [6, 10])
  expectFailure(t, await ship(mallory, id, [item(1, 4)]), 404, 'not_found')
  await ship(alice, id, [item(1, 1)])
  t.strictSame(await piecesOf(alice, id), [[5, 0, 0, 0, 0, 5]], 'other numbers')
  const key = { 'idempotency-key': randomUUID() }
  await alice.send('POST', address(id, 'ship'), { items: [item(1, 4)] }, key)
  t.strictSame(await piecesOf(alice, id), [[9, 0, 0, 0, 0, 9]], 'a key says that it is another request')
  t.equal((await eventsOf(alice, id)).length, 3)
})

t.test('a double click ships once, also when the goods have arrived in between', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  const { eventId } = (await ship(alice, id)).json().data
  await alice.put(`/api/stock-transfers/${id}`, { status: 'completed' })
  const again = await ship(alice, id)
  t.equal(again.statusCode, 200)
  t.match(again.json().data, { id, status: 'completed', eventId })
  t.strictSame(await piecesOf(alice, id), [[9, 9, 0, 0, 0, 0]])
  expectFailure(t, await ship(alice, id, [item(1, 2)]), 409, 'conflict')
})

t.test('a double click ships the rest once, and closes once', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9)] })
  const [first, second] = (await Promise.all([ship(alice, id), ship(alice, id)])).map((answer) =>
    answer.json(),
  )
  t.ok(first.success)
  t.strictSame(first, second)
  const closed = await Promise.all([1, 2].map(() => close(alice, id, { rest: 'lost' })))
  t.strictSame(closed.map(({ statusCode }) => statusCode).toSorted(), [200, 409])
  t.strictSame(await piecesOf(alice, id), [[9, 0, 9, 0, 0, 0]])
  t.strictSame(
    (await eventsOf(alice, id)).map(({ kind }) => kind),
    ['close', 'ship'],
  )
  await expectLedger(t, db, alice)
})

t.test('the rest is shipped although a product that was shipped before is deleted since', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 4), item(2, 5)] })
  await ship(alice, id, [item(1, 4), item(2, 2)])
  for (const how of ['deleted', 'untracked'] as const) {
    await markVariant(db, alice, 1, how)
    const answer = await alice.send('POST', address(id, 'ship'), {}, { 'idempotency-key': randomUUID() })
    t.equal(answer.statusCode, 200, answer.body)
    const { eventId } = answer.json().data
    t.strictSame(await piecesOf(alice, id), [
      [4, 0, 0, 0, 0, 4],
      [5, 0, 0, 0, 0, 5],
    ])
    await reverse(alice, id, eventId)
  }
  await markVariant(db, alice, 2, 'deleted')
  expectFailure(t, await ship(alice, id), 422, 'unknown_variant')
})

t.test('closing says for each product what is lost, damaged and returned', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 6), item(2, 5)] })
  await ship(alice, id)
  const items = [
    { variantId: variantGid(1), lost: 1, damaged: 2 },
    { variantId: variantGid(2), damaged: 5 },
  ]
  t.match((await close(alice, id, { items })).json().data, { status: 'completed' })
  t.strictSame(await piecesOf(alice, id), [
    [6, 0, 1, 2, 3, 0],
    [5, 0, 0, 5, 0, 0],
  ])
  t.strictSame((await levelsOf(db, alice))['1/1'], [7, 10])
  const over = await makeTransfer(alice, { items: [item(1, 2)] })
  await ship(alice, over)
  const refused = await close(alice, over, { items: [{ variantId: variantGid(1), lost: 1, damaged: 2 }] })
  t.match(expectFailure(t, refused, 422, 'over_transit').details, [
    { path: '/items/0/lost' },
    { path: '/items/0/damaged' },
  ])
  await expectLedger(t, db, alice)
})

t.test('concurrent receipts of the same pieces: those that fit succeed', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 10)] })
  await ship(alice, id)
  const answers = await Promise.all(Array.from({ length: 8 }, () => receive(alice, id, arrived(1, 2, 0, 1))))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 3)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200))
    expectFailure(t, answer, 422, 'over_transit')
  t.strictSame(await piecesOf(alice, id), [[10, 6, 0, 3, 0, 1]])
  t.equal((await close(alice, id, { rest: 'lost' })).json().data.status, 'completed')
  await expectLedger(t, db, alice)
})

t.test('another shop can neither see nor change the parts of a transfer', async (t) => {
  const { db, alice, mallory } = await start(t)
  await makeStock(db, mallory, { variants: 2, locations: 2 })
  const id = await makeTransfer(alice, { items: [item(1, 5)] })
  const { eventId } = (await ship(alice, id)).json().data
  for (const answer of [
    await ship(mallory, id),
    await receive(mallory, id, arrived(1, 1)),
    await close(mallory, id),
    await mallory.get(address(id, 'events')),
    await reverse(mallory, id, eventId),
  ])
    expectFailure(t, answer, 404, 'not_found')
  const own = await makeTransfer(mallory, { items: [item(1, 5)] })
  await ship(mallory, own)
  expectFailure(t, await reverse(mallory, own, eventId), 404, 'not_found')
  t.strictSame(await piecesOf(alice, id), [[5, 0, 0, 0, 0, 5]])
})

t.test('the history is read in pages', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 3)] })
  t.strictSame(await eventsOf(alice, id), [])
  await ship(alice, id)
  for (let piece = 0; piece < 3; piece += 1) await receive(alice, id, arrived(1, 1))
  const ids = (await eventsOf(alice, id)).map((event) => event.id)
  t.strictSame(await readPages(alice, `${address(id, 'events')}?limit=3`), [ids.slice(0, 3), ids.slice(3)])
  const csv = await alice.send('GET', '/api/stock-transfers', undefined, { accept: 'text/csv' })
  t.match(csv.body, /Transfer,From,To,Status,Products,Quantity,Shipped,In transit,Created \(UTC\),/)
  t.match(csv.body, /Completed,1,3,3,0,/)
})
