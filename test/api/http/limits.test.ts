import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { holdOpen, testEnvironment } from '../../support/core/database.ts'
import { startProcess, until } from '../../support/core/processes.ts'
import { orderBody, sign } from '../../support/platform/webhooks.ts'

const mebibyte = 1024 * 1024

/** The web process as ops run it, and two people who ask it over sockets. */
async function startWeb(t: Test, env: Record<string, string> = {}) {
  const { db, url, alice, mallory } = await startApp(t)
  const web = startProcess(t, 'api/server.ts', { ...testEnvironment(url, env), LOG_LEVEL: 'info' })
  const origin = await until(() => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1], 'web listens')
  const ask = async (path: string, init: RequestInit & { as?: { token: string } } = {}) => {
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
  const tell = ({ headers, payload }: ReturnType<typeof sign>) =>
    ask('/webhooks', { method: 'POST', headers, body: new Uint8Array(payload) })
  const open = async (words: string): Promise<Socket> => {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(words)
    return socket
  }
  const deliveries = () =>
    db.exists(sql.typeAlias('void')`select from webhook_delivery where shop_id = ${alice.shopId}`)
  return { db, alice, mallory, ask, tell, open, deliveries }
}

function codeOf(body: string): string | undefined {
  try {
    return JSON.parse(body).error?.code
  } catch {
    return undefined
  }
}

t.test('a shop is told how many requests it has left, and never uses up those of another', async (t) => {
  const { ask, alice, mallory } = await startWeb(t, { RATE_LIMIT_PER_MINUTE: '20' })
  const first = await ask('/api/suppliers', { as: mallory })
  t.equal(first.headers.get('x-ratelimit-limit'), '20')
  t.equal(first.headers.get('x-ratelimit-remaining'), '19')
  const reset = Number(first.headers.get('x-ratelimit-reset'))
  t.ok(reset > 0 && reset <= 60, `anew in ${reset} s`)

  const burst = await Promise.all(Array.from({ length: 60 }, () => ask('/api/suppliers', { as: mallory })))
  t.equal(burst.filter(({ status }) => status === 200).length, 19)
  for (const { status, code, headers } of burst.filter(({ status }) => status !== 200)) {
    t.match({ status, code }, { status: 429, code: 'rate_limited' })
    const seconds = Number(headers.get('retry-after'))
    t.ok(seconds > 0 && seconds <= 60)
  }
  const other = await ask('/api/suppliers', { as: alice })
  t.equal(other.status, 200)
  t.equal(other.headers.get('x-ratelimit-remaining'), '19')
})

