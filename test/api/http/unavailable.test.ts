import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import { choosePort } from '../../../dev/processes/ports.ts'
import { openDb, sql } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { testConfig } from '../../support/core/database.ts'
import { recordedLog } from '../../support/core/outputs.ts'
import { deliver, orderBody, sign } from '../../support/platform/webhooks.ts'

const poolSize = 3

/** A proxy to Postgres that can cut, silence or refuse connections. */
async function openProxy(t: Test, databaseUrl: string) {
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
  // an outgoing connection of another process could take a port that the system chooses, while the proxy is closed
  const port = await listen(await choosePort(0, 'PORT'))
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
  const proxy = await openProxy(t, url)
  const config = testConfig(proxy.url)
  const db = await openDb(config, poolSize)
  const pdf = createPdfRenderer()
  const app = await buildApp({ config, db, log: recordedLog(config, 'web'), pdf, isStopping: () => false })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
    await db.end()
  })
  const request = () =>
    app.inject({ url: '/api/suppliers', headers: { authorization: `Bearer ${alice.token}` } })
  t.equal((await request()).statusCode, 200)
  return { app, db, proxy, request, alice }
}

async function expectUnavailable(t: Test, request: () => Promise<LightMyRequestResponse>) {
  const answer = await request()
  expectFailure(t, answer, 503, 'unavailable')
  t.equal(answer.headers['retry-after'], '2')
}

t.test('without its database the process answers 503, and serves when Postgres is back', async (t) => {
  const { app, proxy, request } = await start(t)
  await proxy.close()
  for (let number = 0; number < 3; number++) await expectUnavailable(t, request)
  await Promise.all(Array.from({ length: poolSize }, () => expectUnavailable(t, request)))

  t.equal((await app.inject('/healthz')).statusCode, 200, 'the process is alive')
  const ready = await app.inject('/readyz')
  t.equal(ready.statusCode, 503)
  t.strictSame(ready.json(), { status: 'no database' })

  await proxy.reopen()
  t.equal((await request()).statusCode, 200)
  t.equal((await app.inject('/readyz')).statusCode, 200)
})

t.test('the pool replaces closed connections', async (t) => {
  const { proxy, request } = await start(t)
  for (let round = 0; round < 5; round++) {
    proxy.cut()
    const answer = await request()
    t.ok([200, 503].includes(answer.statusCode), 'the first request may have used a closed connection')
    t.equal((await request()).statusCode, 200)
  }
})

t.test('many requests to an absent or silent Postgres all fail', async (t) => {
  const { proxy, request } = await start(t)
  await proxy.close()
  const many = Array.from({ length: 5 * poolSize }, () => expectUnavailable(t, request))
  await Promise.all(many)

  await proxy.reopen()
  t.equal((await request()).statusCode, 200)
  proxy.silence()
  await Promise.all([expectUnavailable(t, request), expectUnavailable(t, request)])
  await proxy.reopen()
  t.ok([200, 503].includes((await request()).statusCode))
  t.equal((await request()).statusCode, 200)
})

t.test('a webhook is refused without a database and stored when the platform sends it again', async (t) => {
  const { app, db, proxy, alice } = await start(t)
  const delivery = sign(alice, 'orders/create', orderBody(1, []))
  const stored = () =>
    db.exists(sql.typeAlias('void')`select from webhook_delivery where shop_id = ${alice.shopId}`)
  await proxy.close()
  await expectUnavailable(t, () => deliver(app, delivery))
  await proxy.reopen()
  t.equal(await stored(), false)
  t.equal((await deliver(app, delivery)).statusCode, 200)
  t.equal(await stored(), true)
})
