import { Type } from '@sinclair/typebox'
import t from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import { row, sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { fileDatabase } from '../../support/core/database.ts'
import { readPages } from '../../support/core/people.ts'
import { until } from '../../support/core/until.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  readOrder,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import {
  closeLocation,
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  markVariant,
  movementsOf,
  pushLinesOf,
  variantGid,
} from '../../support/make/stock.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const twoLines = [line(1, { quantity: 10 }), line(2, { quantity: 5 })]

t.test('a receipt updates the order, the stock and the pushes to the platform', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  const answer = await receive(alice, id, [4, 5], { notes: ' two boxes\nwet ' })
  t.equal(answer.statusCode, 200)
  const { receivedAt } = answer.json().data
  t.strictSame(answer.json(), { success: true, data: { id, status: 'partial', receivedAt } })
  t.match(receivedAt, timestamp)
  t.match(await readOrder(alice, id), {
    status: 'partial',
    receivedAt,
    version: 3,
    lineItems: [
      { receivedQuantity: 4, cancelledQuantity: 0, outstandingQuantity: 6, status: 'partial' },
      { receivedQuantity: 5, cancelledQuantity: 0, outstandingQuantity: 0, status: 'received' },
    ],
  })
  t.strictSame(await levelsOf(db, alice), { '1/1': [14, 10], '2/1': [15, 10] })
  const movement = { kind: 'receipt', reason: '', reference: `purchase_order/${id}`, actor: alice.userId }
  t.strictSame(await movementsOf(db, alice), [
    { ...movement, levelKey: '1/1', delta: 4 },
    { ...movement, levelKey: '2/1', delta: 5 },
  ])
  const push = { form: 'adjust', reason: 'received', reference: movement.reference, state: 'queued' }
  t.strictSame(await pushLinesOf(db, alice), [
    { ...push, levelKey: '1/1', delta: 4 },
    { ...push, levelKey: '2/1', delta: 5 },
  ])
  const [receipt] = await receiptsOf(alice, id)
  t.match(receipt, { notes: 'two boxes\nwet', createdBy: alice.userId, createdAt: receivedAt })
  await expectLedger(t, db, alice)
})

// else Postgres adds entries for them to all indexes of the lines
t.test('Postgres stores nearly all received lines on the pages where they were', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 100 })
  const lineItems = Array.from({ length: 100 }, (_, at) => line(at + 1))
  const { id } = await makeOrder(alice, { lineItems })
  // sending writes versions, too, which Postgres removes only when no transaction of another test may need them
  await db.query(
    sql.typeAlias('void')`update purchase_order set status = 'sent', sent_at = now() where id = ${id}`,
  )
  const pages = () =>
    db.anyFirst(sql.type(row(Type.Object({ page: Type.String() })))`
      select split_part(ctid::text, ',', 1) as page
      from purchase_order_line
      where shop_id = ${alice.shopId} and purchase_order_id = ${id}
      order by id
    `)
  const before = await pages()
  const answer = await receive(
    alice,
    id,
    lineItems.map(() => 1),
  )
  t.equal(answer.statusCode, 200)
  const after = await pages()
  const stayed = after.filter((page, at) => page === before[at])
  t.ok(stayed.length >= 90, `${stayed.length} of 100 stayed`)
})

t.test('receiving the rest makes the order received', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  await receive(alice, id, [4, 5])
  const answer = await receive(alice, id, [6])
  const { receivedAt } = answer.json().data
  t.strictSame(answer.json().data, { id, status: 'received', receivedAt })
  t.match(await readOrder(alice, id), { status: 'received', receivedAt })
  t.match(await levelsOf(db, alice), { '1/1': [20, 10], '2/1': [15, 10] })
  const { message } = expectFailure(t, await receive(alice, id, [1]), 409, 'conflict')
  t.match(message, /Undo a receipt/)
  await expectLedger(t, db, alice)
})

