import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { readPages } from '../../support/core/people.ts'
import { deliveryJobs } from '../../support/core/worker.ts'
import { makeDelivery } from '../../support/platform/webhooks.ts'

t.test('failed deliveries are listed newest first without their payloads', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const first = await makeDelivery(db, alice.shopId, { state: 'failed', reason: 'It could not be applied.' })
  const second = await makeDelivery(db, alice.shopId, { state: 'failed' })
  const rejected = await makeDelivery(db, alice.shopId, { state: 'rejected' })
  await makeDelivery(db, alice.shopId, { state: 'applied' })
  await makeDelivery(db, mallory.shopId, { state: 'failed' })
  const answer = await alice.get('/api/sync/deliveries')
  t.strictSame(answer.json().data.length, 2)
  const { receivedAt, settledAt, ...delivery } = answer.json().data[1]
  t.strictSame(delivery, {
    id: first,
    topic: 'ORDERS_CREATE',
    state: 'failed',
    reason: 'It could not be applied.',
  })
  t.match([receivedAt, settledAt], [/Z$/, /Z$/])
  t.strictSame(await readPages(alice, '/api/sync/deliveries?limit=1'), [[second], [first]])
  t.strictSame(await readPages(alice, '/api/sync/deliveries?state=rejected'), [[rejected]])
  t.strictSame(await readPages(alice, '/api/sync/deliveries?state=received'), [[]])
  expectFailure(t, await alice.get('/api/sync/deliveries?state=lost'), 400, 'invalid_request')
})

t.test('concurrent replays of a failed delivery enqueue one job', async (t) => {
  const { db, alice } = await startApp(t)
  const { shopId } = alice
  const id = await makeDelivery(db, shopId, { state: 'failed', reason: 'It failed.' })
  const other = await makeDelivery(db, shopId, { state: 'failed' })
  const send = () => alice.post(`/api/sync/deliveries/${id}/replay`)
  const answers = await Promise.all([send(), send(), send()])
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409])
  const accepted = answers.find(({ statusCode }) => statusCode === 200)
  t.strictSame(accepted?.json(), { success: true, data: { id, state: 'received' } })
  t.strictSame(await deliveryJobs(db, jobs.applyOrders, shopId), [[{ shopId, deliveryId: id }]])
  t.match((await alice.get('/api/sync/deliveries?state=received')).json().data, [
    { id, reason: '', settledAt: null },
  ])
  t.strictSame(await readPages(alice, '/api/sync/deliveries'), [[other]])
})

t.test('only a failed delivery of the shop can be replayed', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const state of ['received', 'applied', 'ignored', 'rejected']) {
    const id = await makeDelivery(db, alice.shopId, { state })
    expectFailure(t, await alice.post(`/api/sync/deliveries/${id}/replay`), 409, 'conflict', state)
    t.strictSame(await readPages(alice, `/api/sync/deliveries?state=${state}`), [[id]])
  }
  const theirs = await makeDelivery(db, mallory.shopId, { state: 'failed' })
  expectFailure(t, await alice.post(`/api/sync/deliveries/${theirs}/replay`), 404, 'not_found')
  t.strictSame((await alice.post('/api/sync/deliveries/replay-failed')).json().data, { replayed: 0 })
  t.strictSame(await readPages(mallory, '/api/sync/deliveries'), [[theirs]])
  t.strictSame(await deliveryJobs(db, jobs.applyOrders, alice.shopId), [])
})

t.test('all failed deliveries are replayed, oldest first, up to 1000 per request', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const theirs = await makeDelivery(db, mallory.shopId, { state: 'failed' })
  await db.query(sql.typeAlias('void')`
    insert into webhook_delivery (shop_id, topic, webhook_id, payload, state)
    select ${alice.shopId}::bigint, 'ORDERS_CREATE', 'webhook ' || n, '', 'failed' from generate_series(1, 1000) n
  `)
  const last = await makeDelivery(db, alice.shopId, { state: 'failed' })
  const replay = async () => (await alice.post('/api/sync/deliveries/replay-failed')).json().data
  t.strictSame(await replay(), { replayed: 1000 })
  t.strictSame(await readPages(alice, '/api/sync/deliveries'), [[last]])
  t.strictSame(await replay(), { replayed: 1 })
  t.match((await alice.get('/api/sync')).json().data, { failedDeliveries: 0 })
  t.equal((await deliveryJobs(db, jobs.applyOrders, alice.shopId)).length, 1001)
  t.strictSame(await readPages(mallory, '/api/sync/deliveries'), [[theirs]])
})
