import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { startSync } from '../../../../shared/domain/exchange/sync/sync.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { expectFailure } from '../../../support/core/app.ts'
import { instantIn } from '../../../support/core/instants.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { pushLinesOf, readCount } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'

const Request = Type.Object({ priority: Type.Integer() })

/** A simulated shop with shortcuts for variant 0 at location 0, where 10 lie on the shelf. */
async function start(t: Test) {
  const context = await startSimulatedShop(t)
  const { alice, db, shop, perform, variants, locations } = context
  const { shopId } = alice
  const [variantId = ''] = variants
  const [locationId = ''] = locations
  const read = () => perform(jobs.readLevels, { shopId })
  const sell = (quantity: number) => shop.placeOrder([{ variantId, quantity, locationId }])
  const count = async (countedQuantity: number, fields: object = {}) => {
    const items = [{ variantId, countedQuantity, ...fields }]
    const answer = await alice.post('/api/stock-counts', { locationId, items })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    const { id }: { id: number } = answer.json().data
    return id
  }
  return {
    ...context,
    variantId,
    locationId,
    read,
    sell,
    count,
    /** Receives webhooks, reads what they request, and sends our changes, until nothing is left. */
    settle: async () => {
      await context.receiveUpdates()
      await context.applyAll('ORDERS_CREATE')
      await read()
      await context.push()
      await context.receiveUpdates()
      await read()
    },
    submit: (id: number, patch: object = {}) =>
      alice.put(`/api/stock-counts/${id}`, { status: 'submitted', ...patch }),
    level: async () => {
      const query = new URLSearchParams({ variantId, locationId })
      const [level] = (await alice.get(`/api/stock-levels?${query}`)).json().data
      const { currentStock, onHand, committed, unavailable } = level
      return { currentStock, onHand, committed, unavailable }
    },
    states: () => shop.statesOf(variantId, locationId),
    requests: () =>
      db.any(
        sql.type(row(Request))`select priority from level_read where shop_id = ${shopId} order by variant_id`,
      ),
    firstItem: async (id: number) => {
      const [item] = (await readCount(alice, id)).items
      if (!item) throw new Error('The count has no items')
      return item
    },
    /** Lets a number have been entered some minutes earlier. */
    age: (id: number, minutes: number) =>
      db.query(sql.typeAlias('void')`
        update stock_count_item
        set entered_at = entered_at - make_interval(mins => ${minutes})
        where shop_id = ${shopId} and count_id = ${id}
      `),
  }
}

t.test('the catalogue sync reads every state of a level', async (t) => {
  const { shop, variantId, locationId, sell, perform, alice, db, level } = await start(t)
  t.strictSame(await level(), { currentStock: 10, onHand: 10, committed: 0, unavailable: 0 })
  sell(3)
  shop.moveState(variantId, locationId, { from: 'available', to: 'damaged', quantity: 1 })
  shop.moveState(variantId, locationId, { from: 'available', to: 'reserved', quantity: 2 })
  await db.transaction((tx) => startSync(tx, alice.shopId, 'merchant'))
  const catalogSyncId = await db.oneFirst(sql.typeAlias('id')`
    select id from catalog_sync where shop_id = ${alice.shopId} order by id desc limit 1
  `)
  await perform(jobs.syncCatalog, { shopId: alice.shopId, catalogSyncId })
  t.strictSame(await level(), { currentStock: 4, onHand: 10, committed: 3, unavailable: 3 })
})

t.test(
  'webhooks of a sale lead to one reading, and a shipment is found by the nightly comparison',
  async (t) => {
    const { shop, sell, receiveUpdates, applyAll, read, level, requests, alice, db, perform } = await start(t)
    const order = sell(3)
    await receiveUpdates()
    await applyAll('ORDERS_CREATE')
    t.strictSame(await requests(), [{ priority: 1 }], 'two webhooks request one reading')
    t.equal((await enqueued(db, jobs.readLevels, alice.shopId)).length, 1)
    await read()
    t.strictSame(await level(), { currentStock: 7, onHand: 10, committed: 3, unavailable: 0 })
    t.strictSame(await requests(), [])

    shop.fulfillOrder(order.id)
    await receiveUpdates()
    t.strictSame(
      await requests(),
      [],
      'a shipment changes no available quantity, so it sends no stock webhook',
    )
    await perform(jobs.reconcileStock, { shopId: alice.shopId })
    t.strictSame(await level(), { currentStock: 7, onHand: 7, committed: 0, unavailable: 0 })
  },
)