t.test('a body, a header and a number of headers that are too large are refused', async (t) => {
  const { ask, tell, open, alice } = await startWeb(t)
  /** Only the head, which says how much will follow: who is refused in the middle of sending may not hear it. */
  const announce = async (path: string, bytes: number) => {
    const socket = await open(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    )
    const [head, body = ''] = (await text(socket)).split('\r\n\r\n')
    return { status: Number(head?.split(' ')[1]), code: codeOf(body) }
  }
  const post = (bytes: number) => {
    const [before, after] = ['{"name":"', '"}']
    const body = before + 'x'.repeat(bytes - before.length - after.length) + after
    return ask('/api/suppliers', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  t.match(await post(mebibyte), { status: 400, code: 'invalid_request' }, 'read, and the name is too long')
  t.match(await announce('/api/suppliers', mebibyte + 1), { status: 413, code: 'payload_too_large' })

  const delivery = (bytes: number) => {
    const [before, after] = ['{"id":1,"line_items":[],"note":"', '"}']
    const filling = Buffer.alloc(bytes - before.length - after.length, 'x')
    return sign(alice, 'orders/create', Buffer.concat([Buffer.from(before), filling, Buffer.from(after)]))
  }
  t.match(await tell(delivery(5 * mebibyte)), { status: 200 })
  t.match(await announce('/webhooks', 5 * mebibyte + 1), { status: 413, code: 'payload_too_large' })

  t.match(await ask('/api/suppliers', { headers: { 'x-long': 'x'.repeat(17_000) } }), {
    status: 431,
    code: 'headers_too_large',
  })
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1']))
  t.match(await ask('/api/suppliers', { headers: many }), { status: 431, code: 'headers_too_large' })
  t.match(await ask('/api/suppliers'), { status: 200 })
})

t.test('hundreds of clients that send slowly are cut off, and nobody waits for them', async (t) => {
  const { ask, open, alice } = await startWeb(t)
  const head = `POST /api/suppliers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n`
  const kinds = [
    { words: 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ', count: 300, withinMs: 13_000 },
    {
      words: `${head}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
      count: 100,
      withinMs: 23_000,
    },
  ]
  const startedAt = performance.now()
  const clients = await Promise.all(
    kinds.flatMap(({ words, count, withinMs }) =>
      Array.from({ length: count }, async () => {
        const socket = await open(words)
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
    const answers = await Promise.all([ask('/api/suppliers'), ask('/healthz')])
    for (const { status, ms } of answers) {
      t.equal(status, 200)
      slowest.ms = Math.max(slowest.ms, ms)
    }
    await sleep(100)
  }
  t.ok(slowest.ms < 2_000, `the slowest of the others took ${Math.round(slowest.ms)} ms`)
  const cut = await Promise.all(clients.map(({ ended }) => ended))
  t.ok(
    clients.every(({ withinMs }, at) => (cut[at] ?? Number.POSITIVE_INFINITY) < withinMs),
    `all were cut off, the last after ${Math.round(Math.max(...cut))} ms`,
  )
  // who still sends when it is cut off may lose what it was answered
  const told = clients.map(({ answer }) => answer().split('\r\n')[0])
  t.strictSame([...new Set(told.filter(Boolean))].sort(), [
    'HTTP/1.1 408 Request Timeout',
    'HTTP/1.1 503 Service Unavailable',
  ])
})

t.test('who gets no connection to the database in two seconds is told to come again', async (t) => {
  const { db, ask, tell, alice, deliveries } = await startWeb(t, { WEB_POOL_SIZE: '2' })
  t.equal((await ask('/api/suppliers')).status, 200)
  const release = await holdOpen(t, db, (tx) => tx.query(sql.typeAlias('void')`lock table supplier`))

  const held = [ask('/api/suppliers'), ask('/api/suppliers')]
  await sleep(500)
  const late = Array.from({ length: 20 }, () => ask('/api/suppliers'))
  const delivery = tell(sign(alice, 'orders/create', orderBody(1, [])))
  t.equal((await ask('/healthz')).status, 200, 'meanwhile it is alive')
  for (const { status, code, ms, headers } of await Promise.all([...late, delivery])) {
    t.match({ status, code }, { status: 503, code: 'unavailable' })
    t.equal(headers.get('retry-after'), '2')
    t.ok(ms > 1_500 && ms < 4_000, `after ${Math.round(ms)} ms`)
  }
  t.equal(await deliveries(), false, 'what was not acknowledged is not stored')

  // more than may wait (`test/shared/db/connections.test.ts`): those who wait for the same look at their shop count as one
  const crowd = await Promise.all(Array.from({ length: 260 }, () => ask('/api/suppliers')))
  for (const { status } of crowd) t.equal(status, 503)
  const slowest = Math.max(...crowd.map(({ ms }) => ms))
  t.ok(slowest < 6_000, `the last of 260 was told after ${Math.round(slowest)} ms`)

  await release()
  for (const answer of await Promise.all(held)) t.ok([200, 503].includes(answer.status))
  await until(async () => (await ask('/api/suppliers')).status === 200, 'it serves again', 5_000)
  t.equal((await tell(sign(alice, 'orders/create', orderBody(1, [])))).status, 200)
  t.equal(await deliveries(), true)
})

t.test('before memory is full it turns away who comes, and takes them again after that', async (t) => {
  const { ask, tell, open, alice, deliveries } = await startWeb(t, { MEMORY_LIMIT_MB: '320' })
  t.equal((await ask('/api/suppliers')).status, 200)
  const size = 5 * mebibyte
  const almost = Buffer.alloc(size - 1, 'x')
  const hoarders = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const socket = await open(`POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`)
      socket.write(almost)
      return socket
    }),
  )
  const refused = await until(async () => {
    const answer = await ask('/api/suppliers')
    return answer.status === 503 && answer
  }, 'it turns requests away')
  t.equal(refused.code, 'unavailable')
  t.equal(refused.headers.get('retry-after'), '2')
  t.match(await tell(sign(alice, 'orders/create', orderBody(1, []))), { status: 503, code: 'unavailable' })
  t.equal(await deliveries(), false)
  t.equal((await ask('/nope')).status, 503)
  for (const path of ['/healthz', '/readyz']) t.equal((await ask(path)).status, 200, path)

  for (const socket of hoarders) socket.destroy()
  await until(async () => (await ask('/api/suppliers')).status === 200, 'it serves again', 30_000)
  t.equal((await tell(sign(alice, 'orders/create', orderBody(1, [])))).status, 200)
})

t.test('a process that cannot keep up turns away who comes, until it can', async (t) => {
  const { app, alice } = await startApp(t)
  t.equal((await alice.get('/api/suppliers')).statusCode, 200)
  const isBusy = async () => {
    // what requests that compute for long, one after the other, do to all others
    for (let times = 0; times < 2; times += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
      await sleep(1)
    }
    return (await alice.get('/api/suppliers')).statusCode === 503
  }
  await until(isBusy, 'it turns requests away')
  t.equal((await app.inject('/healthz')).statusCode, 200)
  await until(async () => (await alice.get('/api/suppliers')).statusCode === 200, 'it serves again', 10_000)
})
