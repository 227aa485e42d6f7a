import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { shopTables } from '../../../../shared/domain/shops/remove.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { Person } from '../../../support/core/people.ts'
import { until } from '../../../support/core/processes.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { makeOrder } from '../../../support/make/orders.ts'
import { startDeliveries } from '../../../support/platform/deliveries.ts'
import { deliver, orderBody, sign } from '../../../support/platform/webhooks.ts'

const body = ({ shopDomain }: Person) => ({ id: 1, myshopify_domain: shopDomain, domain: shopDomain })

/** Every table that says which shop a row is of, with how many rows it has of this one. */
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

t.test('the token is gone at once, then every row of the shop, and of no other', async (t) => {
  const { app, db, alice, mallory, tell, perform } = await startDeliveries(t)
  for (const person of [alice, mallory]) {
    const { id } = await makeOrder(person)
    await person.post(`/api/purchase-orders/${id}/send`)
    await deliver(app, sign(person, 'orders/create', orderBody(1, [[1, 1, 1]])))
  }
  const before = await rowsOf(db, mallory.shopId)

  await tell('APP_UNINSTALLED', body(alice))
  t.equal(await isInstalled(db, alice), false)
  const isRefused = async () => (await alice.get('/api/suppliers')).statusCode === 401
  await until(isRefused, 'the shop is refused', 1_500)
  const left = await rowsOf(db, alice.shopId)
  t.notOk(left.has('shop_credential'), 'the token goes first')
  t.ok(left.has('purchase_order'))

  for (let runs = 0; runs < 2; runs += 1) await perform(jobs.removeShopData, { shopId: alice.shopId })
  t.strictSame(await rowsOf(db, alice.shopId), new Map())
  t.strictSame(await rowsOf(db, mallory.shopId), before)
  t.ok(await db.exists(sql.typeAlias('void')`select from shop where id = ${alice.shopId}`), 'for analytics')
})

t.test('every table of a shop is on the list of what is removed', async (t) => {
  const { db } = await startDeliveries(t)
  const tables = await db.anyFirst(sql.type(row(Type.Object({ tableName: Type.String() })))`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'shop_id'
    order by table_name
  `)
  t.strictSame([...shopTables].sort(), [...tables])
})

t.test('a shop that is named by the header, or by the body alone, is ended', async (t) => {
  const { app, db, mallory, applyAll, tell } = await startDeliveries(t)
  const [end] = await tell('APP_UNINSTALLED', { id: 1, name: 'Alice', domain: 'alice.example.com' })
  t.match(end, { state: 'applied' })
  const { headers, payload } = sign(mallory, 'APP_UNINSTALLED', body(mallory))
  const { 'x-platform-shop-domain': _, ...unnamed } = headers
  await deliver(app, { headers: unnamed, payload })
  await applyAll('APP_UNINSTALLED', mallory)
  t.equal(await isInstalled(db, mallory), false)
})

t.test('two that end a shop at once do not block each other', async (t) => {
  const { app, db, alice, perform } = await startDeliveries(t)
  for (let number = 0; number < 6; number += 1)
    await deliver(app, sign(alice, 'app/uninstalled', body(alice)))
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select id from webhook_delivery where shop_id = ${alice.shopId}
  `)
  const runs = ids.map(async (deliveryId) => {
    const ends = await perform(jobs.uninstallShop, [{ shopId: alice.shopId, deliveryId }])
    await Promise.all(Array.isArray(ends) ? ends : [])
  })
  await t.resolves(Promise.all(runs))
  t.equal((await enqueued(db, jobs.removeShopData, alice.shopId)).length, 1)
})

t.test('news from before the installation changes nothing', async (t) => {
  const { app, db, alice, applyAll } = await startDeliveries(t)
  await deliver(
    app,
    sign(alice, 'app/uninstalled', body(alice), { 'x-platform-triggered-at': '2026-01-01T00:00:00Z' }),
  )
  await applyAll('APP_UNINSTALLED')
  t.equal(await isInstalled(db, alice), true)
  t.equal((await alice.get('/api/suppliers')).statusCode, 200)
})

t.test('signed news of something else, or of another shop, is not the end of a shop', async (t) => {
  const { db, alice, mallory, tell } = await startDeliveries(t)
  const ends = await tell('APP_UNINSTALLED', orderBody(1, []), body(mallory), {}, { domain: null })
  t.ok(ends.every(({ state }) => state === 'rejected'))
  t.equal(await isInstalled(db, alice), true)
})

t.test('a shop without a token ends no second time', async (t) => {
  const { db, alice, applyAll, tell } = await startDeliveries(t)
  await tell('APP_UNINSTALLED', body(alice))
  await applyAll('APP_UNINSTALLED')
  t.equal((await enqueued(db, jobs.removeShopData, alice.shopId)).length, 1)
})

t.test('the removal stops before a shop that is installed', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  await makeOrder(alice)
  await perform(jobs.removeShopData, { shopId: alice.shopId })
  t.ok((await rowsOf(db, alice.shopId)).has('purchase_order'))
})

t.test(
  'a request to redact removes what is left of ended installations only, of the shop that is named',
  async (t) => {
    const { app, db, alice, mallory, tell } = await startDeliveries(t)
    await tell('APP_UNINSTALLED', body(alice))
    const removals = async () => (await enqueued(db, jobs.removeShopData, alice.shopId)).length
    await deliver(app, sign(alice, 'shop/redact', { shop_domain: mallory.shopDomain }))
    await deliver(app, sign(alice, 'shop/redact', 'nonsense'))
    t.equal(await removals(), 1)
    await deliver(app, sign(mallory, 'shop/redact', { shop_domain: alice.shopDomain }))
    t.equal(await removals(), 2)
    t.equal((await enqueued(db, jobs.removeShopData, mallory.shopId)).length, 0)
  },
)
