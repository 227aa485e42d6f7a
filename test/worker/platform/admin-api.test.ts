import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { PlatformError, TokenRevokedError } from '../../../shared/platform/errors.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { createAdminApi } from '../../../worker/platform/admin-api.ts'
import { documents } from '../../../worker/platform/documents.ts'
import { openTestDb, testConfig, testKeys } from '../../support/core/database.ts'
import { makeShop } from '../../support/core/people.ts'
import { until } from '../../support/core/processes.ts'
import { data, meetPlatform, page, type Reply, throttled } from '../../support/platform/platform.ts'

const Stored = Type.Object({ isRevoked: Type.Boolean(), accessToken: Type.String() })
const answer = { webhookSubscriptions: page([]) }
const operation = 'WebhookSubscriptions'

/** A shop, the platform that answers it, and a client that notes its pauses instead of making them. */
async function start(t: Test, { env = {}, timeoutMs = 2_000 } = {}) {
  const { db, url } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  const platform = meetPlatform(t, shopDomain)
  const pauses: number[] = []
  const pause = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    pauses.push(Math.round(ms))
  }
  const api = createAdminApi(testConfig(url, env), db, { pause, timeoutMs })(shopId)
  return {
    db,
    shopId,
    shopDomain,
    platform,
    pauses,
    answers: (...replies: Reply[]): void =>
      platform.on(operation, (_variables, call) => replies[Math.min(call, replies.length) - 1] ?? [500]),
    ask: (signal = AbortSignal.timeout(30_000)) =>
      api.query(documents.webhookSubscriptions, { first: 5, after: null }, { signal }),
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

type Fault = 'answers' | 'hangs' | 'breaks' | 'stops half-way'

/** A platform on a socket of its own, for what happens below HTTP. */
async function startServer(t: Test, next: () => Fault): Promise<string> {
  const server = createServer((_request, response) => {
    const fault = next()
    if (fault === 'hangs') return
    if (fault === 'breaks') return response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' })
    if (fault === 'stops half-way') return response.write('{"data":')
    response.end(JSON.stringify({ data: answer }))
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

t.test('a request carries the token of its shop and the variables, and the answer is checked', async (t) => {
  const { platform, answers, ask } = await start(t)
  answers(data({ ...answer, more: 'than we asked for' }))
  t.match(await ask(), answer)
  t.strictSame(platform.requests, [
    { operation, variables: { first: 5, after: null }, token: 'test-access-token' },
  ])

  answers(data({ webhookSubscriptions: { nodes: [{ id: 7 }] } }))
  t.match(await failure(ask()), { kind: 'rejected', message: /webhook-subscriptions is new to us/ })
  answers([200, { data: null }])
  t.match(await failure(ask()), { kind: 'rejected' })
  answers([200, [1]])
  t.match(await failure(ask()), { kind: 'rejected' })
})

t.test('a client that is throttled waits until its bucket holds the cost', async (t) => {
  const { pauses, answers, ask } = await start(t)
  answers(
    throttled(950, 50),
    throttled(10, 5),
    [200, { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] }],
    data(answer),
  )
  t.match(await ask(), answer)
  t.equal(pauses.length, 3)
  const [long = 0, short = 0, unsaid = 0] = pauses
  t.ok(long >= 9_000 && long <= 10_800, `(950 - 50) / 100 per second: ${long}`)
  for (const pause of [short, unsaid]) t.ok(pause >= 1_000 && pause <= 1_200, `at least a second: ${pause}`)
})

t.test('Retry-After counts in seconds', async (t) => {
  const { pauses, answers, ask } = await start(t)
  answers([429, '', { 'retry-after': '2.0' }], [429], data(answer))
  t.match(await ask(), answer)
  t.equal(pauses.length, 2)
  for (const pause of pauses) t.ok(pause >= 2_000 && pause <= 2_400, String(pause))
  answers([429, '', { 'retry-after': '3600' }])
  t.match(await failure(ask()), { kind: 'throttled' }, 'an hour is left to the queue')
})

t.test('trouble of the platform is met with growing pauses, and then left to the queue', async (t) => {
  const { platform, pauses, answers, ask } = await start(t)
  answers([500], [503, '<html>'], [200, '<html>'], data(answer))
  t.match(await ask(), answer)
  t.equal(pauses.length, 3)
  t.ok((pauses[0] ?? 0) < (pauses[2] ?? 0))

  platform.requests.length = 0
  answers([502])
  t.match(await failure(ask()), { kind: 'unavailable' })
  t.equal(platform.requests.length, 6)
})

t.test('a platform that does not answer in time, or breaks the connection, is asked again', async (t) => {
  const faults: Fault[] = ['hangs', 'breaks', 'stops half-way']
  const env = { PLATFORM_GRAPHQL_URL: await startServer(t, () => faults.shift() ?? 'answers') }
  const { pauses, ask } = await start(t, { env, timeoutMs: 200 })
  t.match(await ask(), answer)
  t.equal(pauses.length, 3)
})

t.test('what no pause can mend is thrown at once, with a kind of its own', async (t) => {
  const { platform, answers, ask } = await start(t)
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
    answers(reply)
    const error = await failure(ask())
    t.ok(error instanceof PlatformError)
    t.match(error, { kind }, JSON.stringify(reply))
    if (kind !== 'unavailable') t.equal(platform.requests.length, 1)
  }
})

t.test('no error holds a secret', async (t) => {
  const { answers, ask } = await start(t)
  const leak = `token test-access-token of ${testKeys.PLATFORM_API_SECRET}`
  for (const reply of [
    [200, { errors: [{ message: leak }] }],
    [500, leak],
    [400, leak],
  ] satisfies Reply[]) {
    answers(reply)
    const error = (await failure(ask())) as Error
    for (const secret of ['test-access-token', testKeys.PLATFORM_API_SECRET]) {
      t.notMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, secret)
    }
  }
})

t.test('a refused token is marked, and not asked with again', async (t) => {
  const { platform, answers, ask, stored } = await start(t)
  answers([401])
  t.ok((await failure(ask())) instanceof TokenRevokedError)
  t.match(await stored(), { isRevoked: true })
  t.ok((await failure(ask())) instanceof TokenRevokedError)
  t.equal(platform.requests.length, 1)
})

t.test('the refusal of a token that was replaced meanwhile says nothing about the new one', async (t) => {
  const { platform, ask, setToken, stored } = await start(t)
  platform.on(operation, async (_variables, call) => {
    if (call > 1) return data(answer)
    await setToken('new-token')
    return [401]
  })
  t.match(await ask(), answer)
  t.strictSame(
    platform.requests.map(({ token }) => token),
    ['test-access-token', 'new-token'],
  )
  t.match(await stored(), { isRevoked: false })
})

t.test('a shop without the app has no token', async (t) => {
  const { db, shopId, platform, ask } = await start(t)
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${shopId}`)
  t.ok((await failure(ask())) instanceof TokenRevokedError)
  t.strictSame(platform.requests, [])
})

t.test('an abort ends the request and the wait for a place', async (t) => {
  let asked = 0
  const url = await startServer(t, () => {
    asked += 1
    return 'hangs'
  })
  const { ask } = await start(t, { env: { PLATFORM_GRAPHQL_URL: url }, timeoutMs: 10_000 })
  const stop = new AbortController()
  const asking = [1, 2, 3, 4].map(() => failure(ask(stop.signal)))
  await until(() => asked === 2, 'two are asked')
  stop.abort(new Error('stopping'))
  for (const error of await Promise.all(asking)) t.match(error, { message: 'stopping' })
  t.equal(asked, 2, 'of one shop at once')
})

t.test('a token that an older key has sealed is sealed again on use', async (t) => {
  const older = testKeys.TOKEN_ENCRYPTION_KEYS
  const newer = Buffer.alloc(32, 'newer key').toString('base64')
  const { shopDomain, answers, ask, stored } = await start(t, {
    env: { TOKEN_ENCRYPTION_KEYS: `${newer},${older}` },
  })
  answers(data(answer))
  await ask()
  const { accessToken } = await stored()
  t.equal(
    createTokenCipher({ TOKEN_ENCRYPTION_KEYS: newer }).open(accessToken, shopDomain),
    'test-access-token',
  )
  t.throws(() => createTokenCipher({ TOKEN_ENCRYPTION_KEYS: older }).open(accessToken, shopDomain))
  await ask()
  t.equal((await stored()).accessToken, accessToken, 'once')
})
