import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { planOf, recordStatements } from '../../dev/postgres/statements.ts'
import { openDb, sql } from '../../shared/db/db.ts'
import { countDeadJobs, countWaitingJobs } from '../../shared/domain/kit/operations/queue-statistics.ts'
import { watchProcess } from '../../shared/domain/kit/operations/watch-process.ts'
import { createMetrics } from '../../shared/telemetry/metrics.ts'
import { startApp } from '../support/core/app.ts'
import {
  createDatabase,
  keepTransactionOpen,
  testConfig,
  testEnvironment,
  useOwnDatabase,
} from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { makeSentOrder } from '../support/make/orders.ts'
import { makeDelivery, orderBody, sign } from '../support/platform/webhooks.ts'

useOwnDatabase()

async function start(t: Test) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const run = async (file: string) => {
    const env = { ...testEnvironment(url, { METRICS_PORT: '0' }), LOG_LEVEL: 'info' }
    const started = startProcess(t, file, env)
    const port = await until(
      () => /"port":(\d+),"msg":"metrics served"/.exec(started.output())?.[1],
      'metrics are served',
    )
    const at = `http://127.0.0.1:${port}`
    return { ...started, at, read: async () => (await fetch(`${at}/metrics`)).text() }
  }
  return { db, run, shop: await makeShop(db, 'alice') }
}

t.test('web exposes metrics of requests, webhooks, pool and queue, without shop data', async (t) => {
  const { db, run, shop } = await start(t)
  const web = await run('api/server.ts')
  const origin = await untilListening(web)
  const secret = randomUUID()
  for (const path of ['/api/suppliers/1', `/${secret}`, '/healthz']) await fetch(`${origin}${path}`)
  const sendWebhook = (topic: string, headers = {}) => {
    const delivery = sign(shop, topic, orderBody(1, []), headers)
    return fetch(`${origin}/webhooks`, {
      method: 'POST',
      headers: delivery.headers,
      body: new Uint8Array(delivery.payload),
    })
  }
  await sendWebhook('orders/create')
  await sendWebhook(`orders/${secret}`)
  await sendWebhook('orders/create', { 'x-platform-hmac-sha256': 'wrong' })
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.add_job('prune', '{}', run_at => now() - interval '90 seconds')
  `)
  const text = await web.read()
  for (const line of [
    'http_request_duration_seconds_count{method="GET",route="/api/suppliers/:id",status="401"} 1',
    'http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1',
    'webhook_deliveries_total{topic="ORDERS_CREATE",outcome="stored"} 1',
    'webhook_deliveries_total{topic="ORDERS_CREATE",outcome="not stored"} 0',
    'webhook_deliveries_total{topic="other",outcome="not processed"} 1',
    'webhook_deliveries_total{topic="other",outcome="not signed"} 1',
    'db_pool_connections{state="waiting"} 0',
    'queue_due_jobs{task="prune"} 1',
    'queue_due_jobs{task="apply-orders"} 1',
    'queue_readable 1',
  ]) {
    t.ok(text.includes(line), line)
  }
  t.match(text, /^queue_oldest_due_seconds\{task="prune"\} \d\d/m)
  t.match(text, /^nodejs_eventloop_lag_seconds /m)
  t.match(text, /^process_resident_memory_bytes /m)
  t.notMatch(text, new RegExp(`${secret}|${shop.shopDomain}`, 'i'))
  t.equal((await fetch(`${origin}/metrics`)).status, 404, 'metrics are not public')
  t.equal((await fetch(`${web.at}/other`)).status, 404)
})

t.test('the worker exposes metrics of finished and dead jobs', async (t) => {
  const { db, run, shop } = await start(t)
  const deliveryId = await makeDelivery(db, shop.shopId)
  const payload = JSON.stringify([{ shopId: shop.shopId, deliveryId }])
  await db.query(sql.typeAlias('void')`select from graphile_worker.add_job('apply-orders', ${payload}::json)`)
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.add_job('sync-product', '{"wrong": 1}', max_attempts => 1)
  `)
  const worker = await run('worker/main.ts')
  await until(async () => {
    const text = await worker.read()
    return (
      text.includes('job_duration_seconds_count{task="apply-orders",outcome="done"} 1') &&
      text.includes('job_duration_seconds_count{task="sync-product",outcome="failed"} 1') &&
      text.includes('queue_dead_jobs{task="sync-product"} 1')
    )
  }, 'the metrics are complete')
})

t.test('mails with an unknown outcome and shops that refuse access are counted', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const read = async () => {
    const metrics = createMetrics()
    watchProcess(metrics, db)
    const text = await metrics.registry.metrics()
    return ['mails_unknown', 'shops_refused'].map(
      (name) => new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1],
    )
  }
  t.strictSame(await read(), ['0', '0'])
  for (const age of ['1 hour', '2 days']) {
    const { id } = await makeSentOrder(alice)
    await db.query(sql.typeAlias('void')`
      update outgoing_mail set state = 'unknown', settled_at = now() - ${age}::interval
      where shop_id = ${alice.shopId} and purchase_order_id = ${id}
    `)
  }
  await db.query(sql.typeAlias('void')`
    update shop_credential set revoked_at = now() where shop_id = ${mallory.shopId}
  `)
  t.strictSame(await read(), ['1', '1'])
})

t.test('metrics report an unreadable queue while all connections are in use', async (t) => {
  const busy = await openDb(testConfig(await createDatabase()), 1)
  t.teardown(() => busy.end())
  const metrics = createMetrics()
  watchProcess(metrics, busy)
  const release = await keepTransactionOpen(t, busy, (tx) => tx.query(sql.typeAlias('void')`select`))
  const text = await metrics.registry.metrics()
  t.match(text, /^queue_readable 0$/m)
  t.notMatch(text, /^queue_due_jobs\{/m)
  t.match(text, /^db_pool_connections\{state="in_use"\} 1$/m, 'other metrics are present')
  await release()
})

t.test('counting the queue reads no more of many dead jobs than it counts', async (t) => {
  const url = await createDatabase()
  const pool = await openDb(testConfig(url), 2)
  t.teardown(() => pool.end())
  const { db, statements } = recordStatements(pool)
  await pool.query(sql.typeAlias('void')`select from graphile_worker.add_job('prune', '{}')`)
  await pool.query(sql.typeAlias('void')`
    insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, last_error)
    select k.id, '{}', 12, 12, repeat('an error of some length ', 10)
    from graphile_worker._private_tasks k, generate_series(1, 40000)
  `)
  await pool.query(sql.typeAlias('void')`vacuum analyze graphile_worker._private_jobs`)
  t.match(await countWaitingJobs(db), [{ task: 'prune', waiting: 1, due: 1 }])
  t.match(await countDeadJobs(db), [{ task: 'prune', count: 10_000 }])
  for (const [at, maxRows] of [10, 10_000].entries()) {
    const statement = statements[at]
    if (!statement) throw new Error('The statement was not recorded')
    const plan = await planOf(pool, statement, { isRun: true })
    const rows = [...plan.matchAll(/on _private_jobs.*actual .*rows=([\d.]+)/g)].map(([, count]) =>
      Number(count),
    )
    t.ok(rows.length > 0 && rows.every((count) => count <= maxRows), plan)
  }
})
