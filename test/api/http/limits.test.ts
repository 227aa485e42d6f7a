import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, listen, startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, testEnvironment, untilBlocked } from '../../support/core/database.ts'
import { startProcess, untilListening } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { orderBody, sign } from '../../support/platform/webhooks.ts'

const mebibyte = 1024 * 1024
const hourMs = 3_600_000

/** Starts the web process, and a client that sends requests over sockets. */
async function startWeb(t: Test, env: Record<string, string> = {}) {
  const { db, url, alice } = await startApp(t)
  const web = startProcess(t, 'api/server.ts', { ...testEnvironment(url, env), LOG_LEVEL: 'info' })
  const origin = await untilListening(web)
  const request = async (path: string, { headers, ...rest }: RequestInit = {}) => {
    const answer = await fetch(`${origin}${path}`, {
      ...rest,
      headers: { authorization: `Bearer ${alice.token}`, ...Object.fromEntries(new Headers(headers)) },
    })
    const body = await answer.text()
    return { status: answer.status, headers: answer.headers, code: codeOf(body) }
  }
  const deliver = ({ headers, payload }: ReturnType<typeof sign>) =>
    request('/webhooks', { method: 'POST', headers, body: new Uint8Array(payload) })
  const open = (text: string) => openSocket(t, origin, text)
  const hasDeliveries = () =>
    db.exists(sql.typeAlias('void')`select from webhook_delivery where shop_id = ${alice.shopId}`)
  return { db, alice, web, request, deliver, open, hasDeliveries }
}

async function openSocket(t: Test, origin: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** A client that sends one more character each second. */
async function openSlowClient(t: Test, origin: string, text: string) {
  const socket = await openSocket(t, origin, text)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))
  const drip = setInterval(() => socket.writable && socket.write('x'), 1_000)
  t.teardown(() => clearInterval(drip))
  return { isOpen: () => !socket.closed, answer: () => answer }
}

function codeOf(body: string): string | undefined {
  try {
    return JSON.parse(body).error?.code
  } catch {
    return undefined
  }
}

t.test('the response has the remaining rate limit, and each shop has its own limit', async (t) => {
  const { alice, mallory } = await startApp(t, { env: { RATE_LIMIT_PER_MINUTE: '20' } })
  // all wait for the same query of their shop
  const burst = await Promise.all(Array.from({ length: 61 }, () => mallory.get('/api/suppliers')))
  const [first] = burst
  t.equal(Number(first?.headers['x-ratelimit-limit']), 20)
  const reset = Number(first?.headers['x-ratelimit-reset'])
  t.ok(reset > 0 && reset <= 60, `resets in ${reset} s`)

  const answered = burst.filter(({ statusCode }) => statusCode === 200)
  // the API keeps a shop for one second; requests that wait for the next query are counted later than those after them
  const remaining = answered.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  t.strictSame(
    remaining.toSorted((a, b) => b - a),
    Array.from({ length: 20 }, (_, at) => 19 - at),
    'each request within the limit is answered',
  )
  const limited = burst.filter(({ statusCode }) => statusCode === 429)
  t.equal(limited.length, 41)
  for (const answer of limited) {
    expectFailure(t, answer, 429, 'rate_limited')
    const seconds = Number(answer.headers['retry-after'])
    t.ok(seconds > 0 && seconds <= 60)
  }
  const other = await alice.get('/api/suppliers')
  t.equal(other.statusCode, 200)
  t.equal(Number(other.headers['x-ratelimit-remaining']), 19)
})

t.test('pages and the API documentation have a limit per client address', async (t) => {
  const { app, alice } = await startApp(t, {})
  const paths = ['/openapi.json', '/docs', '/docs/json']
  // at once, so that no minute passes between two of them
  const burst = Array.from({ length: 123 }, (_, at) =>
    app.inject({ method: 'HEAD', url: paths[at % 3] ?? '' }),
  )
  const answers = await Promise.all(burst)
  const limited = answers.filter(({ statusCode }) => statusCode === 429)
  t.equal(limited.length, 3, 'they share 120 requests')
  for (const { headers } of limited) t.ok(Number(headers['retry-after']) > 0)
  t.equal(answers.filter(({ statusCode }) => statusCode < 400).length, 120)
  t.equal((await alice.get('/api/suppliers')).statusCode, 200, 'the API has a limit of its own')
})

