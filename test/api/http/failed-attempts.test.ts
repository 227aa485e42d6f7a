import t, { type Test } from 'tap'
import { mintSessionToken } from '../../../dev/simulator/session-token.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { testKeys } from '../../support/core/database.ts'
import { orderBody, sign } from '../../support/platform/webhooks.ts'

const max = 4
const env = { FAILED_ATTEMPTS_PER_MINUTE: String(max) }

/** The answers of web to clients by their address; `forwarded` is the X-Forwarded-For that the request has. */
async function startLimited(t: Test) {
  const { app, alice } = await startApp(t, { env })
  type From = { address?: string; forwarded?: string }
  const sendFrom = (
    { address = '203.0.113.7', forwarded }: From,
    request: { method: 'GET' | 'POST'; url: string; headers?: Record<string, string>; payload?: Buffer },
  ) =>
    app.inject({
      ...request,
      remoteAddress: address,
      headers: { ...request.headers, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
    })
  return {
    alice,
    deliver(from: From, headers: Record<string, string> = {}) {
      const signed = sign(alice, 'orders/create', orderBody(1, [[1, null, 1]]), headers)
      return sendFrom(from, { method: 'POST', url: '/webhooks', ...signed })
    },
    read(from: From, token: string) {
      const headers = { authorization: `Bearer ${token}` }
      return sendFrom(from, { method: 'GET', url: '/api/suppliers', headers })
    },
    install: (from: From) => sendFrom(from, { method: 'GET', url: `/auth?shop=${alice.shopDomain}` }),
  }
}

const badSignature = { 'x-platform-hmac-sha256': Buffer.alloc(32).toString('base64') }
const forged = 'eyJhbGciOiJIUzI1NiJ9.e30.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

t.test('a client with many wrong signatures is refused for a minute, another one is not', async (t) => {
  const { deliver } = await startLimited(t)
  for (let sent = 0; sent < max; sent += 1)
    expectFailure(t, await deliver({}, badSignature), 401, 'unauthorized')
  const refused = await deliver({}, badSignature)
  expectFailure(t, refused, 429, 'rate_limited')
  const seconds = Number(refused.headers['retry-after'])
  t.ok(seconds > 0 && seconds <= 60, `may try again in ${seconds} s`)
  expectFailure(t, await deliver({}), 429, 'rate_limited', 'the body of a refused client is not read')
  t.equal((await deliver({ address: '203.0.113.8' })).statusCode, 200)
})

t.test('right signatures are never counted', async (t) => {
  const { deliver } = await startLimited(t)
  for (let sent = 0; sent < 3 * max; sent += 1) t.equal((await deliver({})).statusCode, 200)
})

t.test('a client with many forged session tokens is refused, one with expired ones is not', async (t) => {
  const { alice, read } = await startLimited(t)
  const expired = await mintSessionToken({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    shop: alice.shopDomain,
    lifetimeSeconds: -600,
  })
  for (let sent = 0; sent < 3 * max; sent += 1)
    expectFailure(t, await read({}, expired), 401, 'unauthorized', 'an expired token')
  for (let sent = 0; sent < max; sent += 1)
    expectFailure(t, await read({}, forged), 401, 'unauthorized', 'a forged token')
  expectFailure(t, await read({}, forged), 429, 'rate_limited')
  expectFailure(t, await read({}, alice.token), 429, 'rate_limited')
  t.equal((await read({ address: '203.0.113.8' }, alice.token)).statusCode, 200)
})

t.test('the addresses of one IPv6 network are one client', async (t) => {
  const { deliver } = await startLimited(t)
  for (let sent = 0; sent < max; sent += 1) await deliver({ address: `2001:db8:1:2::${sent}` }, badSignature)
  expectFailure(t, await deliver({ address: '2001:db8:1:2:ffff::9' }), 429, 'rate_limited')
  t.equal((await deliver({ address: '2001:db8:1:3::9' })).statusCode, 200)
  for (let sent = 0; sent < max; sent += 1) await deliver({ address: '::ffff:198.51.100.1' }, badSignature)
  expectFailure(t, await deliver({ address: '198.51.100.1' }), 429, 'rate_limited', 'IPv4 written as IPv6')
})

t.test('X-Forwarded-For is believed from a proxy on a private network, and from no other peer', async (t) => {
  const { deliver } = await startLimited(t)
  for (let sent = 0; sent < max; sent += 1) await deliver({ forwarded: `198.51.100.${sent}` }, badSignature)
  expectFailure(t, await deliver({ forwarded: '198.51.100.200' }), 429, 'rate_limited', 'reached directly')

  const router = '10.1.2.3'
  for (let sent = 0; sent < max; sent += 1)
    await deliver({ address: router, forwarded: `198.51.100.${sent}, 203.0.113.50` }, badSignature)
  const sameClient = { address: router, forwarded: '203.0.113.99, 203.0.113.50' }
  expectFailure(t, await deliver(sameClient), 429, 'rate_limited', 'the router appends the true address')
  t.equal((await deliver({ address: router, forwarded: '203.0.113.51' })).statusCode, 200)
})

t.test('invented addresses do not raise the limit of installations', async (t) => {
  const { install } = await startLimited(t)
  const answers = []
  for (let sent = 0; sent < 130; sent += 1)
    answers.push((await install({ forwarded: `198.51.100.${sent}` })).statusCode)
  t.equal(answers.filter((status) => status === 302).length, 120)
  t.equal(answers.filter((status) => status === 429).length, 10)
})
