import t from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { openDb } from '../../shared/db/db.ts'
import { upsertProducts } from '../../shared/domain/exchange/sync/upsert-products.ts'
import { readPdf } from '../shared/pdf/read-pdf.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { startMailService } from '../support/core/worker.ts'
import { expectPromised, rounds, startClock } from '../support/faults/faults.ts'
import { product, variant } from '../support/make/catalogue.ts'
import { line } from '../support/make/orders.ts'

t.test('an order goes from the API through the queue to the inbox of its supplier', async (t) => {
  const url = await createDatabase()
  const platform = await startMailService(t)
  const env = testEnvironment(url, { POSTMARK_API_URL: platform.url, LOG_LEVEL: 'info' })
  const web = startProcess(t, 'api/server.ts', env)
  const worker = startProcess(t, 'worker/main.ts', env)
  const origin = await untilListening(web)

  const db = await openDb(testConfig(url), 1)
  t.teardown(() => db.end())
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  // facts that a sync would read: this test has no platform
  await db.transaction((tx) =>
    upsertProducts(
      tx,
      shopId,
      [1, 2].map((number) => product(number, [variant(number)])),
    ),
  )
  const { PLATFORM_API_KEY: apiKey, PLATFORM_API_SECRET: apiSecret } = testKeys
  const token = await mintSessionToken({
    shop: shopDomain,
    apiKey,
    apiSecret,
    userId: '1',
    lifetimeSeconds: 600,
  })
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, ...JSON.parse(await response.text()) }
  }

  const supplier = await call('POST', '/suppliers', { name: 'Αιγαίο', email: 'orders@aigaio.example.com' })
  const lineItems = [
    line(1, { title: 'Ελιές 青瓷 زيتون', quantity: 3, costPrice: 0.1 }),
    line(2, { title: 'Bowl', quantity: 1_000_000, costPrice: 9999.9999 }),
  ]
  const order = await call('POST', '/purchase-orders', { supplierId: supplier.data.id, lineItems })
  t.match(order, { status: 201, data: { status: 'draft', total: 9_999_999_900.3 } })

  platform.faults.set({ mailDelayMs: 3_000 })
  t.match(await call('POST', `/purchase-orders/${order.data.id}/send`), { data: { status: 'sent' } })
  t.equal(platform.mails().length, 0, 'the response does not wait for the mail')
  const mail = await until(() => platform.mails()[0], 'the mail arrives')

  t.match(mail.To, [{ Email: 'orders@aigaio.example.com' }])
  const { text, missingGlyphs } = await readPdf(Buffer.from(mail.Attachments[0]?.Content ?? '', 'base64'))
  t.equal(missingGlyphs, 0)
  for (const part of [order.data.poNumber, 'Αιγαίο', 'Ελιές', '青瓷', 'Bowl', '9,999,999,900.30'])
    t.match(text, part)
  await until(async () => {
    const { data } = await call('GET', `/purchase-orders/${order.data.id}`)
    return data.emailStatus === 'sent'
  }, 'the order shows that the mail was sent')

  platform.faults.clear()
  const times: number[] = []
  for (let mails = 2; mails <= rounds(4, 2); mails += 1) {
    const next = await call('POST', '/purchase-orders', { supplierId: supplier.data.id, lineItems })
    const sinceSend = startClock()
    await call('POST', `/purchase-orders/${next.data.id}/send`)
    await until(() => platform.mails().length === mails, 'the next mail arrives')
    times.push(sinceSend())
  }
  expectPromised(t, 'from send to inbox', times, 3_000)

  for (const started of [web, worker]) started.kill('SIGTERM')
  t.strictSame(await Promise.all([web.ended, worker.ended]), [0, 0])
  for (const output of [web.output(), worker.output()]) {
    // a heartbeat that a busy machine delays is repeated
    const lines = output.split('\n').filter((line) => !line.includes('heartbeat failed'))
    t.notMatch(lines.join('\n'), /"level":[456]0/)
    for (const secret of [token, ...Object.values(testKeys).slice(1)]) t.notOk(output.includes(secret))
  }
})
