import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { alertsOf } from '../../../support/make/alerts.ts'
import { insertRule, setReorderPoint, stockOfRules } from '../../../support/make/reorder.ts'
import { makeStock, markVariant } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { startDeliveries } from '../../../support/platform/webhooks.ts'

/** Two shops with two variants, 10 units of each. */
async function start(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice, mallory, perform } = context
  for (const shop of [alice, mallory]) await makeStock(db, shop, { variants: 2 })
  return {
    ...context,
    check: () => perform(jobs.checkLowStock, { shopId: alice.shopId }),
    alerts: () => alertsOf(db, alice, 'low_stock'),
  }
}

t.test('the check finds low stock without a stock change', async (t) => {
  const { db, alice, mallory, check, alerts } = await start(t)
  const rule = await insertRule(db, alice, { reorderPoint: 9 })
  const other = await insertRule(db, mallory, { reorderPoint: 9 })
  await setReorderPoint(db, alice, rule, 11)
  await setReorderPoint(db, mallory, other, 11)
  for (let runs = 0; runs < 2; runs += 1) await check()
  const message = 'Mug 1 - Size 1 is low: 10 left, reorder point 11.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  await setReorderPoint(db, alice, rule, 10)
  await check()
  t.strictSame(await alerts(), [{ message, isOpen: false }])
  t.strictSame(await alertsOf(db, mallory, 'low_stock'), [])
})

t.test('the check stores figures, and an alert of before keeps its sentence until then', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  const rule = await insertRule(db, alice, { reorderPoint: 11, location: 1 })
  await check()
  const message = 'Mug 1 - Size 1 is low at Place 1: 10 left, reorder point 11.'
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  const stored = sql.type(row(Type.Object({ message: Type.String(), figures: Type.Any() })))`
    select message, figures from alert where shop_id = ${alice.shopId}
  `
  const figures = { location: 'Place 1', left: 10, reorderPoint: 11 }
  t.strictSame(await db.one(stored), { message: 'Mug 1 - Size 1', figures })

  const before = 'Mug 1 - Size 1 is low at Place 1: 9 left, reorder point 11.'
  await db.query(sql.typeAlias('void')`
    update alert set message = ${before}, figures = null where shop_id = ${alice.shopId}
  `)
  const read = async (query: string) => (await alice.get(`/api/alerts?search=${query}`)).json().data
  t.match(await read('9%20left'), [{ message: before }])
  t.match((await alice.get('/api/dashboard')).json().data.alerts, [{ message: before }])
  await check()
  t.strictSame(await read('9%20left'), [])
  t.match(await read('mug%201%20-%20size%201%20is%20low%20at%20place%201'), [{ message }])
  t.match((await alice.get('/api/dashboard')).json().data.alerts, [{ message }])
  t.strictSame(await db.one(stored), { message: 'Mug 1 - Size 1', figures })
  await setReorderPoint(db, alice, rule, 10)
  await check()
  t.strictSame(await alerts(), [{ message, isOpen: false }])
})

t.test('a changed threshold enqueues a check that applies it', async (t) => {
  const { db, alice, perform, alerts } = await start(t)
  await insertRule(db, alice, { reorderPoint: 9 })
  await alice.post('/api/alerts/configure', { alertThresholdPercent: 20 })
  t.strictSame(await alerts(), [])
  for (const payload of await enqueued(db, jobs.checkLowStock, alice.shopId)) {
    await perform(jobs.checkLowStock, payload)
  }
  t.match(await alerts(), [{ isOpen: true }])
})

t.test('a deleted product is not low any more', async (t) => {
  const { db, alice, check, alerts, deliverAndApply } = await start(t)
  for (const variant of [1, 2]) await insertRule(db, alice, { variant, reorderPoint: 11 })
  await markVariant(db, alice, 1, 'deleted')
  await check()
  t.match(await alerts(), [{ isOpen: false }, { isOpen: true }])
  const productGid = await db.oneFirst(sql.type(row(Type.Object({ gid: Type.String() })))`
    select gid from product where shop_id = ${alice.shopId} order by id desc limit 1
  `)
  await deliverAndApply('PRODUCTS_DELETE', { id: Number(/\d+$/.exec(productGid)?.[0]) })
  t.match(await alerts(), [{ isOpen: false }, { isOpen: false }], 'without a further check')
})

