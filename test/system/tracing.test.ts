import { createServer, type IncomingMessage } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { openDb, sql } from '../../shared/db/db.ts'
import { listJobRuns } from '../../shared/domain/kit/operations/job-runs.ts'
import { startTracing } from '../../shared/telemetry/tracing.ts'
import { runJobs } from '../../worker/cli/jobs.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { startMailService } from '../support/core/worker.ts'
import { line } from '../support/make/orders.ts'
import { makeStock } from '../support/make/stock.ts'
import { orderBody, sign } from '../support/platform/webhooks.ts'

/** Starts web on a database of its own, with a client that sets request ids. */
async function start(t: Test, extraEnv: Record<string, string> = {}) {
  const url = await createDatabase()
  const platform = await startMailService(t)
  const env = testEnvironment(url, { POSTMARK_API_URL: platform.url, LOG_LEVEL: 'info', ...extraEnv })
  const web = startProcess(t, 'api/server.ts', env)
  const origin = await untilListening(web)
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const shop = await makeShop(db, 'alice')
  await makeStock(db, shop, { variants: 1, locations: 1, available: 1 })
  const token = await mintSessionToken({
    shop: shop.shopDomain,
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    userId: 'alice-1',
    lifetimeSeconds: 600,
  })
  const post = async (path: string, requestId: string, body?: unknown) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text).data
  }
  /** Sends an order with this request id, and leaves its mail in the queue. */
  const sendOrder = async (requestId: string) => {
    const { id: supplierId } = await post('/suppliers', 'request-supplier', {
      name: 'Acme',
      email: 'orders@acme.example.com',
    })
    const order = await post('/purchase-orders', 'request-order', { supplierId, lineItems: [line(1)] })
    await post(`/purchase-orders/${order.id}/send`, requestId)
  }
  const sendWebhook = (requestId: string, id: number) => {
    const { headers, payload } = sign(shop, 'orders/create', orderBody(id, [[id, 1, 1]]), {
      'x-request-id': requestId,
    })
    return fetch(`${origin}/webhooks`, { method: 'POST', headers, body: new Uint8Array(payload) })
  }
  return { db, env, web, sendOrder, sendWebhook, worker: () => startProcess(t, 'worker/main.ts', env) }
}

/** A trace collector on a socket: the spans that it received. */
async function startCollector(t: Test) {
  const bodies: Buffer[] = []
  const paths = new Set<string>()
  const store = async (request: IncomingMessage) => {
    paths.add(`${request.method} ${request.url}`)
    bodies.push(await buffer(request))
  }
  const server = createServer((request, response) => void store(request).then(() => response.end()))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    spans: () => bodies.flatMap(readSpans),
  }
}

/**
 * Parses the start of each span in its wire format (opentelemetry-proto, trace.proto): trace, id, an optional
 * parent, name.
 */
function readSpans(body: Buffer) {
  const text = body.toString('latin1')
  const start = /\x0a\x10([\s\S]{16})\x12\x08([\s\S]{8})(?:\x1a\x00)?(?:\x22\x08([\s\S]{8}))?\x2a([\s\S])/g
  const hex = (bytes = '') => Buffer.from(bytes, 'latin1').toString('hex')
  return [...text.matchAll(start)].map(({ 1: trace, 2: id, 3: parent, 4: size = '', 0: all, index }) => ({
    trace: hex(trace),
    id: hex(id),
    parent: hex(parent),
    name: text.slice(index + all.length, index + all.length + size.charCodeAt(0)),
  }))
}

t.test('a request and its jobs share a request id and a trace', async (t) => {
  const collector = await startCollector(t)
  const { db, env, web, sendOrder, sendWebhook, worker } = await start(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  })
  await sendOrder('request-of-alice')
  await Promise.all(['webhook-1', 'webhook-2', 'webhook-3'].map((id, at) => sendWebhook(id, at + 1)))

  const jobId = await db.oneFirst(sql.typeAlias('id')`
    select id from graphile_worker.jobs where task_identifier = 'send-purchase-order'
  `)
  const printed: string[] = []
  const output = {
    print: (text: string) => printed.push(text),
    printError: (text: string) => printed.push(text),
  }
  t.equal(await runJobs(['show', String(jobId)], env, output), 0)
  t.match(printed.join('\n'), /^request +request-of-alice$/m)

  const background = worker()
  const { output: log } = background
  await until(() => /"task":"send-purchase-order"[^\n]*"job done"/.test(log()), 'the mail is sent')
  t.match(log(), /"task":"send-purchase-order"[^\n]*"reqId":"request-of-alice"/)
  const runs = await until(async () => {
    const all = await listJobRuns(db, {}, 100)
    const tasks = all.map(({ task }) => task)
    return tasks.includes('apply-orders') && tasks.includes('send-purchase-order') && all
  }, 'runs are stored')
  const requestsOf = (name: string) =>
    runs.filter(({ task }) => task === name).flatMap(({ ids }) => ids.requestId)
  t.strictSame(requestsOf('send-purchase-order'), ['request-of-alice'])
  t.strictSame(requestsOf('apply-orders').sort(), ['webhook-1', 'webhook-2', 'webhook-3'])

  const [request, job] = await until(() => {
    const spans = collector.spans()
    const pair = ['POST /api/purchase-orders/:id/send', 'job send-purchase-order'].map((expectedName) =>
      spans.find(({ name }) => name === expectedName),
    )
    return pair.every((span) => span !== undefined) && pair
  }, 'both spans are collected')
  t.match(request?.trace, /^[0-9a-f]{32}$/)
  t.equal(job?.trace, request?.trace)
  const ofTrace = collector.spans().filter(({ trace }) => trace === request?.trace)
  t.ok(
    ofTrace.some(({ id, name }) => id === job?.parent && name.startsWith('slonik')) ||
      job?.parent === request?.id,
    'the parent of the job is the request or one of its spans',
  )
  t.ok(
    ofTrace.some(({ name }) => name === 'slonik.executeQuery'),
    'the trace includes SQL statements',
  )
  t.strictSame([...collector.paths], ['POST /v1/traces'])
  for (const { child, ended } of [web, background]) {
    child.kill('SIGTERM')
    t.equal(await ended, 0)
  }
})

t.test('a collector that never responds does not delay a stop', async (t) => {
  const silent = createServer(() => {})
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { sendOrder, web } = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url })
  await sendOrder('request-of-alice')
  web.kill('SIGTERM')
  t.equal(await web.ended, 0)
  t.match(web.output(), 'the last traces were not sent')
})

t.test('without a collector no exporter code is loaded', async (t) => {
  const loaded: string[] = []
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const pair = next(specifier, context)
      loaded.push(pair.url)
      return pair
    },
  })
  t.teardown(() => hooks.deregister())
  const exporting = () => loaded.filter((url) => /trace-export|exporter-trace|sdk-trace/.test(url))
  const url = await createDatabase()
  await startTracing(testConfig(url), 'web')
  t.strictSame(exporting(), [])
  const stop = await startTracing(
    testConfig(url, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
    'web',
  )
  t.ok(exporting().length > 0, 'with a collector it is loaded')
  await stop()
})
