import t, { type Test } from 'tap'
import { sql } from '../../shared/db/db.ts'
import { moveStock } from '../../shared/domain/stock/move.ts'
import { claimPush } from '../../shared/domain/stock-pushes/claim.ts'
import { requeuePush, settlePush } from '../../shared/domain/stock-pushes/finish.ts'
import { holdOpen, untilWaiting } from '../support/core/database.ts'
import { alertsOf } from '../support/make/alerts.ts'
import { line, makeSentOrder, receive } from '../support/make/orders.ts'
import { makeRule, stockOfRules } from '../support/make/rules.ts'
import { locationGid, makeStock, takeStock, variantGid } from '../support/make/stock.ts'
import { makeTransfer } from '../support/make/transfers.ts'
import { startDeliveries } from '../support/platform/deliveries.ts'
import { changeStock, tellLevel } from '../support/platform/stock-pushes.ts'
import { orderBody } from '../support/platform/webhooks.ts'

/** Two shops of two variants at two places, 10 pieces of each at each; the news of alice's, and her alerts. */
async function start(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice, mallory, tell } = context
  for (const shop of [alice, mallory]) await makeStock(db, shop, { variants: 2, locations: 2 })
  let second = 0
  return {
    ...context,
    /** The platform says how much there is of a variant at a location. */
    tellStock: (variant: number, location: number, available: number | null) => {
      second += 1
      const updatedAt = new Date(Date.UTC(2026, 10, 1, 12, 0, second)).toISOString()
      const place = { inventory_item_id: variant, location_id: location }
      return tell('INVENTORY_LEVELS_UPDATE', { ...place, available, updated_at: updatedAt })
    },
    alerts: () => alertsOf(db, alice, 'low_stock'),
    adjust: (variant: number, location: number, delta: number) =>
      alice.post('/api/stock-levels/adjust', {
        adjustments: [{ variantId: variantGid(variant), locationId: locationGid(location), delta }],
      }),
  }
}

t.test('news of a level below the reorder point is told, once, until it is over', async (t) => {
  const { db, alice, mallory, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 14 })
  await makeRule(db, mallory, { reorderPoint: 14 })
  await tellStock(1, 1, 4)
  t.strictSame(await alerts(), [], 'at the reorder point is not below it')
  await tellStock(1, 1, 3)
  const message = 'Mug 1 - Size 1 is low: 13 left, reorder point 14.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  await tellStock(1, 2, 1)
  t.strictSame(await alerts(), [{ message, isOpen: true }], 'and not again while it is so')
  await tellStock(1, 1, 30)
  t.strictSame(await alerts(), [{ message, isOpen: false }])
  await tellStock(1, 1, 0)
  t.strictSame(await alerts(), [
    { message, isOpen: false },
    { message: 'Mug 1 - Size 1 is low: 1 left, reorder point 14.', isOpen: true },
  ])
  t.strictSame(await stockOfRules(db, alice), [1])
  t.strictSame(await stockOfRules(db, mallory), [20])
  t.strictSame(await alertsOf(db, mallory, 'low_stock'), [])
})

t.test('what is low is in the list and on the dashboard', async (t) => {
  const { db, alice, mallory, tellStock } = await start(t)
  await makeRule(db, alice, { reorderPoint: 14 })
  await tellStock(1, 1, 0)
  const [alert, ...others] = (await alice.get('/api/alerts')).json().data
  t.match(alert, { type: 'low_stock', productId: 'gid://platform/Product/1', read: false })
  t.strictSame(others, [])
  const { stats, alerts } = (await alice.get('/api/dashboard')).json().data
  t.match(stats, { lowStockItems: 1 })
  t.match(alerts, [{ id: alert.id, message: 'Mug 1 - Size 1 is low: 10 left, reorder point 14.' }])
  t.strictSame((await mallory.get('/api/alerts')).json().data, [])
})

t.test('a rule of a location looks at that location alone', async (t) => {
  const { db, alice, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { location: 2, reorderPoint: 8 })
  await tellStock(1, 1, 0)
  t.strictSame(await alerts(), [])
  await tellStock(1, 2, 7)
  const message = 'Mug 1 - Size 1 is low at Place 2: 7 left, reorder point 8.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  t.strictSame(await stockOfRules(db, alice), [7])
})

