import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { makeOrder } from '../../support/make/orders.ts'
import { deliver, orderBody, sign } from '../../support/platform/webhooks.ts'

type Headers = Record<string, unknown>
type Kind = { status: number; headers: Headers; policy: RegExp; cache: string | undefined }

const nobody = /^default-src 'none';\s?frame-ancestors 'none'$/
const alone = /^default-src 'none'; style-src 'self'; script-src 'self'; .*frame-ancestors 'none'$/

/** What every answer says, whatever it is. */
const everywhere = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': /^max-age=\d{8,}; includeSubDomains$/,
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** What would let others in, tell of what we run, or contradict the policy. */
const nowhere = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'server',
  'x-powered-by',
  'x-frame-options',
]

async function answersOf(t: Test): Promise<Record<string, Kind>> {
  const { app, db, alice } = await startApp(t, { env: { RATE_LIMIT_PER_MINUTE: '20' } })
  const { id } = await makeOrder(alice)
  const json = { 'content-type': 'application/json' }
  const get = async (url: string, headers = {}) => {
    const { statusCode: status, headers: answered } = await app.inject({ url, headers })
    return { status, headers: answered }
  }
  const ask = async (...request: Parameters<typeof alice.send>) => {
    const { statusCode: status, headers } = await alice.send(...request)
    return { status, headers, policy: nobody, cache: 'no-store' }
  }
  const told = async (headers: Record<string, string>) => {
    const signed = sign(alice, 'orders/create', orderBody(1, []), headers)
    const answer = await deliver(app, signed)
    return { status: answer.statusCode, headers: answer.headers, policy: nobody, cache: undefined }
  }
  const admin = await app.inject(`/?shop=${alice.shopDomain}`)
  const asset = /src="(\/assets\/[^"]+)"/.exec(admin.body)?.[1] ?? ''
  const framed = new RegExp(
    `script-src 'self' https://[^ ;]+; .*frame-ancestors https://${alice.shopDomain}$`,
  )
  const forever = 'public, max-age=31536000, immutable'
  const shop = 'shop=nobody.myshop.example'

  const kinds: Record<string, Kind> = {
    'the admin': { status: admin.statusCode, headers: admin.headers, policy: framed, cache: 'no-store' },
    'the page without a shop': { ...(await get('/')), policy: alone, cache: 'no-store' },
    'the way out of the frame': {
      ...(await get(`/?${shop}&embedded=1`)),
      policy: /frame-ancestors https:\/\/nobody\.myshop\.example$/,
      cache: 'no-store',
    },
    'the way to the installation': { ...(await get(`/?${shop}`)), policy: nobody, cache: 'no-store' },
    'the way to the platform': { ...(await get(`/auth?${shop}`)), policy: nobody, cache: 'no-store' },
    'a refused installation': { ...(await get('/auth/callback?x=1')), policy: alone, cache: 'no-store' },
    'a lost person': {
      ...(await get('/lost', { 'sec-fetch-mode': 'navigate' })),
      policy: alone,
      cache: 'no-store',
    },
    'a lost program': { ...(await get('/lost')), policy: nobody, cache: undefined },
    'an address that is none': { ...(await get('/%')), policy: nobody, cache: 'no-store' },
    'a style': { ...(await get('/page.css')), policy: nobody, cache: undefined },
    'a script': { ...(await get('/leave-frame.js')), policy: nobody, cache: undefined },
    'a file of the admin': { ...(await get(asset)), policy: nobody, cache: forever },
    'no file of the admin': { ...(await get('/assets/none.js')), policy: nobody, cache: undefined },
    'the documentation': { ...(await get('/docs')), policy: /frame-ancestors 'none'$/, cache: undefined },
    'the document': { ...(await get('/openapi.json')), policy: nobody, cache: undefined },
    'the health': { ...(await get('/healthz')), policy: nobody, cache: undefined },
    'the readiness': { ...(await get('/readyz')), policy: nobody, cache: undefined },
    'a delivery': await told({}),
    'a forged delivery': await told({ 'x-platform-hmac-sha256': 'AAAA' }),
    'no token': { ...(await get('/api/suppliers')), policy: nobody, cache: 'no-store' },
    'a list': await ask('GET', '/api/suppliers'),
    'a spreadsheet': await ask('GET', '/api/purchase-orders', undefined, { accept: 'text/csv' }),
    'a PDF': await ask('GET', `/api/purchase-orders/${id}/pdf`),
    'no record': await ask('GET', '/api/suppliers/999999'),
    'a fault': await ask('POST', '/api/suppliers', '{}', json),
    'another method': await ask('PATCH', '/api/suppliers'),
    'another form': await ask('GET', '/api/suppliers', undefined, { accept: 'image/png' }),
    'another type': await ask('POST', '/api/suppliers', 'x', { 'content-type': 'text/plain' }),
    'too much': await ask('POST', '/api/suppliers', 'x'.repeat(2_000_000), json),
  }
  await db.query(sql.typeAlias('void')`alter table supplier rename to supplier_that_is_lost`)
  kinds['a bug'] = await ask('GET', '/api/suppliers')
  await db.query(sql.typeAlias('void')`alter table supplier_that_is_lost rename to supplier`)
  for (let number = 0; number < 20; number += 1) kinds['too often'] = await ask('GET', '/api/suppliers')
  return kinds
}

const statuses: Record<string, number> = {
  'the page without a shop': 400,
  'the way to the installation': 302,
  'the way to the platform': 302,
  'a refused installation': 401,
  'a lost person': 404,
  'a lost program': 404,
  'an address that is none': 400,
  'no file of the admin': 404,
  'a forged delivery': 401,
  'no token': 401,
  'no record': 404,
  'a fault': 400,
  'another method': 405,
  'another form': 406,
  'another type': 415,
  'too much': 413,
  'a bug': 500,
  'too often': 429,
}

t.test('every kind of answer says who may frame it, and lets nobody else read or guess it', async (t) => {
  const kinds = await answersOf(t)
  for (const [name, { status, headers, policy, cache }] of Object.entries(kinds)) {
    t.equal(status, statuses[name] ?? 200, name)
    t.match(headers, everywhere, name)
    t.match(headers['content-security-policy'], policy, name)
    t.equal(headers['cache-control'], cache, name)
    t.strictSame(
      nowhere.filter((header) => header in headers),
      [],
      name,
    )
    t.notMatch(
      String(headers['content-security-policy']),
      /unsafe-eval|script-src[^;]*unsafe-inline|\*/,
      name,
    )
    if (name !== 'the way to the platform') t.notOk('set-cookie' in headers, name)
  }
})

t.test('so does what is answered to no HTTP at all', async (t) => {
  const { app } = await startApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('hello\r\n\r\n')
  const [head = ''] = (await text(socket)).split('\r\n\r\n')
  const [, ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
  t.match(headers, everywhere)
  t.match(headers['content-security-policy'], nobody)
  t.equal(headers['cache-control'], 'no-store')
})
