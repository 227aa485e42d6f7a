import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { shopTables } from '../../../../shared/domain/records/shops/shop-tables.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { captureLog } from '../../../support/core/app.ts'
import type { Person } from '../../../support/core/people.ts'
import { deliveryJobs, enqueued, startTasks } from '../../../support/core/worker.ts'
import { makeOrder } from '../../../support/make/orders.ts'
import { deliver, orderBody, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

const body = ({ shopDomain }: Person) => ({ id: 1, myshopify_domain: shopDomain, domain: shopDomain })

/** The number of rows of a shop in each table with a shop id. */
async function rowsOf(db: Db, shopId: number): Promise<Map<string, number>> {
  const tables = await db.anyFirst(sql.type(row(Type.Object({ tableName: Type.String() })))`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'shop_id'
    order by table_name
  `)
  const counts = new Map<string, number>()
  for (const table of tables) {
    const count = await db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${shopId}
    `)
    if (count > 0) counts.set(table, count)
  }
  return counts
}

const isInstalled = (db: Db, { shopId }: Person) =>
  db.exists(sql.typeAlias('void')`select from shop where id = ${shopId} and uninstalled_at is null`)

t.test('the token is deleted immediately, then all rows of the shop and of no other', async (t) => {
  const { app, db, alice, mallory, deliverAndApply, perform } = await startDeliveries(t)
  for (const person of [alice, mallory]) {
    const { id } = await makeOrder(person)
    await person.post(`/api/purchase-orders/${id}/send`)
    await deliver(app, sign(person, 'orders/create', orderBody(1, [[1, 1, 1]])))
  }
  const before = await rowsOf(db, mallory.shopId)

  await deliverAndApply('APP_UNINSTALLED', body(alice))
  t.equal(await isInstalled(db, alice), false)
  // the status of a shop is cached for one second
  await sleep(1_100)
  t.equal((await alice.get('/api/suppliers')).statusCode, 401, 'the shop is refused')
  const remaining = await rowsOf(db, alice.shopId)
  t.notOk(remaining.has('shop_credential'), 'the token is deleted first')
  t.ok(remaining.has('purchase_order'))

  for (let runs = 0; runs < 2; runs += 1) await perform(jobs.removeShopData, { shopId: alice.shopId })
  t.strictSame(await rowsOf(db, alice.shopId), new Map())
  t.strictSame(await rowsOf(db, mallory.shopId), before)
  t.ok(
    await db.exists(sql.typeAlias('void')`select from shop where id = ${alice.shopId}`),
    'the shop row stays for analytics',
  )
})

t.test('an uninstall and its removal have one log line each, however often they run', async (t) => {
  const { app, db, alice } = await startDeliveries(t)
  const captured = await captureLog()
  // a query between the commit and the line could fail, and the line would be lost
  const maybeOne = () => Promise.reject(new Error('The connection is lost.'))
  const { perform } = await startTasks(t, { ...db, maybeOne }, { log: captured.log })
  for (let number = 0; number < 2; number += 1) {
    await deliver(app, sign(alice, 'app/uninstalled', body(alice)))
  }
  const uninstalls = (await deliveryJobs(db, jobs.uninstallShop, alice.shopId)).flat()
  for (const uninstall of uninstalls) {
    const outcomes = await perform(jobs.uninstallShop, [uninstall])
    await t.resolves(Promise.all(Array.isArray(outcomes) ? outcomes : []))
  }
  for (let runs = 0; runs < 3; runs += 1) await perform(jobs.removeShopData, { shopId: alice.shopId })
  const lines = captured.lines().filter(({ msg }) => msg !== 'job done')
  t.match(lines, [
    { msg: 'app uninstalled', shopId: alice.shopId, domain: alice.shopDomain, uninstalledAt: /Z$/ },
    { msg: 'shop data removed', shopId: alice.shopId },
  ])
  t.equal(lines.length, 2)
})

t.test('the removal covers every table with a shop id', async (t) => {
  const { db } = await startDeliveries(t)
  const tables = await db.anyFirst(sql.type(row(Type.Object({ tableName: Type.String() })))`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'shop_id'
    order by table_name
  `)
  t.strictSame([...shopTables].sort(), [...tables])
})

t.test('a shop named by the header, or only by the body, is uninstalled', async (t) => {
  const { app, db, mallory, applyAll, deliverAndApply } = await startDeliveries(t)
  const [outcome] = await deliverAndApply('APP_UNINSTALLED', {
    id: 1,
    name: 'Alice',
    domain: 'alice.example.com',
  })
  t.match(outcome, { state: 'applied' })
  const { headers, payload } = sign(mallory, 'APP_UNINSTALLED', body(mallory))
  const { 'x-platform-shop-domain': _, ...unnamed } = headers
  await deliver(app, { headers: unnamed, payload })
  await applyAll('APP_UNINSTALLED', mallory)
  t.equal(await isInstalled(db, mallory), false)
})

t.test('a shop whose domains are null is the one that the header names', async (t) => {
  const { db, alice, deliverAndApply } = await startDeliveries(t)
  const [outcome] = await deliverAndApply('APP_UNINSTALLED', { id: 1, domain: null, myshopify_domain: null })
  t.match(outcome, { state: 'applied' })
  t.equal(await isInstalled(db, alice), false)
})

t.test('two concurrent uninstall jobs of a shop do not deadlock', async (t) => {
  const { app, db, alice, perform } = await startDeliveries(t)
  for (let number = 0; number < 6; number += 1)
    await deliver(app, sign(alice, 'app/uninstalled', body(alice)))
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select id from webhook_delivery where shop_id = ${alice.shopId}
  `)
  const runs = ids.map(async (deliveryId) => {
    const outcomes = await perform(jobs.uninstallShop, [{ shopId: alice.shopId, deliveryId }])
    await Promise.all(Array.isArray(outcomes) ? outcomes : [])
  })
  await t.resolves(Promise.all(runs))
  t.equal((await enqueued(db, jobs.removeShopData, alice.shopId)).length, 1)
})

