import t, { type Test } from 'tap'
import { sql } from '../../shared/db/db.ts'
import { moveStock } from '../../shared/domain/ledgers/stock/move.ts'
import { claimPush } from '../../shared/domain/ledgers/stock-pushes/claim.ts'
import { requeuePush, settlePush } from '../../shared/domain/ledgers/stock-pushes/finish.ts'
import { keepTransactionOpen, untilBlocked } from '../support/core/database.ts'
import { alertsOf } from '../support/make/alerts.ts'
import { line, makeSentOrder, receive } from '../support/make/orders.ts'
import { insertRule, stockOfRules } from '../support/make/reorder.ts'
import { locationGid, makeStock, makeTransfer, takeStock, variantGid } from '../support/make/stock.ts'
import { changeStock, reportLevel } from '../support/platform/stock-pushes.ts'
import { orderBody, startDeliveries } from '../support/platform/webhooks.ts'

/**
 * Two shops with two variants at two locations, 10 units of each at each. Updates and alerts are those of alice's
 * shop.
 */
async function start(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice, mallory, deliverAndApply } = context
  for (const shop of [alice, mallory]) await makeStock(db, shop, { variants: 2, locations: 2 })
  let second = 0
  return {
    ...context,
    /** The platform reports the quantity of a variant at a location. */
    reportStock: (variant: number, location: number, available: number | null) => {
      second += 1
      const updatedAt = new Date(Date.UTC(2026, 10, 1, 12, 0, second)).toISOString()
      const ids = { inventory_item_id: variant, location_id: location }
      return deliverAndApply('INVENTORY_LEVELS_UPDATE', { ...ids, available, updated_at: updatedAt })
    },
    alerts: () => alertsOf(db, alice, 'low_stock'),
    adjust: (variant: number, location: number, delta: number) =>
      alice.post('/api/stock-levels/adjust', {
        adjustments: [{ variantId: variantGid(variant), locationId: locationGid(location), delta }],
      }),
  }
}

t.test('an update below the reorder point raises one alert until the level recovers', async (t) => {
  const { db, alice, mallory, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 14 })
  await insertRule(db, mallory, { reorderPoint: 14 })
  await reportStock(1, 1, 4)
  t.strictSame(await alerts(), [], 'a level at the reorder point is not low')
  await reportStock(1, 1, 3)
  const message = 'Mug 1 - Size 1 is low: 13 left, reorder point 14.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  await reportStock(1, 2, 1)
  const later = 'Mug 1 - Size 1 is low: 4 left, reorder point 14.'
  t.strictSame(await alerts(), [{ message: later, isOpen: true }], 'the open alert says what is left now')
  await reportStock(1, 1, 30)
  t.strictSame(await alerts(), [{ message: later, isOpen: false }])
  await reportStock(1, 1, 0)
  t.strictSame(await alerts(), [
    { message: later, isOpen: false },
    { message: 'Mug 1 - Size 1 is low: 1 left, reorder point 14.', isOpen: true },
  ])
  t.strictSame(await stockOfRules(db, alice), [1])
  t.strictSame(await stockOfRules(db, mallory), [20])
  t.strictSame(await alertsOf(db, mallory, 'low_stock'), [])
})

t.test('an open alert follows the reorder point of its rule, and stays read', async (t) => {
  const { db, alice, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 14 })
  await reportStock(1, 1, 0)
  const [alert] = (await alice.get('/api/alerts')).json().data
  await alice.post(`/api/alerts/${alert.id}/read`)
  const [rule] = (await alice.get('/api/reorder/rules')).json().data
  await alice.put(`/api/reorder/rules/${rule.id}`, { reorderPoint: 150 })
  const message = 'Mug 1 - Size 1 is low: 10 left, reorder point 150.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  t.match((await alice.get('/api/alerts')).json().data, [{ id: alert.id, message, read: true }])
})

