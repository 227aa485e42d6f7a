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

const noContent = /^default-src 'none';\s?frame-ancestors 'none'$/
const ownContent = /^default-src 'none'; style-src 'self'; script-src 'self'; .*frame-ancestors 'none'$/

/** The headers of every response. */
const commonHeaders = {
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

/** Headers that would open the API to other sites, name our software, or contradict the content security policy. */
const forbiddenHeaders = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'server',
  'x-powered-by',
  'x-frame-options',
]

async function responsesOf(t: Test): Promise<Record<string, Kind>> {
  const { app, db, alice } = await startApp(t, { env: { RATE_LIMIT_PER_MINUTE: '20' } })
  const { id } = await makeOrder(alice)
  const json = { 'content-type': 'application/json' }
  const get = async (url: string, headers = {}) => {
    const { statusCode: status, headers: received } = await app.inject({ url, headers })
    return { status, headers: received }
  }
  const request = async (...request: Parameters<typeof alice.send>) => {
    const { statusCode: status, headers } = await alice.send(...request)
    return { status, headers, policy: noContent, cache: 'no-store' }
  }
  const delivery = async (headers: Record<string, string>) => {
    const signed = sign(alice, 'orders/create', orderBody(1, []), headers)
    const answer = await deliver(app, signed)
    return { status: answer.statusCode, headers: answer.headers, policy: noContent, cache: undefined }
  }
  const admin = await app.inject(`/?shop=${alice.shopDomain}`)
  const asset = /src="(\/assets\/[^"]+)"/.exec(admin.body)?.[1] ?? ''
  const framed = new RegExp(
    `script-src 'self' https://[^ ;]+; .*frame-ancestors https://${alice.shopDomain}$`,
  )
  const forever = 'public, max-age=31536000, immutable'
  const shop = 'shop=unknown.myshop.example'

  const kinds: Record<string, Kind> = {
    'the admin': { status: admin.statusCode, headers: admin.headers, policy: framed, cache: 'no-store' },
    'the page without a shop': { ...(await get('/')), policy: ownContent, cache: 'no-store' },
    'the page that leaves the frame': {
      ...(await get(`/?${shop}&embedded=1`)),
      policy: /frame-ancestors https:\/\/unknown\.myshop\.example$/,
      cache: 'no-store',
    },
    'the redirect to the installation': { ...(await get(`/?${shop}`)), policy: noContent, cache: 'no-store' },
    'the redirect to the platform': { ...(await get(`/auth?${shop}`)), policy: noContent, cache: 'no-store' },
    'a refused installation': { ...(await get('/auth/callback?x=1')), policy: ownContent, cache: 'no-store' },
    'an unknown page': {
      ...(await get('/lost', { 'sec-fetch-mode': 'navigate' })),
      policy: ownContent,
      cache: 'no-store',
    },
    'an unknown path': { ...(await get('/lost')), policy: noContent, cache: undefined },
    'a malformed path': { ...(await get('/%')), policy: noContent, cache: 'no-store' },
    'a style': { ...(await get('/page.css')), policy: noContent, cache: undefined },
    'a script': { ...(await get('/leave-frame.js')), policy: noContent, cache: undefined },
    'a file of the admin': { ...(await get(asset)), policy: noContent, cache: forever },
    'a missing file of the admin': { ...(await get('/assets/none.js')), policy: noContent, cache: undefined },
    'the API documentation': { ...(await get('/docs')), policy: /frame-ancestors 'none'$/, cache: undefined },
    'the OpenAPI document': { ...(await get('/openapi.json')), policy: noContent, cache: undefined },
    'the health check': { ...(await get('/healthz')), policy: noContent, cache: undefined },
    'the readiness check': { ...(await get('/readyz')), policy: noContent, cache: undefined },
    'a delivery': await delivery({}),
    'a forged delivery': await delivery({ 'x-platform-hmac-sha256': 'AAAA' }),
    'a missing token': { ...(await get('/api/suppliers')), policy: noContent, cache: 'no-store' },
    'a list': await request('GET', '/api/suppliers'),
    'a spreadsheet': await request('GET', '/api/purchase-orders', undefined, { accept: 'text/csv' }),
    'a PDF': await request('GET', `/api/purchase-orders/${id}/pdf`),
    'a missing record': await request('GET', '/api/suppliers/999999'),
    'an invalid request': await request('POST', '/api/suppliers', '{}', json),
    'a refused method': await request('PATCH', '/api/suppliers'),
    'an unacceptable type': await request('GET', '/api/suppliers', undefined, { accept: 'image/png' }),
    'an unsupported body type': await request('POST', '/api/suppliers', 'x', {
      'content-type': 'text/plain',
    }),
    'a too large body': await request('POST', '/api/suppliers', 'x'.repeat(2_000_000), json),
  }
  await db.query(sql.typeAlias('void')`alter table supplier rename to supplier_renamed`)
  kinds['an internal error'] = await request('GET', '/api/suppliers')
  await db.query(sql.typeAlias('void')`alter table supplier_renamed rename to supplier`)
  for (let number = 0; number < 20; number += 1)
    kinds['a request above the rate limit'] = await request('GET', '/api/suppliers')
  return kinds
}

const statuses: Record<string, number> = {
  'the page without a shop': 400,
  'the redirect to the installation': 302,
  'the redirect to the platform': 302,
  'a refused installation': 401,
  'an unknown page': 404,
  'an unknown path': 404,
  'a malformed path': 400,
  'a missing file of the admin': 404,
  'a forged delivery': 401,
  'a missing token': 401,
  'a missing record': 404,
  'an invalid request': 400,
  'a refused method': 405,
  'an unacceptable type': 406,
  'an unsupported body type': 415,
  'a too large body': 413,
  'an internal error': 500,
  'a request above the rate limit': 429,
}

t.test('every kind of response has its security, framing and cache headers', async (t) => {
  const kinds = await responsesOf(t)
  for (const [name, { status, headers, policy, cache }] of Object.entries(kinds)) {
    t.equal(status, statuses[name] ?? 200, name)
    t.match(headers, commonHeaders, name)
    t.match(headers['content-security-policy'], policy, name)
    t.equal(headers['cache-control'], cache, name)
    t.strictSame(
      forbiddenHeaders.filter((header) => header in headers),
      [],
      name,
    )
    t.notMatch(
      String(headers['content-security-policy']),
      /unsafe-eval|script-src[^;]*unsafe-inline|\*/,
      name,
    )
    if (name !== 'the redirect to the platform') t.notOk('set-cookie' in headers, name)
  }
})

t.test('the response to malformed HTTP has the same headers', async (t) => {
  const { app } = await startApp(t, {})
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('hello\r\n\r\n')
  const [head = ''] = (await text(socket)).split('\r\n\r\n')
  const [, ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
  t.match(headers, commonHeaders)
  t.match(headers['content-security-policy'], noContent)
  t.equal(headers['cache-control'], 'no-store')
})
