import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, testEnvironment, untilBlocked } from '../../support/core/database.ts'
import { startProcess, untilListening } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { within } from '../../support/faults/faults.ts'
import { orderBody, sign } from '../../support/platform/webhooks.ts'

const mebibyte = 1024 * 1024

/** Starts the web process, and clients of two shops that send requests over sockets. */
async function startWeb(t: Test, env: Record<string, string> = {}) {
  const { db, url, alice, mallory } = await startApp(t)
  const web = startProcess(t, 'api/server.ts', { ...testEnvironment(url, env), LOG_LEVEL: 'info' })
  const origin = await untilListening(web)
  const request = async (path: string, init: RequestInit & { as?: { token: string } } = {}) => {
    const { as: person = alice, headers, ...rest } = init
    const before = performance.now()
    const answer = await fetch(`${origin}${path}`, {
      ...rest,
      headers: { authorization: `Bearer ${person.token}`, ...Object.fromEntries(new Headers(headers)) },
    })
    const body = await answer.text()
    const ms = performance.now() - before
    return { status: answer.status, headers: answer.headers, code: codeOf(body), ms }
  }
  const deliver = ({ headers, payload }: ReturnType<typeof sign>) =>
    request('/webhooks', { method: 'POST', headers, body: new Uint8Array(payload) })
  const open = async (text: string): Promise<Socket> => {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  const hasDeliveries = () =>
    db.exists(sql.typeAlias('void')`select from webhook_delivery where shop_id = ${alice.shopId}`)
  return { db, alice, mallory, request, deliver, open, hasDeliveries }
}

function codeOf(body: string): string | undefined {
  try {
    return JSON.parse(body).error?.code
  } catch {
    return undefined
  }
}

t.test('the response has the remaining rate limit, and each shop has its own limit', async (t) => {
  const { request, alice, mallory } = await startWeb(t, { RATE_LIMIT_PER_MINUTE: '20' })
  const first = await request('/api/suppliers', { as: mallory })
  t.equal(first.headers.get('x-ratelimit-limit'), '20')
  t.equal(first.headers.get('x-ratelimit-remaining'), '19')
  const reset = Number(first.headers.get('x-ratelimit-reset'))
  t.ok(reset > 0 && reset <= 60, `resets in ${reset} s`)

  const burst = await Promise.all(
    Array.from({ length: 60 }, () => request('/api/suppliers', { as: mallory })),
  )
  // a busy web may answer 503 to the others
  const limited = burst.filter(({ status }) => status === 429)
  t.equal(limited.length, 41, 'of 60 requests, 19 are within the limit')
  for (const { code, headers } of limited) {
    t.equal(code, 'rate_limited')
    const seconds = Number(headers.get('retry-after'))
    t.ok(seconds > 0 && seconds <= 60)
  }
  const other = await request('/api/suppliers', { as: alice })
  t.equal(other.status, 200)
  t.equal(other.headers.get('x-ratelimit-remaining'), '19')
})

t.test('pages and the API documentation have a limit per client address', async (t) => {
  const { request } = await startWeb(t)
  for (const path of ['/openapi.json', '/docs/json']) {
    const answers = await Promise.all(Array.from({ length: 60 }, () => request(path, { method: 'HEAD' })))
    t.strictSame([...new Set(answers.map(({ status }) => status))], [200], path)
  }
  for (const path of ['/openapi.json', '/docs', '/docs/json']) {
    const { status, code, headers } = await request(path)
    t.match({ status, code }, { status: 429, code: 'rate_limited' }, path)
    t.ok(Number(headers.get('retry-after')) > 0)
  }
  t.equal((await request('/api/suppliers')).status, 200, 'the API has a limit of its own')
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
  const { request, open, alice } = await startWeb(t)
  const head = `POST /api/suppliers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n`
  const kinds = [
    { text: 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ', count: 300, withinMs: within(16_000) },
    {
      text: `${head}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
      count: 100,
      withinMs: within(28_000),
    },
  ]
  const startedAt = performance.now()
  const clients = await Promise.all(
    kinds.flatMap(({ text, count, withinMs }) =>
      Array.from({ length: count }, async () => {
        const socket = await open(text)
        let answer = ''
        socket.on('data', (bytes) => (answer += bytes))
        const drip = setInterval(() => socket.writable && socket.write('x'), 1_000)
        const ended = once(socket, 'close').then(() => {
          clearInterval(drip)
          return performance.now() - startedAt
        })
        t.teardown(() => clearInterval(drip))
        return { ended, withinMs, answer: () => answer }
      }),
    ),
  )
  const slowest = { ms: 0 }
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all([request('/api/suppliers'), request('/healthz')])
    for (const { status, ms } of answers) {
      t.equal(status, 200)
      slowest.ms = Math.max(slowest.ms, ms)
    }
    await sleep(100)
  }
  t.ok(slowest.ms < within(5_000), `the slowest request of another client took ${Math.round(slowest.ms)} ms`)
  const cut = await Promise.all(clients.map(({ ended }) => ended))
  t.ok(
    clients.every(({ withinMs }, at) => (cut[at] ?? Number.POSITIVE_INFINITY) < withinMs),
    `all were disconnected, the last after ${Math.round(Math.max(...cut))} ms`,
  )
  // A client that is still sending when it is disconnected may lose the response.
  const statusLines = clients.map(({ answer }) => answer().split('\r\n')[0])
  t.strictSame([...new Set(statusLines.filter(Boolean))].sort(), [
    'HTTP/1.1 408 Request Timeout',
    'HTTP/1.1 503 Service Unavailable',
  ])
})

t.test(
  'a request without a database connection within two seconds is refused with Retry-After',
  async (t) => {
    const { db, request, deliver, alice, hasDeliveries } = await startWeb(t, { WEB_POOL_SIZE: '2' })
    t.equal((await request('/api/suppliers')).status, 200)
    const release = await keepTransactionOpen(t, db, (tx) =>
      tx.query(sql.typeAlias('void')`lock table supplier`),
    )

    const blocked = [request('/api/suppliers'), request('/api/suppliers')]
    await untilBlocked(db, 2)
    const late = Array.from({ length: 20 }, () => request('/api/suppliers'))
    const delivery = deliver(sign(alice, 'orders/create', orderBody(1, [])))
    t.equal((await request('/healthz')).status, 200, 'the process is alive')
    for (const { status, code, ms, headers } of await Promise.all([...late, delivery])) {
      t.match({ status, code }, { status: 503, code: 'unavailable' })
      t.equal(headers.get('retry-after'), '2')
      t.ok(ms > 1_500 && ms < within(7_000), `after ${Math.round(ms)} ms`)
    }
    t.equal(await hasDeliveries(), false, 'a refused webhook is not stored')

    // More requests than may wait for a connection (`test/shared/db/connections.test.ts`). Concurrent requests of one
    // shop share the query for their shop.
    const crowd = await Promise.all(Array.from({ length: 260 }, () => request('/api/suppliers')))
    for (const { status } of crowd) t.equal(status, 503)
    const slowest = Math.max(...crowd.map(({ ms }) => ms))
    t.ok(slowest < within(6_000), `the last of 260 was refused after ${Math.round(slowest)} ms`)

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
