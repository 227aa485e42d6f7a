import t from 'tap'
import type { Platform } from '../../../dev/simulator/server.ts'
import { startTimer } from '../../support/core/timers.ts'
import { until } from '../../support/core/until.ts'
import { clientOf, expectRefusal, keys, mail, startSimulator } from './simulator.ts'

/** A client that gives up after a second, for a mail that never gets an answer. */
const impatient = (platform: Platform) => clientOf(platform, keys.serverToken, 1)

t.test('faults can refuse mails', async (t) => {
  const { client, platform } = await startSimulator(t)
  const faults = ['answer-429', 'answer-500', 'answer-503'] as const
  platform.faults.set({ mails: faults.map((fault) => ({ fault })) })
  for (const statusCode of [429, 500, 503]) await expectRefusal(t, client.sendEmail(mail), statusCode)

  platform.faults.set({ mails: [{ fault: 'hang' }, { fault: 'drop' }] })
  await t.rejects(impatient(platform).sendEmail(mail), /timeout/)
  await t.rejects(client.sendEmail(mail), /fetch failed/)
  t.equal(platform.mails().length, 0)

  await t.resolves(client.sendEmail(mail), 'all scripted faults are used')
  t.equal(platform.mails().length, 1)
})

t.test('faults can accept mails without confirming them', async (t) => {
  const { client, platform } = await startSimulator(t)
  const faults = ['accept-hang', 'accept-drop', 'accept-500'] as const
  platform.faults.set({ mails: faults.map((fault) => ({ fault })) })
  await t.rejects(impatient(platform).sendEmail(mail), /timeout/)
  await until(() => platform.mails().length === 1, 'the platform accepts the mail without an answer')
  await t.rejects(client.sendEmail(mail), /fetch failed/)
  await expectRefusal(t, client.sendEmail(mail), 500)

  platform.faults.set({ mails: [{ fault: 'accept-garbage' }] })
  const body: unknown = await client.sendEmail(mail)
  t.type(body, 'string', 'the client returns an unreadable body as text')
  t.equal(platform.mails().length, 4)
  t.equal(Number((await client.getOutboundMessages()).TotalCount), 4)
})

t.test('a fault applies `times` times', async (t) => {
  const { client, platform } = await startSimulator(t)
  platform.faults.set({ mails: [{ fault: 'answer-503', times: 2 }] })
  await t.rejects(client.sendEmail(mail))
  t.strictSame(platform.faults.current().mails, [{ fault: 'answer-503', times: 1 }])
  await t.rejects(client.sendEmail(mail))
  await t.resolves(client.sendEmail(mail))
})

t.test('faults can make a search fail or lag', async (t) => {
  const { client, platform } = await startSimulator(t)
  await client.sendEmail(mail)
  platform.faults.set({ failingSearches: 1, searchLagMs: 3_600_000 })
  await expectRefusal(t, client.getOutboundMessages(), 503)
  const found = async () => Number((await client.getOutboundMessages()).TotalCount)
  t.equal(await found(), 0)
  platform.faults.set({ searchLagMs: 600 })
  await until(async () => (await found()) === 1, 'the mail is found after the lag')
})

t.test('mailDelayMs delays a mail', async (t) => {
  const { client, platform } = await startSimulator(t)
  platform.faults.set({ mailDelayMs: 300 })
  const hasWaited = startTimer(299)
  await client.sendEmail(mail)
  t.ok(hasWaited())
})

t.test('faults can be scripted over HTTP', async (t) => {
  const { client, platform } = await startSimulator(t)
  const faults = async (method: string, body?: unknown) => {
    const response = await fetch(`${platform.url}/faults`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const none = {
    mails: [],
    mailDelayMs: 0,
    failingSearches: 0,
    searchLagMs: 0,
    graphql: [],
    graphqlDelayMs: 0,
    throttle: null,
    tokens: [],
    webhooks: [],
    unreliableWebhooks: null,
    withoutAppNavigation: false,
  }
  t.strictSame((await faults('GET')).body, none)
  t.strictSame((await faults('POST', { mails: [{ fault: 'answer-503' }] })).body, {
    ...none,
    mails: [{ fault: 'answer-503', times: 1 }],
  })
  t.strictSame((await faults('POST', { searchLagMs: 5 })).body.mails.length, 1, 'other parts stay unchanged')
  await expectRefusal(t, client.sendEmail(mail), 503)
  const script = {
    graphql: [{ fault: 'answer-429', operation: 'orders', retryAfterSeconds: 1.5 }],
    webhooks: [{ fault: 'reorder', topic: 'ORDERS_CREATE', times: 3 }],
    throttle: { maximum: 5, restoreRate: 0 },
  }
  t.match((await faults('POST', script)).body, {
    graphql: [{ fault: 'answer-429', operation: 'orders', retryAfterSeconds: 1.5, times: 1 }],
    webhooks: [{ fault: 'reorder', topic: 'ORDERS_CREATE', times: 3 }],
    throttle: { maximum: 5, restoreRate: 0 },
  })
  t.strictSame((await faults('DELETE')).body, none)
  for (const wrong of [
    { mails: [{ fault: 'nonsense' }] },
    { mailDelayMs: -1 },
    { webhooks: [{ fault: 'accept-500' }] },
    { throttle: {} },
    { unreliableWebhooks: { seed: 1, deliveries: 5, lost: 2, repeated: 0, late: 0, maxDelayMs: 0 } },
    { unknown: 1 },
    [],
    'x',
  ])
    t.equal((await faults('POST', wrong)).status, 400)
  t.strictSame(platform.faults.current(), none)
})
