import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { startApp } from '../../support/core/app.ts'
import { enqueued } from '../../support/core/worker.ts'

const noCounts = { locations: 0, products: 0, variants: 0, levels: 0, orders: 0 }

t.test('a shop without a sync has the state none', async (t) => {
  const { alice } = await startApp(t)
  t.strictSame((await alice.get('/api/sync')).json(), {
    success: true,
    data: {
      state: 'none',
      phase: null,
      cause: null,
      counts: noCounts,
      reason: '',
      startedAt: null,
      finishedAt: null,
      lastWebhookAt: null,
      failedDeliveries: 0,
      unreadVariants: 0,
      sales: { knownSince: null, knownDays: null, readUntil: null, readingSince: null, ordersRead: 0 },
    },
  })
})

t.test('concurrent requests start one sync with one job', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const answers = await Promise.all([
    alice.post('/api/sync'),
    alice.post('/api/sync'),
    alice.post('/api/sync'),
  ])
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 201])
  for (const answer of answers) {
    t.match(answer.json().data, { state: 'running', phase: 'locations', counts: noCounts, startedAt: /Z$/ })
  }
  t.match(await enqueued(db, jobs.syncCatalog, alice.shopId), [{ shopId: alice.shopId }])
  t.equal((await enqueued(db, jobs.syncCatalog, alice.shopId)).length, 1)

  t.match((await mallory.get('/api/sync')).json().data, { state: 'none' })
  t.equal((await mallory.post('/api/sync')).statusCode, 201, 'another shop can sync at the same time')
})

t.test('a stalled sync gets a new job and continues', async (t) => {
  const { db, alice } = await startApp(t)
  await alice.post('/api/sync')
  await db.query(sql.typeAlias('void')`
    update catalog_sync set progressed_at = now() - interval '20 minutes' where shop_id = ${alice.shopId}
  `)
  t.equal((await alice.post('/api/sync')).statusCode, 200)
  t.equal((await alice.post('/api/sync')).statusCode, 200)
  const [first, second, ...others] = await enqueued(db, jobs.syncCatalog, alice.shopId)
  t.strictSame(second, first)
  t.strictSame(others, [])
})

t.test('a finished sync can be followed by another', async (t) => {
  const { db, alice } = await startApp(t)
  await alice.post('/api/sync')
  await db.query(sql.typeAlias('void')`
    update catalog_sync
    set state = 'done', phase = 'orders', finished_at = now(), variant_count = 7
    where shop_id = ${alice.shopId}
  `)
  t.match((await alice.get('/api/sync')).json().data, {
    state: 'done',
    phase: null,
    counts: { ...noCounts, variants: 7 },
    finishedAt: /Z$/,
  })
  t.equal((await alice.post('/api/sync')).statusCode, 201)
  t.match((await alice.get('/api/sync')).json().data, {
    state: 'running',
    counts: noCounts,
    finishedAt: null,
  })
})

t.test('the sync status has the last webhook and the failed deliveries of the shop', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const [webhookId, state] of [
    ['a', 'applied'],
    ['b', 'failed'],
    ['c', 'received'],
  ] as const) {
    await db.query(sql.typeAlias('void')`
      insert into webhook_delivery (shop_id, topic, webhook_id, payload, state)
      values (${alice.shopId}, 'ORDERS_CREATE', ${webhookId}, '', ${state})
    `)
  }
  t.match((await alice.get('/api/sync')).json().data, { lastWebhookAt: /Z$/, failedDeliveries: 1 })
  t.match((await mallory.get('/api/sync')).json().data, { lastWebhookAt: null, failedDeliveries: 0 })
})