t.test('low stock is in the alert list and on the dashboard', async (t) => {
  const { db, alice, mallory, reportStock } = await start(t)
  await insertRule(db, alice, { reorderPoint: 14 })
  await reportStock(1, 1, 0)
  const [alert, ...others] = (await alice.get('/api/alerts')).json().data
  t.match(alert, { type: 'low_stock', productId: 'gid://platform/Product/1', read: false })
  t.strictSame(others, [])
  const { stats, alerts } = (await alice.get('/api/dashboard')).json().data
  t.match(stats, { lowStockItems: 1 })
  t.match(alerts, [{ id: alert.id, message: 'Mug 1 - Size 1 is low: 10 left, reorder point 14.' }])
  t.strictSame((await mallory.get('/api/alerts')).json().data, [])
})

t.test('a rule for a location checks only that location', async (t) => {
  const { db, alice, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { location: 2, reorderPoint: 8 })
  await reportStock(1, 1, 0)
  t.strictSame(await alerts(), [])
  await reportStock(1, 2, 7)
  const message = 'Mug 1 - Size 1 is low at Place 2: 7 left, reorder point 8.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  t.strictSame(await stockOfRules(db, alice), [7])
})

t.test("the shop's own adjustments, transfers and receipts raise and resolve alerts, too", async (t) => {
  const { db, alice, adjust, alerts } = await start(t)
  await insertRule(db, alice, { location: 1, reorderPoint: 8 })
  const isOpen = async () => (await alerts()).map((alert) => alert.isOpen)
  t.equal((await adjust(1, 1, -3)).statusCode, 200)
  t.strictSame(await isOpen(), [true])
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 5 })] })
  t.equal((await receive(alice, id, [5])).statusCode, 200)
  t.strictSame(await isOpen(), [false])
  const transfer = await makeTransfer(alice, { items: [{ variantId: variantGid(1), quantity: 10 }] })
  await alice.put(`/api/stock-transfers/${transfer}`, { status: 'completed' })
  t.strictSame(await isOpen(), [false, true])
  t.match((await alerts()).at(-1), { message: /: 2 left/ })
})

t.test('a refused change raises no alert', async (t) => {
  const { db, alice, adjust, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 30 })
  await db.query(sql.typeAlias('void')`delete from alert where shop_id = ${alice.shopId}`)
  t.equal((await adjust(1, 1, -11)).statusCode, 422)
  t.strictSame(await alerts(), [])
  t.strictSame(await stockOfRules(db, alice), [20])
})

t.test('an alert shows a negative quantity as 0', async (t) => {
  const { db, alice, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { location: 1, reorderPoint: 1 })
  await reportStock(1, 1, -3)
  t.match(await alerts(), [{ message: 'Mug 1 - Size 1 is low at Place 1: 0 left, reorder point 1.' }])
  t.strictSame(await stockOfRules(db, alice), [-3])
})

t.test('an order raises the alert before the level update, which raises no second one', async (t) => {
  const { db, alice, mallory, deliverAndApply, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 18 })
  await insertRule(db, mallory, { reorderPoint: 18 })
  const order = orderBody(1, [
    [1, 1, 2],
    [2, 1, 1],
    [3, 2, 5],
  ])
  await deliverAndApply('ORDERS_CREATE', order)
  const expected = [{ message: 'Mug 1 - Size 1 is low: 17 left, reorder point 18.', isOpen: true }]
  t.strictSame(await alerts(), expected)
  t.strictSame(await stockOfRules(db, alice), [20], 'the rule has the sum of the levels')
  await reportStock(1, 1, 7)
  t.strictSame(await alerts(), expected)
  t.strictSame(await stockOfRules(db, alice), [17])
  t.strictSame(await alertsOf(db, mallory, 'low_stock'), [])
})

t.test(
  'orders not yet in a level add up, and another stock change does not resolve their alert',
  async (t) => {
    const { db, alice, deliverAndApply, alerts } = await start(t)
    await insertRule(db, alice, { reorderPoint: 16 })
    for (const number of [1, 2]) await deliverAndApply('ORDERS_CREATE', orderBody(number, [[number, 1, 3]]))
    t.match(await alerts(), [{ isOpen: true, message: /14 left/ }])
    const adjustments = [{ variantId: variantGid(1), locationId: locationGid(1), delta: 1 }]
    await alice.post('/api/stock-levels/adjust', { adjustments })
    t.match(await alerts(), [{ isOpen: true }])
  },
)