t.test('the check corrects a wrong current stock of a rule', async (t) => {
  const { db, alice, check } = await start(t)
  await insertRule(db, alice)
  await db.query(sql.typeAlias('void')`
    update reorder_rule set current_stock = 99 where shop_id = ${alice.shopId}
  `)
  await check()
  t.strictSame(await stockOfRules(db, alice), [10])
})

t.test('the job skips a shop that has uninstalled the app', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  const rule = await insertRule(db, alice, { reorderPoint: 9 })
  await setReorderPoint(db, alice, rule, 11)
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await check()
  t.strictSame(await alerts(), [])
})

/** Makes rules for 1,000 more variants without stock, unchecked so far. */
async function makeManyRules({ db, alice }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const { shopId } = alice
  await db.query(sql.typeAlias('void')`
    insert into variant (shop_id, gid, product_id, title)
    select ${shopId}, 'gid://platform/ProductVariant/' || n, (select min(id) from product where shop_id = ${shopId}), n
    from generate_series(1001, 2000) n
  `)
  await db.query(sql.typeAlias('void')`
    insert into reorder_rule (shop_id, variant_id, reorder_point, reorder_quantity, current_stock, created_by)
    select shop_id, id, 5, 10, 100, 'alice-1' from variant where shop_id = ${shopId} and title ~ '^\\d+$'
  `)
}

t.test('a large shop is checked by several jobs, each rule once', async (t) => {
  const context = await start(t)
  const { db, alice, perform, check, alerts } = context
  await makeManyRules(context)
  let now = 0
  t.intercept(performance, 'now', { value: () => (now += 30_000) })
  await check()
  t.equal((await alerts()).length, 300)
  for (let slices = 1; slices < 4; slices += 1) {
    const payload = (await enqueued(db, jobs.checkLowStock, alice.shopId)).at(-1)
    t.ok(payload?.afterRuleId)
    if (payload) await perform(jobs.checkLowStock, payload)
  }
  t.equal((await alerts()).length, 1000)
  t.equal((await enqueued(db, jobs.checkLowStock, alice.shopId)).length, 3, 'the last job enqueues no other')
})

t.test('an aborted job stops between two batches', async (t) => {
  const context = await start(t)
  const { alice, perform, alerts } = context
  await makeManyRules(context)
  const signal = AbortSignal.abort(new Error('stopping'))
  await t.rejects(perform(jobs.checkLowStock, { shopId: alice.shopId }, { signal }), /stopping/)
  t.strictSame(await alerts(), [])
})

t.test('an order that moves no stock alerts until the levels are read', async (t) => {
  const { db, alice, shop, variants, perform, deliverAndApply } = await startSimulatedShop(t)
  const { shopId } = alice
  const [variantId = ''] = variants
  await alice.post('/api/reorder/rules', { variantId, reorderPoint: 15, reorderQuantity: 5 })
  const alerts = () => alertsOf(db, alice, 'low_stock')
  const now = new Date().toISOString()
  const id = Number(variantId.replace(/.*\//, ''))
  await deliverAndApply('ORDERS_CREATE', {
    ...{ id: 777, created_at: now, updated_at: now },
    line_items: [{ id: 778, variant_id: id, quantity: 12, current_quantity: 12, price: '1.00' }],
  })
  const message = /is low: 8 left, reorder point 15/
  t.match(await alerts(), [{ message, isOpen: true }])
  await perform(jobs.readLevels, { shopId })
  t.match(await alerts(), [{ message, isOpen: false }], '20 pieces are there')
  shop.placeOrder([
    { variantId, quantity: 12, locationId: shop.gid('Location', shop.locations[0]?.id ?? '') },
  ])
  await perform(jobs.reconcileStock, { shopId })
  await perform(jobs.checkLowStock, { shopId })
  t.match(
    (await alerts()).filter(({ isOpen }) => isOpen),
    [{ message }],
    'an order that moves stock',
  )
})
