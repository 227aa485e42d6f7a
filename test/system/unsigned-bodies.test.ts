import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../shared/db/db.ts'
import { startApp } from '../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../support/core/database.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { orderBody, sign } from '../support/platform/webhooks.ts'

useOwnDatabase()

const mebibyte = 1024 * 1024
const size = 4_900_000
const almost = Buffer.alloc(size - 1, 'x')
const maxResidentMebibytes = 350

/** The settings of `app.json`: `test/docs.test.ts` compares them with the documents. */
const production = {
  MEMORY_LIMIT_MB: '512',
  MALLOC_ARENA_MAX: '2',
  NODE_OPTIONS: '--max-old-space-size=384 --max-semi-space-size=4',
}

type Connection = {
  socket: Socket
  answer: () => string
  /** Web has answered or closed the connection; a reset while the client sends may lose the answer. */
  isOver: () => boolean
}

/** Web has answered when the time limit of a request was over. */
const isLate = (answer: string) => answer.startsWith('HTTP/1.1 408 ')

/** Starts web with the production settings. */
async function startWeb(t: Test, env: Record<string, string> = {}) {
  const { db, url, alice } = await startApp(t, {})
  const web = startProcess(t, 'api/server.ts', {
    ...testEnvironment(url, { ...production, ...env }),
    LOG_LEVEL: 'info',
  })
  const origin = await untilListening(web)
  const { hostname, port } = new URL(origin)

  /** Opens a connection that collects what web sends. */
  const open = async (head: string[]): Promise<Connection> => {
    const socket = connect(Number(port), hostname)
    t.teardown(() => socket.destroy())
    let answer = ''
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(`${[...head, 'host: x'].join('\r\n')}\r\n\r\n`)
    return { socket, answer: () => answer, isOver: () => isClosed || answer !== '' }
  }
  const deliver = async ({ headers, payload }: ReturnType<typeof sign>) =>
    (await fetch(`${origin}/webhooks`, { method: 'POST', headers, body: new Uint8Array(payload) })).status
  const memory = (field: 'VmHWM' | 'VmRSS') => {
    const status = readFileSync(`/proc/${web.child.pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
  }
  return {
    db,
    alice,
    origin,
    open,
    deliver,
    memory,
    hold: async (path = '/webhooks', extra: string[] = []) => {
      const connection = await open([`POST ${path} HTTP/1.1`, `content-length: ${size}`, ...extra])
      connection.socket.write(almost)
      return connection
    },
    getSuppliers: async () => {
      const headers = { authorization: `Bearer ${alice.token}` }
      return (await fetch(`${origin}/api/suppliers`, { headers })).status
    },
    readStored: () =>
      db.oneFirst(sql.typeAlias('id')`
        select count(*)::int + 1 as id from webhook_delivery where shop_id = ${alice.shopId}
      `),
  }
}

const skip = process.platform !== 'linux' && 'reads the memory of a process from /proc'

t.test(
  '300 connections that hold back the last byte of an unsigned body fill no memory and block no other',
  { skip },
  async (t) => {
    const { alice, hold, deliver, getSuppliers, memory, readStored } = await startWeb(t)
    t.equal(await deliver(sign(alice, 'orders/create', orderBody(1, []))), 200)
    const before = memory('VmRSS')
    const connections: Connection[] = []
    const statuses: number[] = []
    for (let batch = 0; batch < 10; batch += 1) {
      connections.push(...(await Promise.all(Array.from({ length: 30 }, () => hold()))))
      statuses.push(
        await getSuppliers(),
        await deliver(sign(alice, 'orders/create', orderBody(batch + 2, []))),
      )
    }
    t.strictSame(new Set(statuses), new Set([200]), 'web serves others meanwhile')
    await until(() => connections.filter(({ isOver }) => !isOver()).length <= 10, 'all but ten are refused')
    const answers = connections.map(({ answer }) => answer()).filter((answer) => answer !== '')
    // a slow machine refuses some only after the time limit of a request
    const refusals = answers.filter((answer) => !isLate(answer))
    t.ok(refusals.length > 100, `${refusals.length} refusals arrived`)
    for (const refusal of refusals) t.match(refusal, /^HTTP\/1\.1 503 [\s\S]*retry-after: 2/i)

    await sleep(1_100)
    const large = { id: 7, title: 'x'.repeat(2 * mebibyte), updated_at: '2026-11-01T10:00:00Z', variants: [] }
    t.equal(
      await deliver(sign(alice, 'products/update', large)),
      200,
      'a large body takes the place of an old upload',
    )
    t.equal(await readStored(), 1 + 12)
    const peak = memory('VmHWM')
    t.comment(`resident memory: ${before.toFixed(0)} MiB before, at most ${peak.toFixed(0)} MiB`)
    t.ok(peak < maxResidentMebibytes, `at most ${peak.toFixed(0)} MiB`)
  },
)

t.test('unsigned bodies that arrive at once fill no memory', { skip }, async (t) => {
  const { alice, hold, open, deliver, getSuppliers, memory } = await startWeb(t)
  const connections = await Promise.all(
    Array.from({ length: 150 }, async () => {
      const connection = await hold()
      connection.socket.write('x')
      return connection
    }),
  )
  const chunked = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const connection = await open(['POST /webhooks HTTP/1.1', 'transfer-encoding: chunked'])
      connection.socket.write(`${size.toString(16)}\r\n`)
      connection.socket.write(almost)
      connection.socket.write('x\r\n0\r\n\r\n')
      return connection
    }),
  )
  const unknown = await Promise.all(
    Array.from({ length: 100 }, () => hold('/nothing-here', ['content-type: application/json'])),
  )
  for (const [name, list, expected] of [
    ['whole bodies', connections, /^HTTP\/1\.1 (401|503) |^reset$/],
    ['chunked bodies', chunked, /^HTTP\/1\.1 (401|503) |^reset$/],
    ['bodies for an unknown address', unknown, /^HTTP\/1\.1 (404|503) |^reset$/],
  ] as const) {
    await until(() => list.every(({ isOver }) => isOver()), `${name} are answered`)
    const inTime = list.filter(({ answer }) => !isLate(answer()))
    t.ok(inTime.length > 0, `some ${name} are answered in time`)
    for (const { answer } of inTime) t.match(answer() || 'reset', expected, name)
  }
  await until(async () => (await getSuppliers()) === 200, 'web serves')
  await until(
    async () => (await deliver(sign(alice, 'orders/create', orderBody(1, [])))) === 200,
    'web receives',
  )
  const peak = memory('VmHWM')
  t.comment(`at most ${peak.toFixed(0)} MiB`)
  t.ok(peak < maxResidentMebibytes, `at most ${peak.toFixed(0)} MiB`)
})

t.test('small bodies are received while large ones use up their share', async (t) => {
  const { alice, hold, deliver, open } = await startWeb(t, { UNSIGNED_BODIES_MB: '8' })
  // web spares an upload for its first second: a slow machine may take longer to begin the second one
  const first = await until(async () => {
    const [older, newer] = [await hold(), await hold()]
    await until(() => older.isOver() || newer.isOver(), 'one upload is refused')
    if (older.answer() === '' && newer.answer().startsWith('HTTP/1.1 503 ')) return older
    for (const { socket } of [older, newer]) socket.destroy()
    return undefined
  }, 'the second upload is refused')
  t.equal(await deliver(sign(alice, 'orders/create', orderBody(1, []))), 200)

  await sleep(1_100)
  const third = await hold()
  await until(() => first.answer() !== '', 'the older upload is refused')
  t.match(first.answer(), /^HTTP\/1\.1 503 [\s\S]*connection: close/i)
  t.equal(third.answer(), '', 'the newer one is being received')
  third.socket.write('x')
  await until(() => third.answer() !== '', 'its body is complete')
  t.match(third.answer(), /^HTTP\/1\.1 401 /)

  // a client that goes away frees what it has reserved
  const gone = await hold()
  gone.socket.destroy()
  await until(async () => {
    const next = await hold()
    next.socket.write('x')
    await until(() => next.isOver(), 'the next upload is answered or closed')
    return next.answer().startsWith('HTTP/1.1 401 ')
  }, 'an upload finds room')
  const tooLong = await open(['POST /webhooks HTTP/1.1', `content-length: ${5 * mebibyte + 1}`])
  await until(() => tooLong.answer() !== '', 'a body that is too large is refused')
  t.match(tooLong.answer(), /^HTTP\/1\.1 413 /)
  const chunked = await open(['POST /webhooks HTTP/1.1', 'transfer-encoding: chunked'])
  chunked.socket.write(`${(6 * mebibyte).toString(16)}\r\n`)
  chunked.socket.write(Buffer.alloc(6 * mebibyte, 'x'))
  await until(() => chunked.answer() !== '', 'a chunked body that is too large is refused')
  t.match(chunked.answer(), /^HTTP\/1\.1 413 /)
})