t.test('the server refuses a body, a header or a number of headers above the limit', async (t) => {
  const { request, deliver, open, alice } = await startWeb(t)
  /** Sends only the head with the content length: a client that is still sending may lose the response. */
  const announce = async (path: string, bytes: number) => {
    const socket = await open(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    )
    const [head, body = ''] = (await readText(socket)).split('\r\n\r\n')
    return { status: Number(head?.split(' ')[1]), code: codeOf(body) }
  }
  const post = (bytes: number) => {
    const [before, after] = ['{"name":"', '"}']
    const body = before + 'x'.repeat(bytes - before.length - after.length) + after
    return request('/api/suppliers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  }
  t.match(
    await post(mebibyte),
    { status: 400, code: 'invalid_request' },
    'the body is read and the name is too long',
  )
  t.match(await announce('/api/suppliers', mebibyte + 1), { status: 413, code: 'payload_too_large' })

  const delivery = (bytes: number) => {
    const [before, after] = ['{"id":1,"line_items":[],"note":"', '"}']
    const filling = Buffer.alloc(bytes - before.length - after.length, 'x')
    return sign(alice, 'orders/create', Buffer.concat([Buffer.from(before), filling, Buffer.from(after)]))
  }
  t.match(await deliver(delivery(5 * mebibyte)), { status: 200 })
  t.match(await announce('/webhooks', 5 * mebibyte + 1), { status: 413, code: 'payload_too_large' })

  t.match(await request('/api/suppliers', { headers: { 'x-long': 'x'.repeat(17_000) } }), {
    status: 431,
    code: 'headers_too_large',
  })
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1']))
  t.match(await request('/api/suppliers', { headers: many }), { status: 431, code: 'headers_too_large' })
  t.match(await request('/api/suppliers'), { status: 200 })
})

t.test('the server disconnects hundreds of slow clients and serves the others', async (t) => {
  const { app, alice } = await startApp(t, {})
  const { server } = app
  t.match(server, { headersTimeout: 10_000, requestTimeout: 20_000, timeout: 30_000 })
  const origin = await listen(app)
  const head = `POST /api/suppliers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n`
  const texts = [
    'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ',
    `${head}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
  ]
  // no client is too slow before the others are served
  Object.assign(server, { headersTimeout: hourMs, requestTimeout: hourMs })
  const clients = await Promise.all(
    texts.flatMap((text) => Array.from({ length: 200 }, () => openSlowClient(t, origin, text))),
  )
  const headers = { authorization: `Bearer ${alice.token}` }
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      fetch(`${origin}/api/suppliers`, { headers }),
      fetch(`${origin}/healthz`),
    ])
    for (const answer of answers) {
      await answer.text()
      t.equal(answer.status, 200)
    }
  }
  t.equal(clients.filter(({ isOpen }) => isOpen()).length, 400, 'the slow clients are still connected')

  Object.assign(server, { headersTimeout: 1, requestTimeout: hourMs })
  await until(
    () => clients.slice(0, 200).every(({ isOpen }) => !isOpen()),
    'those in the headers are disconnected',
  )
  t.ok(
    clients.slice(200).every(({ isOpen }) => isOpen()),
    'a body has a time limit of its own',
  )
  server.requestTimeout = 1
  await until(() => !clients.some(({ isOpen }) => isOpen()), 'all are disconnected')
  // A client that is still sending when it is disconnected may lose the response.
  const statusLines = clients.map(({ answer }) => answer().split('\r\n')[0])
  t.strictSame([...new Set(statusLines.filter(Boolean))], ['HTTP/1.1 408 Request Timeout'])
})

t.test('a request whose body is too slow for its handler is refused', async (t) => {
  const { app, alice } = await startApp(t, { handlerTimeoutMs: 500 })
  const head = `POST /api/suppliers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n`
  const text = `${head}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`
  const { answer } = await openSlowClient(t, await listen(app), text)
  await until(() => answer().includes('\r\n\r\n'), 'the request is answered')
  t.equal(answer().split('\r\n')[0], 'HTTP/1.1 503 Service Unavailable')
})

t.test(
  'a request without a database connection within two seconds is refused with Retry-After',
  async (t) => {
    const { db, web, request, deliver, alice, hasDeliveries } = await startWeb(t, { WEB_POOL_SIZE: '2' })
    t.equal((await request('/api/suppliers')).status, 200)
    const release = await keepTransactionOpen(t, db, (tx) =>
      tx.query(sql.typeAlias('void')`lock table supplier`),
    )

    const blocked = [request('/api/suppliers'), request('/api/suppliers')]
    await untilBlocked(db, 2)
    const late = Array.from({ length: 20 }, () => request('/api/suppliers'))
    const delivery = deliver(sign(alice, 'orders/create', orderBody(1, [])))
    t.equal((await request('/healthz')).status, 200, 'the process is alive')
    for (const { status, code, headers } of await Promise.all([...late, delivery])) {
      t.match({ status, code }, { status: 503, code: 'unavailable' })
      t.equal(headers.get('retry-after'), '2')
    }
    t.match(web.output(), 'No connection within 2000 ms.')
    t.equal(await hasDeliveries(), false, 'a refused webhook is not stored')

    // More requests than may wait for a connection (`test/shared/db/connections.test.ts`). Concurrent requests of one
    // shop share the query for their shop.
    const crowd = await Promise.all(Array.from({ length: 260 }, () => request('/api/suppliers')))
    for (const { status } of crowd) t.equal(status, 503)

    await release()
    for (const answer of await Promise.all(blocked)) t.ok([200, 503].includes(answer.status))
    await until(async () => (await request('/api/suppliers')).status === 200, 'the process serves again')
    t.equal((await deliver(sign(alice, 'orders/create', orderBody(1, [])))).status, 200)
    t.equal(await hasDeliveries(), true)
  },
)

t.test('the process refuses requests before its memory is full and serves again afterwards', async (t) => {
  const { request, deliver, open, alice, hasDeliveries } = await startWeb(t, { MEMORY_LIMIT_MB: '128' })
  t.equal((await request('/api/suppliers')).status, 200)
  const size = mebibyte
  const almost = Buffer.alloc(size - 1, ' ')
  const head = [
    'POST /api/suppliers HTTP/1.1',
    'host: x',
    `authorization: Bearer ${alice.token}`,
    'content-type: application/json',
    `content-length: ${size}`,
  ]
  const uploads = await Promise.all(
    Array.from({ length: 70 }, async () => {
      const socket = await open(`${head.join('\r\n')}\r\n\r\n`)
      socket.write(almost)
      return socket
    }),
  )
  const refused = await until(async () => {
    const answer = await request('/api/suppliers')
    return answer.status === 503 && answer
  }, 'the process refuses requests')
  t.equal(refused.code, 'unavailable')
  t.equal(refused.headers.get('retry-after'), '2')
  t.match(await deliver(sign(alice, 'orders/create', orderBody(1, []))), { status: 503, code: 'unavailable' })
  t.equal(await hasDeliveries(), false)
  t.equal((await request('/nope')).status, 503)
  for (const path of ['/healthz', '/readyz']) t.equal((await request(path)).status, 200, path)

  for (const socket of uploads) socket.destroy()
  await until(async () => (await request('/api/suppliers')).status === 200, 'the process serves again')
  t.equal((await deliver(sign(alice, 'orders/create', orderBody(1, [])))).status, 200)
})

t.test('an overloaded process refuses requests until it recovers', async (t) => {
  const { app, alice } = await startApp(t, { env: { MAX_EVENT_LOOP_DELAY_MS: '500' } })
  await until(async () => (await alice.get('/api/suppliers')).statusCode === 200, 'the process serves')
  const isBusy = async () => {
    // Blocks the event loop twice, as long computations do.
    for (let times = 0; times < 2; times += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
      await sleep(1)
    }
    return (await alice.get('/api/suppliers')).statusCode === 503
  }
  await until(isBusy, 'the process refuses requests')
  t.equal((await app.inject('/healthz')).statusCode, 200)
  await until(async () => (await alice.get('/api/suppliers')).statusCode === 200, 'the process serves again')
})
