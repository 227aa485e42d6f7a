import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { PlatformError, TokenRevokedError } from '../../../shared/platform/errors.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { createAdminApi, type Lane } from '../../../worker/platform/admin-api.ts'
import { documents } from '../../../worker/platform/documents.ts'
import { openTestDb, testConfig, testKeys } from '../../support/core/database.ts'
import { deadline } from '../../support/core/machine.ts'
import { makeShop } from '../../support/core/people.ts'
import { until } from '../../support/core/until.ts'
import { data, mockPlatform, page, type Reply, throttled } from '../../support/platform/platform.ts'

const Stored = Type.Object({ isRevoked: Type.Boolean(), accessToken: Type.String() })
const responseData = { webhookSubscriptions: page([]) }
const operation = 'WebhookSubscriptions'

/** A shop, a mocked platform, and a client that records its retry delays instead of waiting. */
async function start(t: Test, { env = {}, timeoutMs = 60_000 } = {}) {
  const { db, url } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  const platform = mockPlatform(t, shopDomain)
  const pauses: number[] = []
  const pause = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    pauses.push(Math.round(ms))
  }
  const apis = createAdminApi(testConfig(url, env), db, { pause, timeoutMs })
  const sendIn = (lane: Lane, signal: AbortSignal) =>
    apis(shopId, lane).query(documents.webhookSubscriptions, { first: 5, after: null }, { signal })
  return {
    db,
    shopId,
    shopDomain,
    platform,
    pauses,
    respond: (...replies: Reply[]): void =>
      platform.on(operation, (_variables, call) => replies[Math.min(call, replies.length) - 1] ?? [500]),
    send: (signal = AbortSignal.timeout(deadline(60_000))) => sendIn('bulk', signal),
    sendUrgently: () => sendIn('urgent', AbortSignal.timeout(deadline(60_000))),
    stored: () =>
      db.one(sql.type(row(Stored))`
        select revoked_at is not null as is_revoked, access_token from shop_credential where shop_id = ${shopId}
      `),
    setToken: (token: string) =>
      db.query(sql.typeAlias('void')`
        update shop_credential set access_token = ${createTokenCipher(testKeys).seal(token, shopDomain)}
        where shop_id = ${shopId}
      `),
  }
}

type Behaviour = 'responds' | 'hangs' | 'closes' | 'stops half-way'