t.test('only a sent or partially received order accepts receipts', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const hints = { draft: /Send it/, received: /Undo a receipt/, cancelled: /Create a new one/ } as const
  for (const status of ['draft', 'received', 'cancelled'] as const) {
    const { id } = await makeOrderIn(alice, status)
    const before = [await readOrder(alice, id), await movementsOf(db, alice), await receiptsOf(alice, id)]
    // The quantity differs from the first receipt, which would count as a repeated request.
    const answer = await receive(alice, id, [2], { allowOverReceipt: true })
    const { message } = expectFailure(t, answer, 409, 'conflict', status)
    t.match(message, hints[status])
    const after = [await readOrder(alice, id), await movementsOf(db, alice), await receiptsOf(alice, id)]
    t.strictSame(after, before)
  }
  const lineItems = [{ lineItemId: 1, quantityReceived: 1 }]
  const unknown = await alice.post('/api/purchase-orders/999999/receive', { lineItems })
  expectFailure(t, unknown, 404, 'not_found')
})

t.test('a receipt has 1 to 500 entries of whole positive quantities', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  for (const quantityReceived of [0, -1, 0.5, 1_000_000_001, '1', null]) {
    const answer = await alice.post(`/api/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: 1, quantityReceived }],
    })
    const { details } = expectFailure(t, answer, 400, 'invalid_request', String(quantityReceived))
    t.match(details, [{ path: '/lineItems/0/quantityReceived' }])
  }
  for (const count of [0, 501]) {
    const lineItems = Array.from({ length: count }, () => ({ lineItemId: 1, quantityReceived: 1 }))
    const answer = await alice.post(`/api/purchase-orders/${id}/receive`, { lineItems })
    const { details } = expectFailure(t, answer, 400, 'invalid_request')
    t.strictSame(details, [{ path: '/lineItems', message: 'must be a list of 1 to 500 lines' }])
  }
})

t.test('entries of one line are added up before the check', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const [item] = (await readOrder(alice, id)).lineItems
  const receiveTwice = (first: number, second: number) =>
    alice.post(`/api/purchase-orders/${id}/receive`, {
      lineItems: [first, second].map((quantityReceived) => ({ lineItemId: item?.id, quantityReceived })),
    })
  const { details } = expectFailure(t, await receiveTwice(6, 5), 422, 'over_receipt')
  t.strictSame(details, [
    { path: '/lineItems/0/quantityReceived', message: 'is 1 more than the 10 still expected' },
    { path: '/lineItems/1/quantityReceived', message: 'is 1 more than the 10 still expected' },
  ])
  t.match((await receiveTwice(6, 3)).json().data, { status: 'partial' })
  t.match(await receiptsOf(alice, id), [{ lineItems: [{ quantity: 9 }] }])
  t.match(await movementsOf(db, alice), [{ delta: 9 }])
  await expectLedger(t, db, alice)
})

t.test('a line of another order makes the API refuse the whole request', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const [own] = (await readOrder(alice, id)).lineItems
  const [ofAnother] = (await readOrder(alice, (await makeSentOrder(alice)).id)).lineItems
  const [ofMallory] = (await readOrder(mallory, (await makeSentOrder(mallory)).id)).lineItems
  for (const foreign of [ofAnother?.id, ofMallory?.id, 999_999]) {
    const lineItems = [own?.id, foreign].map((lineItemId) => ({ lineItemId, quantityReceived: 1 }))
    const answer = await alice.post(`/api/purchase-orders/${id}/receive`, { lineItems })
    const { details } = expectFailure(t, answer, 422, 'unknown_line')
    t.strictSame(details, [{ path: '/lineItems/1/lineItemId', message: 'is not a line of this order' }])
  }
  t.match(await readOrder(alice, id), { status: 'sent', lineItems: [{ receivedQuantity: 0 }] })
  t.strictSame(await receiptsOf(alice, id), [])
  t.strictSame(await movementsOf(db, alice), [])
})

t.test('an over-receipt of one line does not complete another', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const lineItems = [line(1, { quantity: 10 }), line(1, { quantity: 10 })]
  const { id } = await makeSentOrder(alice, { lineItems })
  const { details } = expectFailure(t, await receive(alice, id, [12, 8]), 422, 'over_receipt')
  t.strictSame(details, [
    { path: '/lineItems/0/quantityReceived', message: 'is 2 more than the 10 still expected' },
  ])
  t.strictSame(await movementsOf(db, alice), [])

  const answer = await receive(alice, id, [12, 8], { allowOverReceipt: true })
  t.match(answer.json().data, { id, status: 'partial' })
  t.match(await readOrder(alice, id), {
    status: 'partial',
    lineItems: [
      { receivedQuantity: 12, outstandingQuantity: 0, status: 'received' },
      { receivedQuantity: 8, outstandingQuantity: 2, status: 'partial' },
    ],
  })
  t.match(await levelsOf(db, alice), { '1/1': [30, 10] })
  t.match(await movementsOf(db, alice), [{ delta: 20 }], 'lines of one variant make one movement')
  t.match(await pushLinesOf(db, alice), [{ delta: 20 }])

  const over = expectFailure(t, await receive(alice, id, [1, 3]), 422, 'over_receipt')
  t.match(over.details, [{ message: /the 0 still/ }, { message: /the 2 still/ }])
  await expectLedger(t, db, alice)
})

t.test('a receipt cannot exceed the maximum of a level or a line', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  const allowOver = { allowOverReceipt: true }
  const tooLarge = await receive(alice, id, [1_000_000_000], allowOver)
  expectFailure(t, tooLarge, 422, 'quantity_too_large', 'the level is already ten')
  await markVariant(db, alice, 1, 'untracked')
  t.equal((await receive(alice, id, [1_000_000_000], allowOver)).statusCode, 200)
  const { details } = expectFailure(t, await receive(alice, id, [1], allowOver), 422, 'quantity_too_large')
  t.match(details, [{ path: '/lineItems/0/quantityReceived' }])
})

t.test(
  'goods are received at the location of the request, else of the order, else at the primary one',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { locations: 3 })
    const withDestination = await makeSentOrder(alice, { destinationLocationId: locationGid(2) })
    const withoutDestination = await makeSentOrder(alice)
    await receive(alice, withDestination.id, [1], { locationId: locationGid(3) })
    await receive(alice, withDestination.id, [1], { locationId: null })
    await receive(alice, withoutDestination.id, [1])
    t.match(await receiptsOf(alice, withDestination.id), [
      { locationId: locationGid(2), locationName: 'Place 2' },
      { locationId: locationGid(3), locationName: 'Place 3' },
    ])
    t.match(await receiptsOf(alice, withoutDestination.id), [{ locationId: locationGid(1) }])
    t.strictSame(await levelsOf(db, alice), { '1/1': [11, 10], '1/2': [11, 10], '1/3': [11, 10] })
  },
)

t.test('the API refuses an unknown or unused location', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { locations: 2 })
  await makeStock(db, mallory, { locations: 3 })
  const { id } = await makeSentOrder(alice, { destinationLocationId: locationGid(2) })
  await closeLocation(db, alice, 2)
  const trials: [object, string][] = [
    [{ locationId: locationGid(2) }, 'is no longer in use'],
    [{ locationId: locationGid(3) }, 'is not a location of this shop'],
    [{}, 'is required for this order'],
  ]
  for (const [fields, message] of trials) {
    const answer = await receive(alice, id, [1], fields)
    const { details } = expectFailure(t, answer, 422, 'unknown_location', message)
    t.strictSame(details, [{ path: '/locationId', message }])
  }
  t.match(await readOrder(alice, id), { status: 'sent', lineItems: [{ receivedQuantity: 0 }] })
  t.equal((await receive(alice, id, [1], { locationId: locationGid(1) })).statusCode, 200)
})

t.test('a receipt without any location is refused', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const { message } = expectFailure(t, await receive(alice, id, [1]), 422, 'unknown_location')
  t.match(message, /Choose one/)
})

t.test('untracked and deleted variants are received without moving stock', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const lineItems = [line(1), line(2), line(3)]
  const { id } = await makeSentOrder(alice, { lineItems })
  await markVariant(db, alice, 1, 'untracked')
  await markVariant(db, alice, 2, 'deleted')
  t.match((await receive(alice, id, [1, 1, 1])).json().data, { status: 'received' })
  t.match(await movementsOf(db, alice), [{ levelKey: '3/1', delta: 1 }])
  t.match(await pushLinesOf(db, alice), [{ levelKey: '3/1', delta: 1 }])
  t.match(await receiptsOf(alice, id), [
    { lineItems: lineItems.map(({ variantId }) => ({ variantId, quantity: 1 })) },
  ])
  await expectLedger(t, db, alice)
})

t.test('receipts are listed newest first', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  t.strictSame(await receiptsOf(alice, id), [])
  await receive(alice, id, [1], { notes: 'first' })
  const { receivedAt } = (await receive(alice, id, [3, 2])).json().data
  const [newest, oldest] = await receiptsOf(alice, id)
  const [firstLine, secondLine] = (await readOrder(alice, id)).lineItems
  const whole = { rejected: 0, rejectReason: '', rejectOutcome: null, unitCost: null }
  t.strictSame(newest, {
    id: newest?.id,
    isImported: false,
    purchaseOrderId: id,
    state: 'posted',
    version: 1,
    locationId: locationGid(1),
    locationName: 'Place 1',
    notes: '',
    deliveryNote: '',
    createdBy: alice.userId,
    createdAt: receivedAt,
    postedAt: receivedAt,
    postedBy: alice.userId,
    reversedAt: null,
    reversedBy: '',
    lineItems: [
      {
        ...{ lineItemId: firstLine?.id, variantId: variantGid(1), sku: 'SKU-1', title: 'Thing 1' },
        ...{ quantity: 3, accepted: 3, ...whole },
      },
      {
        ...{ lineItemId: secondLine?.id, variantId: variantGid(2), sku: 'SKU-2', title: 'Thing 2' },
        ...{ quantity: 2, accepted: 2, ...whole },
      },
    ],
  })
  t.match(oldest, { notes: 'first', lineItems: [{ quantity: 1 }] })
  const pages = await readPages(alice, `/api/purchase-orders/${id}/receipts?limit=1`)
  t.strictSame(pages, [[newest?.id], [oldest?.id]])
  t.strictSame(await receiptsOf(alice, (await makeOrder(alice)).id), [], 'another order has no receipts')
  expectFailure(t, await alice.get('/api/purchase-orders/999999/receipts'), 404, 'not_found')
})

t.test('another shop can neither receive nor see receipts', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  await makeStock(db, mallory)
  const { id } = await makeOrderIn(alice, 'partial')
  const [item] = (await readOrder(alice, id)).lineItems
  const before = [await readOrder(alice, id), await levelsOf(db, alice), await levelsOf(db, mallory)]
  const lineItems = [{ lineItemId: item?.id, quantityReceived: 2 }]
  const answer = await mallory.post(`/api/purchase-orders/${id}/receive`, { lineItems })
  expectFailure(t, answer, 404, 'not_found')
  expectFailure(t, await mallory.get(`/api/purchase-orders/${id}/receipts`), 404, 'not_found')
  const after = [await readOrder(alice, id), await levelsOf(db, alice), await levelsOf(db, mallory)]
  t.strictSame(after, before)
})

t.test('a receipt locks all its variants in id order, including those with an unchanged cost', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const order = (secondCost: number) =>
    makeSentOrder(alice, { lineItems: [line(1), line(2, { costPrice: secondCost })] })
  const [earlier, later] = [await order(1), await order(9)]
  t.equal((await receive(alice, earlier.id, [1, 1])).statusCode, 200)
  await withClient(await fileDatabase(), async (client) => {
    const lock = (number: number) =>
      client.query('select from variant where shop_id = $1 and gid = $2 for no key update nowait', [
        alice.shopId,
        variantGid(number),
      ])
    const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows
    await client.query('begin')
    await lock(1)
    const receiving = receive(alice, later.id, [1, 1])
    const isWaiting = () =>
      db.exists(sql.typeAlias('void')`
        select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))
      `)
    await until(isWaiting, 'the receipt waits for the first variant')
    await t.resolves(lock(2), 'the receipt has not locked the second variant')
    await client.query('update variant set unit_cost = 9 where shop_id = $1 and gid = $2', [
      alice.shopId,
      variantGid(1),
    ])
    await client.query('commit')
    t.equal((await receiving).statusCode, 200)
  })
  const costs = await db.anyFirst(sql.type(row(Type.Object({ cost: Type.Number() })))`
    select unit_cost as cost from variant where shop_id = ${alice.shopId} order by id
  `)
  t.strictSame(costs, [1, 9], 'the receipt sets the last cost after its wait')
})
