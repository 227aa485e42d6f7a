import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { startApp } from '../../support/core/app.ts'
import { enqueued } from '../../support/core/worker.ts'

const nothing = { locations: 0, products: 0, variants: 0, levels: 0, orders: 0 }

t.test('a shop that was never read says so', async (t) => {
  const { alice } = await startApp(t)
  t.strictSame((await alice.get('/api/sync')).json(), {
    success: true,
    data: {
      state: 'none',
      phase: null,
      counts: nothing,
      reason: '',
      startedAt: null,
      finishedAt: null,
      lastWebhookAt: null,
      failedDeliveries: 0,
    },
  })
})

t.test('a sync is started once, with its job; while it runs, asking again starts nothing', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const answers = await Promise.all([
    alice.post('/api/sync'),
    alice.post('/api/sync'),
    alice.post('/api/sync'),
  ])
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 201])
  for (const answer of answers) {
    t.match(answer.json().data, { state: 'running', phase: 'locations', counts: nothing, startedAt: /Z$/ })
  }
  t.match(await enqueued(db, jobs.syncCatalog, alice.shopId), [{ shopId: alice.shopId }])
  t.equal((await enqueued(db, jobs.syncCatalog, alice.shopId)).length, 1)

  t.match((await mallory.get('/api/sync')).json().data, { state: 'none' })
  t.equal((await mallory.post('/api/sync')).statusCode, 201, 'that of another shop runs beside it')
})

t.test('a sync that has stood still for long gets a job again, and stays the same', async (t) => {
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

t.test('one that has ended may be followed by another', async (t) => {
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
    counts: { ...nothing, variants: 7 },
    finishedAt: /Z$/,
  })
  t.equal((await alice.post('/api/sync')).statusCode, 201)
  t.match((await alice.get('/api/sync')).json().data, { state: 'running', counts: nothing, finishedAt: null })
})

t.test('the last webhook and the deliveries that failed are told, of this shop only', async (t) => {
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