t.test('a webhook from before the installation changes nothing', async (t) => {
  const { app, db, alice, applyAll } = await startDeliveries(t)
  await deliver(
    app,
    sign(alice, 'app/uninstalled', body(alice), { 'x-platform-triggered-at': '2026-01-01T00:00:00Z' }),
  )
  await applyAll('APP_UNINSTALLED')
  t.equal(await isInstalled(db, alice), true)
  t.equal((await alice.get('/api/suppliers')).statusCode, 200)
})

t.test('a signed webhook of another topic or shop does not uninstall a shop', async (t) => {
  const { db, alice, mallory, deliverAndApply } = await startDeliveries(t)
  const outcomes = await deliverAndApply(
    'APP_UNINSTALLED',
    orderBody(1, []),
    { ...orderBody(1, []), name: '#1001' },
    { id: 6, name: 'Warehouse', active: true },
    body(mallory),
    {},
    { domain: null },
  )
  t.ok(outcomes.every(({ state }) => state === 'rejected'))
  t.equal(await isInstalled(db, alice), true)
})

t.test('an uninstall without an id is accepted when its body names this shop', async (t) => {
  for (const field of ['domain', 'myshopify_domain', 'shop_domain']) {
    const { db, alice, deliverAndApply } = await startDeliveries(t)
    const [outcome] = await deliverAndApply('APP_UNINSTALLED', { [field]: alice.shopDomain.toUpperCase() })
    t.match(outcome, { state: 'applied' }, field)
    t.equal(await isInstalled(db, alice), false, field)
  }
})

t.test('a body without an id that does not name this shop, or of another topic, is refused', async (t) => {
  const { db, alice, mallory, deliverAndApply } = await startDeliveries(t)
  const { shopDomain } = alice
  const bodies = [
    { domain: 'alice.example.com' },
    { name: 'Alice' },
    { domain: shopDomain, myshopify_domain: mallory.shopDomain },
    { domain: mallory.shopDomain },
    { myshopify_domain: shopDomain, line_items: [] },
    { id: 1, name: 'A location' },
    { shop_id: 1, shop_domain: shopDomain },
    { shop_domain: shopDomain, orders_to_redact: [] },
    { shop_domain: shopDomain, data_request: { id: 1 } },
  ]
  const outcomes = await deliverAndApply('APP_UNINSTALLED', ...bodies)
  t.strictSame(
    outcomes.map(({ state }) => state),
    bodies.map(() => 'rejected'),
  )
  t.equal(await isInstalled(db, alice), true)
})

t.test('a shop without a token is not uninstalled a second time', async (t) => {
  const { db, alice, applyAll, deliverAndApply } = await startDeliveries(t)
  await deliverAndApply('APP_UNINSTALLED', body(alice))
  await applyAll('APP_UNINSTALLED')
  t.equal((await enqueued(db, jobs.removeShopData, alice.shopId)).length, 1)
})

t.test('the removal skips an installed shop', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  await makeOrder(alice)
  await perform(jobs.removeShopData, { shopId: alice.shopId })
  t.ok((await rowsOf(db, alice.shopId)).has('purchase_order'))
})

t.test('a redact request removes only data of ended installations of the named shop', async (t) => {
  const { app, db, alice, mallory, deliverAndApply } = await startDeliveries(t)
  await deliverAndApply('APP_UNINSTALLED', body(alice))
  const removals = async () => (await enqueued(db, jobs.removeShopData, alice.shopId)).length
  await deliver(app, sign(alice, 'shop/redact', { shop_domain: mallory.shopDomain }))
  await deliver(app, sign(alice, 'shop/redact', 'nonsense'))
  t.equal(await removals(), 1)
  await deliver(app, sign(mallory, 'shop/redact', { shop_domain: alice.shopDomain }))
  t.equal(await removals(), 2)
  t.equal((await enqueued(db, jobs.removeShopData, mallory.shopId)).length, 0)
})
