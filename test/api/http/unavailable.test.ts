import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import { openDb, sql } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { testConfig } from '../../support/core/database.ts'
import { keptLog } from '../../support/core/outputs.ts'
import { deliver, orderBody, sign } from '../../support/platform/webhooks.ts'

const poolSize = 3

/** A way to Postgres that can break like a real one. */
async function openWay(t: Test, databaseUrl: string) {
  const url = new URL(databaseUrl)
  const postgres = { host: url.hostname, port: Number(url.port) }
  const ends = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(postgres)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('error', () => {})
      from.on('data', (bytes) => isSilent || to.write(bytes))
      from.on('close', () => to.destroy())
    }
  })
  const cut = () => {
    for (const end of ends) end.destroy()
    ends.clear()
  }
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  const port = await listen(0)
  url.port = String(port)
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    url: url.href,
    cut,
    silence: () => {
      isSilent = true
    },
    close: async () => {
      server.close()
      cut()
      await once(server, 'close')
    },
    reopen: async () => {
      isSilent = false
      cut()
      if (!server.listening) await listen(port)
    },
  }
}

async function start(t: Test) {
  const { url, alice } = await startApp(t)
  const way = await openWay(t, url)
  const config = testConfig(way.url)
  const db = await openDb(config, poolSize)
  const pdf = createPdfRenderer()
  const app = await buildApp({ config, db, log: keptLog(config, 'web'), pdf, isStopping: () => false })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
    await db.end()
  })
  const ask = () => app.inject({ url: '/api/suppliers', headers: { authorization: `Bearer ${alice.token}` } })
  t.equal((await ask()).statusCode, 200)
  return { app, db, way, ask, alice }
}

async function expectUnavailable(t: Test, ask: () => Promise<LightMyRequestResponse>, withinMs: number) {
  const before = performance.now()
  const answer = await ask()
  expectFailure(t, answer, 503, 'unavailable')
  t.equal(answer.headers['retry-after'], '2')
  t.ok(performance.now() - before < withinMs, `within ${withinMs} ms`)
}

t.test('without its database a process says so at once, and serves when it is back', async (t) => {
  const { app, way, ask } = await start(t)
  await way.close()
  for (let number = 0; number < 3; number++) await expectUnavailable(t, ask, 3000)
  await Promise.all(Array.from({ length: poolSize }, () => expectUnavailable(t, ask, 3000)))

  t.equal((await app.inject('/healthz')).statusCode, 200, 'it is alive')
  const ready = await app.inject('/readyz')
  t.equal(ready.statusCode, 503)
  t.strictSame(ready.json(), { status: 'no database' })

  await way.reopen()
  t.equal((await ask()).statusCode, 200)
  t.equal((await app.inject('/readyz')).statusCode, 200)
})

t.test('connections that were cut are made anew', async (t) => {
  const { way, ask } = await start(t)
  for (let round = 0; round < 5; round++) {
    way.cut()
    const answer = await ask()
    t.ok([200, 503].includes(answer.statusCode), 'the first may have had the one that was cut')
    t.equal((await ask()).statusCode, 200)
  }
})

t.test('nobody waits for a database without end, however many wait and however silent it is', async (t) => {
  const { way, ask } = await start(t)
  await way.close()
  const many = Array.from({ length: 5 * poolSize }, () => expectUnavailable(t, ask, 11_000))
  await Promise.all(many)

  await way.reopen()
  t.equal((await ask()).statusCode, 200)
  way.silence()
  await Promise.all([expectUnavailable(t, ask, 11_000), expectUnavailable(t, ask, 11_000)])
  await way.reopen()
  t.ok([200, 503].includes((await ask()).statusCode))
  t.equal((await ask()).statusCode, 200)
})

t.test(
  'a webhook that finds no database is refused, and stored when the platform sends it again',
  async (t) => {
    const { app, db, way, alice } = await start(t)
    const delivery = sign(alice, 'orders/create', orderBody(1, []))
    const stored = () =>
      db.exists(sql.typeAlias('void')`select from webhook_delivery where shop_id = ${alice.shopId}`)
    await way.close()
    await expectUnavailable(t, () => deliver(app, delivery), 3000)
    await way.reopen()
    t.equal(await stored(), false)
    t.equal((await deliver(app, delivery)).statusCode, 200)
    t.equal(await stored(), true)
  },
)