t.test('units that were cancelled before the level is reported raise no alert', async (t) => {
  const { db, alice, deliverAndApply, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 10 })
  // 2 at the first location and 10 at the second are 12
  await reportStock(1, 1, 2)
  const state = (id: number, left: number) => ({
    ...{ id, created_at: '2026-11-01T13:00:00Z', updated_at: '2026-11-01T13:02:00Z' },
    cancelled_at: left === 0 ? '2026-11-01T13:02:00Z' : null,
    line_items: [
      { id, variant_id: 1, quantity: 5, current_quantity: left, fulfillable_quantity: left, price: '10.00' },
    ],
  })
  // 5 ordered and 5 cancelled: 12 stay, and not 12 - 5 = 7
  await deliverAndApply('ORDERS_UPDATED', state(1, 0))
  t.strictSame(await alerts(), [])
  // 5 ordered and 2 cancelled: 12 - 3 = 9 stay
  await deliverAndApply('ORDERS_UPDATED', state(2, 3))
  const message = 'Mug 1 - Size 1 is low: 9 left, reorder point 10.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
})

t.test('a repeated order webhook raises no second alert', async (t) => {
  const { db, alice, deliverAndApply, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 18 })
  const order = orderBody(1, [[1, 1, 5]])
  await deliverAndApply('ORDERS_CREATE', order)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', {
    inventory_item_id: 1,
    location_id: 1,
    available: 10,
    updated_at: '2026-11-01T10:00:00Z',
  })
  await deliverAndApply('ORDERS_CREATE', order)
  const [alert, ...others] = await alerts()
  t.match(alert, { isOpen: false })
  t.strictSame(others, [])
})

t.test('an order that the levels already include is not counted twice', async (t) => {
  const { db, alice, deliverAndApply, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 12 })
  await reportStock(1, 1, 5)
  await deliverAndApply('ORDERS_CREATE', orderBody(1, [[1, 1, 5]]))
  t.strictSame(await alerts(), [])
})

t.test('an order that leaves enough stock, or of a variant without a rule, raises no alert', async (t) => {
  const { db, alice, deliverAndApply, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 18 })
  const lines: [number, number, number][] = [
    [1, 1, 2],
    [2, 2, 19],
    [3, 99, 5],
  ]
  await deliverAndApply('ORDERS_CREATE', orderBody(1, lines))
  t.strictSame(await alerts(), [])
})

t.test(
  'an order has no location, so a rule for a location raises an alert only when it must be low',
  async (t) => {
    const { db, alice, deliverAndApply, alerts } = await start(t)
    await insertRule(db, alice, { location: 1, reorderPoint: 10 })
    await deliverAndApply('ORDERS_CREATE', orderBody(1, [[1, 1, 5]]))
    t.strictSame(await alerts(), [])
    await takeStock(db, alice, { variant: 1, location: 2, quantity: 10 })
    await deliverAndApply('ORDERS_CREATE', orderBody(2, [[2, 1, 5]]))
    t.match(await alerts(), [{ message: 'Mug 1 - Size 1 is low at Place 1: 0 left, reorder point 10.' }])
  },
)

t.test('the shop sets the alert threshold and can switch alerts off', async (t) => {
  const { db, alice, deliverAndApply, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 14 })
  await alice.post('/api/alerts/configure', { alertThresholdPercent: 25 })
  await reportStock(1, 1, 8)
  t.strictSame(await alerts(), [], '18 is above 17.5')
  await reportStock(1, 1, 7)
  t.match(await alerts(), [{ message: 'Mug 1 - Size 1 is low: 17 left, reorder point 14.' }])
  await alice.post('/api/alerts/configure', { lowStockAlerts: false })
  await reportStock(1, 1, 6)
  t.match(await alerts(), [{ isOpen: true }], 'the open alert stays')
  await reportStock(1, 1, 30)
  t.match(await alerts(), [{ isOpen: false }], 'and is resolved in spite of that')
  await reportStock(1, 1, 0)
  await deliverAndApply('ORDERS_CREATE', orderBody(1, [[1, 1, 9]]))
  t.equal((await alerts()).length, 1)
  t.strictSame(await stockOfRules(db, alice), [10], 'the rule is up to date')
})

