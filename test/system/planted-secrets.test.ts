import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { captureLog, startApp } from '../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../support/core/database.ts'
import { secretsIn } from '../support/core/outputs.ts'
import { startProcess } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { gidOf } from '../support/make/catalogue.ts'
import { makeOrder } from '../support/make/orders.ts'
import { makeStock } from '../support/make/stock.ts'
import { deliver, orderBody, sign } from '../support/platform/webhooks.ts'

useOwnDatabase()

/** Starts a mail service and a platform that return the received token in every text of a response. */
async function startEcho(t: Test): Promise<string> {
  const server = createServer(async (request, response) => {
    const [status, body] = await echo(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function echo(request: IncomingMessage): Promise<[number, object]> {
  const serverToken = request.headers['x-postmark-server-token']
  if (serverToken) return [401, { ErrorCode: 10, Message: `"${serverToken}" is no token` }]
  const { query } = (await json(request)) as { query: string }
  const message = `No access with ${request.headers['x-platform-access-token']}`
  if (!query.includes('inventoryAdjustQuantities')) return [200, { errors: [{ message }] }]
  const userErrors = [{ code: 'INVALID', field: null, message }]
  return [200, { data: { inventoryAdjustQuantities: { inventoryAdjustmentGroup: null, userErrors } } }]
}

const Text = Type.Object({ text: Type.String() })

/** All stored outcomes of jobs, mails, deliveries and pushes, and what merchants and developers see of them. */
async function recordsOf(db: Db): Promise<string> {
  const rows = await db.anyFirst(sql.type(row(Text))`
    select to_jsonb(r)::text as text from job_run r
    union all select to_jsonb(m)::text from outgoing_mail m
    union all select to_jsonb(p)::text from stock_push p
    union all select to_jsonb(a)::text from alert a
    union all select to_jsonb(s)::text from catalog_sync s
    union all select d.state || ' ' || d.reason from webhook_delivery d
    union all select j.payload::text || ' ' || coalesce(j.last_error, '') from graphile_worker._private_jobs j
  `)
  return rows.join('\n')
}

t.test('twelve secrets sent in all possible ways appear in no output', async (t) => {
  const captured = await captureLog({ LOG_LEVEL: 'trace' })
  const { app, db, url, alice } = await startApp(t, { log: captured.log })
  const echoUrl = await startEcho(t)
  await makeStock(db, alice, { variants: 2, locations: 1 })
  const order = await makeOrder(alice)
  const responses: string[] = []
  const send: typeof alice.send = async (...request) => {
    const response = await alice.send(...request)
    responses.push(JSON.stringify(response.headers), response.body)
    return response
  }
  const type = { 'content-type': 'application/json' }

  // secrets 1 to 7: in requests
  await send('GET', '/api/suppliers', undefined, { authorization: 'Bearer planted-in.header-of.a-request' })
  await send('GET', '/api/suppliers', undefined, {
    cookie: 'a=planted-cookie',
    'x-access-token': 'planted-header',
  })
  await send('GET', '/api/suppliers?accessToken=planted-in-query')
  await send('GET', '/auth/callback?code=planted-code&hmac=planted-hmac')
  await send('POST', '/api/suppliers', '{"accessToken":"planted-in-body"}', type)
  await send('POST', '/api/suppliers', '{"name":{"deep":[{"token":"planted-nested"}]}}', type)
  await send('POST', '/api/suppliers', '{"name": planted-in-broken-json', type)

  // 8 and 9: in a Postgres error, in its message and its fields
  await db.query(sql.typeAlias('void')`
    create function refuse() returns trigger language plpgsql as $$
    begin
      raise exception 'a key: test-server-token' using detail = 'planted-detail', hint = 'planted-hint';
    end $$
  `)
  for (const table of ['supplier', 'sale']) {
    await db.query(sql.typeAlias('void')`
      create trigger refuse before insert on ${sql.identifier([table])} for each row execute function refuse()
    `)
  }
  t.equal((await send('POST', '/api/suppliers', '{"name":"Acme"}', type)).statusCode, 500)

  // 10: in the payload of a delivery, whose job then fails with 8 and 9
  const delivery = { ...orderBody(1, [[1, 1, 1]]), note: 'planted-in-payload', token: 'planted-token' }
  await deliver(app, sign(alice, 'orders/create', delivery, { 'x-platform-event-id': 'planted-event' }))

  // 11 and 12: in error messages of the mail service and of the platform
  await send('POST', `/api/purchase-orders/${order.id}/send`)
  await send('POST', '/api/stock-levels/adjust', {
    adjustments: [{ variantId: gidOf('ProductVariant', 1), locationId: gidOf('Location', 1), delta: 3 }],
  })
  await enqueue(db, jobs.syncProduct, { shopId: alice.shopId, productGid: gidOf('Product', 7) })
  const env = testEnvironment(url, {
    LOG_LEVEL: 'trace',
    POSTMARK_API_URL: echoUrl,
    PLATFORM_GRAPHQL_URL: `${echoUrl}/{shop_domain}`,
  })
  const worker = startProcess(t, 'worker/main.ts', env)
  const ended = [
    '"task": "send-purchase-order"',
    '"task": "apply-orders"',
    '"task": "sync-product"',
    'No access with',
  ]
  await until(async () => {
    const records = await recordsOf(db)
    return ended.every((word) => records.includes(word))
  }, 'all jobs have failed')
  worker.kill('SIGTERM')
  await worker.ended

  await send('GET', '/api/stock-pushes')
  await send('GET', '/api/alerts')
  await send('GET', `/api/purchase-orders/${order.id}`)
  const outputs = {
    'the log of web': captured.text(),
    'the output of the worker': worker.output(),
    'the stored records': await recordsOf(db),
    'the responses': responses.join('\n'),
  }
  for (const [name, text] of Object.entries(outputs)) {
    t.ok(text.length > 1_000, `${name} is not empty`)
    t.strictSame(secretsIn(text), [], name)
  }
  const expectedTexts = ['job failed', 'No access with [secret]', '[secret]']
  for (const expected of expectedTexts)
    t.match(outputs['the output of the worker'] + outputs['the stored records'], expected)
  t.match(captured.text(), 'request failed')
})