t.test("the shop's own changes are looked at as well: adjustments, transfers, receipts", async (t) => {
  const { db, alice, adjust, alerts } = await start(t)
  await makeRule(db, alice, { location: 1, reorderPoint: 8 })
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

t.test('a change that is refused tells nothing', async (t) => {
  const { db, alice, adjust, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 30 })
  await db.query(sql.typeAlias('void')`delete from alert where shop_id = ${alice.shopId}`)
  t.equal((await adjust(1, 1, -11)).statusCode, 422)
  t.strictSame(await alerts(), [])
  t.strictSame(await stockOfRules(db, alice), [20])
})

t.test('less than nothing is told as nothing', async (t) => {
  const { db, alice, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { location: 1, reorderPoint: 1 })
  await tellStock(1, 1, -3)
  t.match(await alerts(), [{ message: 'Mug 1 - Size 1 is low at Place 1: 0 left, reorder point 1.' }])
  t.strictSame(await stockOfRules(db, alice), [-3])
})

t.test('an order tells before the level does, and the level agrees', async (t) => {
  const { db, alice, mallory, tell, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 18 })
  await makeRule(db, mallory, { reorderPoint: 18 })
  const order = orderBody(1, [
    [1, 1, 2],
    [2, 1, 1],
    [3, 2, 5],
  ])
  await tell('ORDERS_CREATE', order)
  const told = [{ message: 'Mug 1 - Size 1 is low: 17 left, reorder point 18.', isOpen: true }]
  t.strictSame(await alerts(), told)
  t.strictSame(await stockOfRules(db, alice), [20], 'the rule goes by the levels')
  await tellStock(1, 1, 7)
  t.strictSame(await alerts(), told)
  t.strictSame(await stockOfRules(db, alice), [17])
  t.strictSame(await alertsOf(db, mallory, 'low_stock'), [])
})

t.test(
  'orders that no level knows of yet add up, and another change of stock does not end their alert',
  async (t) => {
    const { db, alice, tell, alerts } = await start(t)
    await makeRule(db, alice, { reorderPoint: 16 })
    for (const number of [1, 2]) await tell('ORDERS_CREATE', orderBody(number, [[number, 1, 3]]))
    t.match(await alerts(), [{ isOpen: true, message: /14 left/ }])
    const adjustments = [{ variantId: variantGid(1), locationId: locationGid(1), delta: 1 }]
    await alice.post('/api/stock-levels/adjust', { adjustments })
    t.match(await alerts(), [{ isOpen: true }])
  },
)

t.test('an order that is told again tells nothing again', async (t) => {
  const { db, alice, tell, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 18 })
  const order = orderBody(1, [[1, 1, 5]])
  await tell('ORDERS_CREATE', order)
  await tell('INVENTORY_LEVELS_UPDATE', {
    inventory_item_id: 1,
    location_id: 1,
    available: 10,
    updated_at: '2026-11-01T10:00:00Z',
  })
  await tell('ORDERS_CREATE', order)
  const [alert, ...others] = await alerts()
  t.match(alert, { isOpen: false })
  t.strictSame(others, [])
})

t.test('an order that the levels know of already is not counted twice', async (t) => {
  const { db, alice, tell, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 12 })
  await tellStock(1, 1, 5)
  await tell('ORDERS_CREATE', orderBody(1, [[1, 1, 5]]))
  t.strictSame(await alerts(), [])
})

t.test('an order that leaves enough, or is of what has no rule, tells nothing', async (t) => {
  const { db, alice, tell, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 18 })
  const lines: [number, number, number][] = [
    [1, 1, 2],
    [2, 2, 19],
    [3, 99, 5],
  ]
  await tell('ORDERS_CREATE', orderBody(1, lines))
  t.strictSame(await alerts(), [])
})

t.test(
  'an order does not say where goods leave, so a location is told of only when it is certain',
  async (t) => {
    const { db, alice, tell, alerts } = await start(t)
    await makeRule(db, alice, { location: 1, reorderPoint: 10 })
    await tell('ORDERS_CREATE', orderBody(1, [[1, 1, 5]]))
    t.strictSame(await alerts(), [])
    await takeStock(db, alice, { variant: 1, location: 2, pieces: 10 })
    await tell('ORDERS_CREATE', orderBody(2, [[2, 1, 5]]))
    t.match(await alerts(), [{ message: 'Mug 1 - Size 1 is low at Place 1: 5 left, reorder point 10.' }])
  },
)