/** A platform on its own socket, for failures below HTTP. */
async function startServer(t: Test, next: () => Behaviour): Promise<string> {
  const server = createServer((_request, response) => {
    const behaviour = next()
    if (behaviour === 'hangs') return
    if (behaviour === 'closes') return response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' })
    if (behaviour === 'stops half-way') return response.write('{"data":')
    response.end(JSON.stringify({ data: responseData }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/{shop_domain}/graphql`
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

t.test('a request has the token of its shop and the variables, and the response is validated', async (t) => {
  const { platform, respond, send } = await start(t)
  respond(data({ ...responseData, more: 'than requested' }))
  t.match(await send(), responseData)
  t.strictSame(platform.requests, [
    { operation, variables: { first: 5, after: null }, token: 'test-access-token' },
  ])

  respond(data({ webhookSubscriptions: { nodes: [{ id: 7 }] } }))
  t.match(await failure(send()), {
    kind: 'rejected',
    message: /Unexpected response to webhook-subscriptions/,
  })
  respond([200, { data: null }])
  t.match(await failure(send()), { kind: 'rejected' })
  respond([200, [1]])
  t.match(await failure(send()), { kind: 'rejected' })
})

t.test('a client that is throttled waits until its bucket holds the cost', async (t) => {
  const { pauses, respond, send } = await start(t)
  respond(
    throttled(950, 50),
    throttled(10, 5),
    [200, { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] }],
    data(responseData),
  )
  t.match(await send(), responseData)
  t.equal(pauses.length, 3)
  const [long = 0, short = 0, unspecified = 0] = pauses
  t.ok(long >= 9_000 && long <= 10_800, `(950 - 50) / 100 per second: ${long}`)
  for (const pause of [short, unspecified])
    t.ok(pause >= 1_000 && pause <= 1_200, `at least a second: ${pause}`)
})

t.test('the client waits for Retry-After in seconds', async (t) => {
  const { pauses, respond, send } = await start(t)
  respond([429, '', { 'retry-after': '2.0' }], [429], data(responseData))
  t.match(await send(), responseData)
  t.equal(pauses.length, 2)
  for (const pause of pauses) t.ok(pause >= 2_000 && pause <= 2_400, String(pause))
  respond([429, '', { 'retry-after': '3600' }])
  t.match(await failure(send()), { kind: 'throttled' }, 'an hour is left to the retry of the job')
})

t.test('platform errors are retried with growing delays, then left to the retry of the job', async (t) => {
  const { platform, pauses, respond, send } = await start(t)
  respond([500], [503, '<html>'], [200, '<html>'], data(responseData))
  t.match(await send(), responseData)
  t.equal(pauses.length, 3)
  t.ok((pauses[0] ?? 0) < (pauses[2] ?? 0))

  platform.requests.length = 0
  respond([502])
  t.match(await failure(send()), { kind: 'unavailable' })
  t.equal(platform.requests.length, 6)
})

t.test('timeouts and closed connections are retried', async (t) => {
  const behaviours: Behaviour[] = ['hangs', 'closes', 'stops half-way']
  const env = { PLATFORM_GRAPHQL_URL: await startServer(t, () => behaviours.shift() ?? 'responds') }
  const { pauses, send } = await start(t, { env, timeoutMs: 3_000 })
  t.match(await send(), responseData)
  t.equal(pauses.length, 3)
})

t.test('permanent errors are thrown immediately, each with its kind', async (t) => {
  const { platform, respond, send } = await start(t)
  const coded = (code: string): Reply => [200, { errors: [{ message: 'no', extensions: { code } }] }]
  const cases: [Reply, string][] = [
    [[402], 'frozen'],
    [[403], 'forbidden'],
    [[423], 'locked'],
    [[400], 'rejected'],
    [[302, '', { location: 'https://elsewhere.example/' }], 'unavailable'],
    [coded('ACCESS_DENIED'), 'access_denied'],
    [coded('SHOP_INACTIVE'), 'frozen'],
    [coded('MAX_COST_EXCEEDED'), 'rejected'],
    [[200, { errors: [{ message: 'Field does not exist' }] }], 'rejected'],
  ]
  for (const [reply, kind] of cases) {
    platform.requests.length = 0
    respond(reply)
    const error = await failure(send())
    t.ok(error instanceof PlatformError)
    t.match(error, { kind }, JSON.stringify(reply))
    if (kind !== 'unavailable') t.equal(platform.requests.length, 1)
  }
  for (const [body, isUnapplied] of [
    [{ errors: [{ message: 'Field does not exist' }] }, true],
    [{ errors: [{ message: 'Something failed' }], data: null }, false],
    [{ errors: [{ message: 'Something failed' }], data: { shop: null } }, false],
  ] as const) {
    respond([200, body])
    t.match(await failure(send()), { kind: 'rejected', isUnapplied }, JSON.stringify(body))
  }
})

t.test('no error contains a secret', async (t) => {
  const { respond, send } = await start(t)
  const leak = `token test-access-token of ${testKeys.PLATFORM_API_SECRET}`
  for (const reply of [
    [200, { errors: [{ message: leak }] }],
    [500, leak],
    [400, leak],
  ] satisfies Reply[]) {
    respond(reply)
    const error = (await failure(send())) as Error
    for (const secret of ['test-access-token', testKeys.PLATFORM_API_SECRET]) {
      t.notMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, secret)
    }
  }
})

t.test('a refused token is marked and not used again', async (t) => {
  const { platform, respond, send, stored } = await start(t)
  respond([401])
  t.ok((await failure(send())) instanceof TokenRevokedError)
  t.match(await stored(), { isRevoked: true })
  t.ok((await failure(send())) instanceof TokenRevokedError)
  t.equal(platform.requests.length, 1)
})

t.test('the refusal of a replaced token does not mark the new one', async (t) => {
  const { platform, send, setToken, stored } = await start(t)
  platform.on(operation, async (_variables, call) => {
    if (call > 1) return data(responseData)
    await setToken('new-token')
    return [401]
  })
  t.match(await send(), responseData)
  t.strictSame(
    platform.requests.map(({ token }) => token),
    ['test-access-token', 'new-token'],
  )
  t.match(await stored(), { isRevoked: false })
})

t.test('a shop without the app has no token', async (t) => {
  const { db, shopId, platform, send } = await start(t)
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${shopId}`)
  t.ok((await failure(send())) instanceof TokenRevokedError)
  t.strictSame(platform.requests, [])
})

t.test('an abort ends the request and the wait for a slot', async (t) => {
  let requestCount = 0
  const url = await startServer(t, () => {
    requestCount += 1
    return 'hangs'
  })
  const { send } = await start(t, { env: { PLATFORM_GRAPHQL_URL: url } })
  const stop = new AbortController()
  const sending = [1, 2, 3, 4].map(() => failure(send(stop.signal)))
  await until(() => requestCount === 2, 'two requests are sent')
  stop.abort(new Error('stopping'))
  for (const error of await Promise.all(sending)) t.match(error, { message: 'stopping' })
  t.equal(requestCount, 2, 'one shop has two concurrent requests at most')
})

t.test('an urgent request does not wait for the pages of a sync', async (t) => {
  let requestCount = 0
  const url = await startServer(t, () => {
    requestCount += 1
    return requestCount <= 2 ? 'hangs' : 'responds'
  })
  const { send, sendUrgently } = await start(t, { env: { PLATFORM_GRAPHQL_URL: url } })
  const stop = new AbortController()
  const sending = [1, 2, 3].map(() => failure(send(stop.signal)))
  await until(() => requestCount === 2, 'two pages are under way, and one waits')
  t.match(await sendUrgently(), responseData)
  t.equal(requestCount, 3)
  stop.abort(new Error('stopping'))
  await Promise.all(sending)
})

t.test('a token encrypted with an older key is encrypted again on use', async (t) => {
  const older = testKeys.TOKEN_ENCRYPTION_KEYS
  const newer = Buffer.alloc(32, 'newer key').toString('base64')
  const { shopDomain, respond, send, stored } = await start(t, {
    env: { TOKEN_ENCRYPTION_KEYS: `${newer},${older}` },
  })
  respond(data(responseData))
  await send()
  const { accessToken } = await stored()
  t.equal(
    createTokenCipher({ TOKEN_ENCRYPTION_KEYS: newer }).open(accessToken, shopDomain),
    'test-access-token',
  )
  t.throws(() => createTokenCipher({ TOKEN_ENCRYPTION_KEYS: older }).open(accessToken, shopDomain))
  await send()
  t.equal((await stored()).accessToken, accessToken, 'once')
})