t.test('a test order commits stock and takes it off the shelf like any other', async (t) => {
  const { shop, variantId, locationId, settle, level, states } = await start(t)
  const { id } = shop.placeOrder([{ variantId, quantity: 3, locationId }], { isTest: true })
  await settle()
  t.strictSame(await level(), { currentStock: 7, onHand: 10, committed: 3, unavailable: 0 })
  // available stays, so only the webhook of the order says that stock has moved
  shop.fulfillOrder(id)
  await settle()
  t.strictSame(await level(), { currentStock: 7, onHand: 7, committed: 0, unavailable: 0 })
  t.match(states(), { available: 7, committed: 0 })
})

t.test('ten on hand with three just sold: the platform keeps seven available', async (t) => {
  const { sell, receiveUpdates, applyAll, read, settle, alice, states, variantId, locationId } =
    await start(t)
  sell(3)
  await receiveUpdates()
  await applyAll('ORDERS_CREATE')
  const adjustments = [{ variantId, locationId, quantity: 10 }]
  const set = () => alice.put('/api/stock-levels/bulk', { basis: 'on_hand', adjustments })
  expectFailure(t, await set(), 409, 'levels_not_read')
  await read()
  t.match((await set()).json().data, { adjusted: 1, levels: [] })
  await settle()
  t.match(states(), { available: 7, committed: 3, on_hand: 10 })
})

t.test('our own push changes neither committed nor unavailable, and requests no reading', async (t) => {
  const { change, push, receiveUpdates, requests, level, sell, settle } = await start(t)
  sell(3)
  await settle()
  await change('adjust', [[0, 0, 5]])
  t.strictSame(await level(), { currentStock: 12, onHand: 15, committed: 3, unavailable: 0 })
  await push()
  await receiveUpdates()
  t.strictSame(await requests(), [])
  t.strictSame(await level(), { currentStock: 12, onHand: 15, committed: 3, unavailable: 0 })
})

t.test('ten counted with three unshipped: the platform keeps seven available', async (t) => {
  const { sell, count, submit, settle, states, read, firstItem, db, alice } = await start(t)
  sell(3)
  const id = await count(10)
  t.match(await firstItem(id), { readAt: null, variance: null })
  await read()
  const item = await firstItem(id)
  t.match(item, { expectedQuantity: 10, variance: 0 })
  t.ok(String(item.readAt) >= String(item.countedAt), 'the platform was asked after the entry')
  t.match((await submit(id)).json().data, {
    status: 'submitted',
    staleItemCount: 0,
    items: [{ variance: 0 }],
  })
  t.strictSame(await pushLinesOf(db, alice), [])
  await settle()
  t.match(states(), { available: 7, committed: 3, on_hand: 10 })
})

t.test('nine counted: one delta of -1', async (t) => {
  const { sell, count, submit, settle, states, read, db, alice, expectInSync } = await start(t)
  sell(3)
  const id = await count(9)
  await read()
  await submit(id)
  t.match(await pushLinesOf(db, alice), [{ form: 'adjust', delta: -1, reason: 'cycle_count_available' }])
  await settle()
  t.match(states(), { available: 6, committed: 3, on_hand: 9 })
  await expectInSync(6)
})

t.test('shipped between counting and submitting: variance 0', async (t) => {
  const { shop, sell, count, submit, settle, states, read, perform, level, alice } = await start(t)
  const order = sell(3)
  const id = await count(10)
  await read()
  shop.fulfillOrder(order.id)
  await settle()
  await perform(jobs.reconcileStock, { shopId: alice.shopId })
  t.match(await level(), { currentStock: 7, onHand: 7, committed: 0 })
  t.match((await submit(id)).json().data.items, [{ expectedQuantity: 10, variance: 0 }])
  await settle()
  t.match(states(), { available: 7, committed: 0, on_hand: 7 })
})

t.test('sold between counting and submitting: variance 0', async (t) => {
  const { sell, count, submit, settle, states, read } = await start(t)
  const id = await count(10)
  await read()
  sell(2)
  t.match((await submit(id)).json().data.items, [{ variance: 0 }])
  await settle()
  t.match(states(), { available: 8, committed: 2, on_hand: 10 })
})

t.test('two counts that miss the same piece take it off once', async (t) => {
  for (const order of ['at once', 'after the first has reached the platform'] as const) {
    const { count, submit, settle, states, read, firstItem } = await start(t)
    const [first, second] = [await count(9), await count(9)]
    await read()
    t.match((await submit(first)).json().data.items, [{ variance: -1 }])
    if (order !== 'at once') await settle()
    t.match(await firstItem(second), { expectedQuantity: 9, variance: 0 }, order)
    t.match((await submit(second)).json().data.items, [{ expectedQuantity: 9, variance: 0 }], order)
    await settle()
    t.match(states(), { available: 9, on_hand: 9 }, order)
  }
})