t.test('the shop says how early it wants to know, and whether at all', async (t) => {
  const { db, alice, tell, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 14 })
  await alice.post('/api/alerts/configure', { alertThresholdPercent: 25 })
  await tellStock(1, 1, 8)
  t.strictSame(await alerts(), [], '18 is above 17.5')
  await tellStock(1, 1, 7)
  t.match(await alerts(), [{ message: 'Mug 1 - Size 1 is low: 17 left, reorder point 14.' }])
  await alice.post('/api/alerts/configure', { lowStockAlerts: false })
  await tellStock(1, 1, 6)
  t.match(await alerts(), [{ isOpen: true }], 'what is open stays')
  await tellStock(1, 1, 30)
  t.match(await alerts(), [{ isOpen: false }], 'and ends all the same')
  await tellStock(1, 1, 0)
  await tell('ORDERS_CREATE', orderBody(1, [[1, 1, 9]]))
  t.equal((await alerts()).length, 1)
  t.strictSame(await stockOfRules(db, alice), [10], 'the rule is kept up to date')
})

t.test('what the platform stops counting is not low any more', async (t) => {
  const { db, alice, tellStock, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 14 })
  await tellStock(1, 1, 0)
  t.match(await alerts(), [{ isOpen: true }])
  await tellStock(1, 1, null)
  t.match(await alerts(), [{ isOpen: false }])
  await tellStock(1, 1, 1)
  t.match(await alerts(), [{ isOpen: false }, { isOpen: true }], 'until it counts it again')
})

t.test("the platform's answer to a change of ours is looked at", async (t) => {
  const { db, alice, alerts } = await start(t)
  await makeRule(db, alice, { location: 1, reorderPoint: 8 })
  await changeStock(db, alice, [5])
  const push = await claimPush(db, alice.shopId, 'a job')
  if (!push) throw new Error('There is a change to be told')
  const level = 'gid://platform/InventoryItem/1 gid://platform/Location/1'
  const answer = { at: '2026-11-02T00:00:00Z', quantities: new Map([[level, 3]]) }
  await settlePush(db, alice.shopId, push, answer)
  t.match(await alerts(), [{ message: /: 3 left/, isOpen: true }])
})

t.test('so is news that was kept while a change of ours was under way', async (t) => {
  const { db, alice, alerts } = await start(t)
  await makeRule(db, alice, { location: 1, reorderPoint: 8 })
  await changeStock(db, alice, [1])
  const push = await claimPush(db, alice.shopId, 'a job')
  if (!push) throw new Error('There is a change to be told')
  await tellLevel(db, alice, 2)
  t.strictSame(await alerts(), [])
  await requeuePush(db, alice.shopId, push, { isRefusal: true })
  t.match(await alerts(), [{ message: /: 3 left/, isOpen: true }])
})

/** A change of variant 1 at a location, not committed until the function that this answers is called. */
async function holdChange(
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
  return holdOpen(t, db, (tx) => moveStock(tx, alice.shopId, change, [{ variantId, locationId, delta }]))
}

t.test('two who change different levels of a variant at once leave the right sum', async (t) => {
  const context = await start(t)
  const { db, alice, adjust, alerts } = context
  await makeRule(db, alice, { reorderPoint: 10 })
  const letGo = await holdChange(t, context, 1, -6)
  const second = adjust(1, 2, -6)
  await untilWaiting(db, 1)
  await letGo()
  t.equal((await second).statusCode, 200)
  t.strictSame(await stockOfRules(db, alice), [8])
  t.match(await alerts(), [{ message: /: 8 left/, isOpen: true }])
})

t.test('a rule that is made while stock moves has the right sum, also of a level that is new', async (t) => {
  const context = await start(t)
  const { db, alice } = context
  await db.query(sql.typeAlias('void')`
    insert into location (shop_id, gid, name) values (${alice.shopId}, ${locationGid(3)}, 'Place 3')
  `)
  for (const location of [1, 3]) {
    const letGo = await holdChange(t, context, location, 5)
    const rule = makeRule(db, alice, { location: location === 1 ? null : 3 })
    await untilWaiting(db, 1)
    await letGo()
    await rule
  }
  t.strictSame(await stockOfRules(db, alice), [30, 5])
})

t.test('however many change the stock at once, the rule has the right sum and one alert', async (t) => {
  const { db, alice, adjust, alerts } = await start(t)
  await makeRule(db, alice, { reorderPoint: 14 })
  await makeRule(db, alice, { location: 2, reorderPoint: 6 })
  const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => adjust(1, 1 + (at % 2), -1)))
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  t.strictSame(await stockOfRules(db, alice), [4, 2])
  t.match(await alerts(), [{ isOpen: true }, { isOpen: true }])
  t.equal((await alerts()).length, 2)
})