t.test('a variant that becomes untracked is not low any more', async (t) => {
  const { db, alice, reportStock, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 14 })
  await reportStock(1, 1, 0)
  t.match(await alerts(), [{ isOpen: true }])
  await reportStock(1, 1, null)
  t.match(await alerts(), [{ isOpen: false }])
  await reportStock(1, 1, 1)
  t.match(await alerts(), [{ isOpen: false }, { isOpen: true }], 'until it is tracked again')
})

t.test("the platform's response to a push raises an alert", async (t) => {
  const { db, alice, alerts } = await start(t)
  await insertRule(db, alice, { location: 1, reorderPoint: 8 })
  await changeStock(db, alice, [5])
  const push = await claimPush(db, alice.shopId, 'a job')
  if (!push) throw new Error('There is no push to claim')
  const level = 'gid://platform/InventoryItem/1 gid://platform/Location/1'
  const outcome = { at: '2026-11-02T00:00:00Z', quantities: new Map([[level, 3]]) }
  await settlePush(db, alice.shopId, push, outcome)
  t.match(await alerts(), [{ message: /: 3 left/, isOpen: true }])
})

t.test('an update deferred during a push raises an alert, too', async (t) => {
  const { db, alice, alerts } = await start(t)
  await insertRule(db, alice, { location: 1, reorderPoint: 8 })
  await changeStock(db, alice, [1])
  const push = await claimPush(db, alice.shopId, 'a job')
  if (!push) throw new Error('There is no push to claim')
  await reportLevel(db, alice, 2)
  t.strictSame(await alerts(), [])
  await requeuePush(db, alice.shopId, push, { isRefusal: true })
  t.match(await alerts(), [{ message: /: 3 left/, isOpen: true }])
})

/** Changes variant 1 at a location in a transaction that stays open until the returned function is called. */
async function keepChangeOpen(
  t: Test,
  { db, alice }: Awaited<ReturnType<typeof start>>,
  location: number,
  delta: number,
) {
  const idOf = (table: 'variant' | 'location', gid: string) =>
    db.oneFirst(sql.typeAlias('id')`
      select id from ${sql.identifier([table])} where shop_id = ${alice.shopId} and gid = ${gid}
    `)
  const variantId = await idOf('variant', variantGid(1))
  const locationId = await idOf('location', locationGid(location))
  const change = { kind: 'delta', form: 'adjust', reference: '', actor: 'someone' } as const
  return keepTransactionOpen(t, db, (tx) =>
    moveStock(tx, alice.shopId, change, [{ variantId, locationId, delta }]),
  )
}

t.test('concurrent changes of two levels of a variant give the right sum', async (t) => {
  const context = await start(t)
  const { db, alice, adjust, alerts } = context
  await insertRule(db, alice, { reorderPoint: 10 })
  const commit = await keepChangeOpen(t, context, 1, -6)
  const second = adjust(1, 2, -6)
  await untilBlocked(db, 1)
  await commit()
  t.equal((await second).statusCode, 200)
  t.strictSame(await stockOfRules(db, alice), [8])
  t.match(await alerts(), [{ message: /: 8 left/, isOpen: true }])
})

t.test('a rule created during a stock change has the right sum, also for a new level', async (t) => {
  const context = await start(t)
  const { db, alice } = context
  await db.query(sql.typeAlias('void')`
    insert into location (shop_id, gid, name) values (${alice.shopId}, ${locationGid(3)}, 'Place 3')
  `)
  for (const location of [1, 3]) {
    const commit = await keepChangeOpen(t, context, location, 5)
    const rule = insertRule(db, alice, { location: location === 1 ? null : 3 })
    await untilBlocked(db, 1)
    await commit()
    await rule
  }
  t.strictSame(await stockOfRules(db, alice), [30, 5])
})

t.test('many concurrent stock changes give the right sum and one alert', async (t) => {
  const { db, alice, adjust, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 14 })
  await insertRule(db, alice, { location: 2, reorderPoint: 6 })
  const responses = await Promise.all(Array.from({ length: 16 }, (_, at) => adjust(1, 1 + (at % 2), -1)))
  t.ok(responses.every(({ statusCode }) => statusCode === 200))
  t.strictSame(await stockOfRules(db, alice), [4, 2])
  t.match(await alerts(), [{ isOpen: true }, { isOpen: true }])
  t.equal((await alerts()).length, 2)
})