t.test('a second count that is read after the first was submitted sees its movement', async (t) => {
  const { count, submit, settle, states, read, firstItem } = await start(t)
  const first = await count(9)
  await read()
  const second = await count(9)
  await submit(first)
  t.match(await firstItem(second), { readAt: null })
  await read()
  t.match(await firstItem(second), { expectedQuantity: 9, variance: 0 })
  await submit(second)
  await settle()
  t.match(states(), { available: 9, on_hand: 9 })
})

t.test('a number of 10:04 that is sent at 10:31, after a receipt of 5, is compared with 10:04', async (t) => {
  const { count, submit, settle, states, read, change, alice, db, firstItem, variantId } = await start(t)
  const id = await count(1)
  await alice.put(`/api/stock-counts/${id}`, { items: [{ variantId, countedQuantity: null }] })
  await db.query(sql.typeAlias('void')`
    update stock_count set created_at = created_at - interval '1 hour' where shop_id = ${alice.shopId} and id = ${id}
  `)
  const countedAt = instantIn(-27 * 60_000).toISOString()
  await change('adjust', [[0, 0, 5]])
  await alice.put(`/api/stock-counts/${id}`, { items: [{ variantId, countedQuantity: 9, countedAt }] })
  t.match(
    await firstItem(id),
    { countedAt, expectedQuantity: 10, readAt: null },
    'an estimate until it is read',
  )
  await read()
  t.match(await firstItem(id), { expectedQuantity: 10, variance: -1 })
  await submit(id)
  await settle()
  t.match(states(), { available: 14, on_hand: 14 })
})

t.test(
  'a count waits for its reading, keeps its numbers, and can be submitted after two minutes',
  async (t) => {
    const { count, submit, read, age, alice, variantId, variants, firstItem, platform, db, push, states } =
      await start(t)
    const id = await count(10)
    const items = [
      { variantId, countedQuantity: 9 },
      { variantId: variants[1], countedQuantity: 10 },
    ]
    for (const headers of [{}, { 'idempotency-key': 'a-key' }]) {
      const answer = await alice.send(
        'PUT',
        `/api/stock-counts/${id}`,
        { status: 'submitted', items },
        headers,
      )
      const { message, details } = expectFailure(t, answer, 409, 'levels_not_read')
      t.match(message, 'Of 2 counted products, 2 are')
      t.match(details, [{ path: '/status', message: /2 lines/ }])
      t.equal(answer.headers['retry-after'], '2')
    }
    t.match(await firstItem(id), { countedQuantity: 9 }, 'the numbers of the refused request are stored')
    expectFailure(t, await submit(id, { acceptStale: true }), 409, 'levels_not_read')

    platform.faults.set({ graphql: [{ fault: 'answer-503', times: 1000 }] })
    await t.rejects(read())
    await age(id, 3)
    expectFailure(t, await submit(id), 409, 'levels_not_read')
    const { data } = (await submit(id, { acceptStale: true })).json()
    t.match(data, {
      status: 'submitted',
      staleItemCount: 2,
      items: [{ readAt: null, variance: -1 }, { variance: 0 }],
    })
    platform.faults.set({ graphql: [] })
    await push()
    t.match(states(), { on_hand: 9 })
    await read()
    t.strictSame(await enqueued(db, jobs.readLevels, alice.shopId), [{ shopId: alice.shopId }])
  },
)

t.test('a repeated request submits after the reading', async (t) => {
  const { count, alice, read, variantId } = await start(t)
  const id = await count(3)
  const patch = { status: 'submitted', items: [{ variantId, countedQuantity: 8 }] }
  const headers = { 'idempotency-key': 'the-same' }
  expectFailure(t, await alice.send('PUT', `/api/stock-counts/${id}`, patch, headers), 409, 'levels_not_read')
  await read()
  const answer = await alice.send('PUT', `/api/stock-counts/${id}`, patch, headers)
  t.match(answer.json().data, { status: 'submitted', items: [{ countedQuantity: 8, variance: -2 }] })
})

t.test('a product that is not stocked at the location is expected to be 0', async (t) => {
  const { alice, db, shop, variantId, read, submit, firstItem, perform } = await start(t)
  const locationId = shop.addLocation({ name: 'Loft' })
  await db.transaction((tx) => startSync(tx, alice.shopId, 'merchant'))
  const catalogSyncId = await db.oneFirst(sql.typeAlias('id')`
    select id from catalog_sync where shop_id = ${alice.shopId} order by id desc limit 1
  `)
  await perform(jobs.syncCatalog, { shopId: alice.shopId, catalogSyncId })
  const items = [{ variantId, countedQuantity: 4 }]
  const { id } = (await alice.post('/api/stock-counts', { locationId, items })).json().data
  await read()
  t.match(await firstItem(id), { expectedQuantity: 0, variance: 4 })
  await submit(id)
  await perform(jobs.pushStock, { shopId: alice.shopId })
  t.match(shop.statesOf(variantId, locationId), { available: 4, on_hand: 4 })
})
