import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { captureLog, expectFailure, startApp } from '../../support/core/app.ts'
import { testKeys } from '../../support/core/database.ts'
import { epochSeconds as now } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { until } from '../../support/core/until.ts'

type Claims = Record<string, unknown>
type Signing = { header?: Claims; secret?: string; hash?: string }

const encode = (part: Claims) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A valid token with the changes of the test; a claim that is undefined is omitted. */
function tokenOf({ shopDomain }: Person, changed: Claims = {}, signing: Signing = {}): string {
  const {
    header = { alg: 'HS256', typ: 'JWT' },
    secret = testKeys.PLATFORM_API_SECRET,
    hash = 'sha256',
  } = signing
  const claims = {
    iss: `https://${shopDomain}/admin`,
    dest: `https://${shopDomain}`,
    aud: testKeys.PLATFORM_API_KEY,
    sub: '42',
    exp: now() + 60,
    nbf: now(),
    iat: now(),
    jti: 'jti-1',
    sid: 'sid-1',
    ...changed,
  }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

type Vector = { authorization: string | undefined; retry: boolean }
const refused = (token: string): Vector => ({ authorization: `Bearer ${token}`, retry: true })
const malformed = (authorization?: string): Vector => ({ authorization, retry: false })

/** Requests with one defect each. `retry`: the client may repeat the request with a fresh token. */
function vectors(alice: Person, mallory: Person): Record<string, Vector> {
  const wrong = (changed: Claims, signing?: Signing) => refused(tokenOf(alice, changed, signing))
  const [header, payload, signature] = tokenOf(alice).split('.')
  const unsigned = `${encode({ alg: 'none' })}.${payload}.`
  return {
    'no header': malformed(),
    'an empty header': malformed(''),
    'a scheme alone': malformed('Bearer '),
    'another scheme': malformed(`Basic ${tokenOf(alice)}`),
    'no scheme': malformed(tokenOf(alice)),
    'two tokens': malformed(`Bearer ${tokenOf(alice)}, Bearer ${tokenOf(alice)}`),
    'a text': malformed('Bearer garbage'),
    'over 8 kB': malformed(`Bearer ${tokenOf(alice, { sid: 'x'.repeat(8192) })}`),
    'two parts': malformed(`Bearer ${header}.${payload}`),
    'four parts': malformed(`Bearer ${header}.${payload}.${signature}.${signature}`),
    'parts that are not JSON': refused('not.a.token'),
    'no signature': refused(`${header}.${payload}.`),
    'claims of another token': refused(
      `${header}.${tokenOf(alice, { sub: '43' }).split('.')[1]}.${signature}`,
    ),
    'the algorithm none': refused(unsigned),
    'the algorithm none, signed': wrong({}, { header: { alg: 'none' } }),
    'the algorithm HS512': wrong({}, { header: { alg: 'HS512' }, hash: 'sha512' }),
    'the algorithm RS256': wrong({}, { header: { alg: 'RS256' } }),
    'no algorithm': wrong({}, { header: { typ: 'JWT' } }),
    'another secret': wrong({}, { secret: 'another-secret-of-no-shop-at-all' }),
    'the empty secret': wrong({}, { secret: '' }),
    expired: wrong({ exp: now() - 12 }),
    'no exp': wrong({ exp: undefined }),
    'exp as a text': wrong({ exp: String(now() + 60) }),
    'exp null': wrong({ exp: null }),
    'not valid yet': wrong({ nbf: now() + 300, exp: now() + 600 }),
    'nbf as a text': wrong({ nbf: String(now()) }),
    'another audience': wrong({ aud: 'another-api-key' }),
    'a list of audiences': wrong({ aud: [testKeys.PLATFORM_API_KEY] }),
    'no audience': wrong({ aud: undefined }),
    'no issuer': wrong({ iss: undefined }),
    'an issuer that is not a shop': wrong({ iss: 'https://evil.example/admin' }),
    'an issuer that begins like a shop': wrong({ iss: `https://${alice.shopDomain}.evil.example/admin` }),
    'an issuer behind a user name': wrong({ iss: `https://evil@${alice.shopDomain}/admin` }),
    'an issuer that is a list': wrong({ iss: [`https://${alice.shopDomain}`] }),
    'an issuer without TLS': wrong({ iss: `http://${alice.shopDomain}` }),
    'another shop as issuer': wrong({ iss: `https://${mallory.shopDomain}/admin` }),
    'no destination': wrong({ dest: undefined }),
    'another shop as destination': wrong({ dest: `https://${mallory.shopDomain}` }),
    'a destination that begins like the shop': wrong({ dest: `https://${alice.shopDomain}.evil.example` }),
    'no user': wrong({ sub: undefined }),
    'a user that is a number': wrong({ sub: 42 }),
    'an empty user': wrong({ sub: '' }),
    'a user of two lines': wrong({ sub: '42\n43' }),
  }
}

/** Sends a request that would create a supplier if the API accepted its token. */
async function expectRefusal(t: Test, people: TestPeople, name: string, { authorization, retry }: Vector) {
  const answer = await people.app.inject({
    method: 'POST',
    url: '/api/suppliers',
    payload: { name: 'Not created' },
    headers: authorization === undefined ? {} : { authorization },
  })
  const error = expectFailure(t, answer, 401, 'unauthorized', name)
  t.equal(answer.headers['www-authenticate'], 'Bearer', name)
  t.equal(
    answer.headers['x-platform-retry-invalid-session-request'],
    retry ? '1' : undefined,
    `${name}: retry`,
  )
  t.strictSame(error, {
    code: 'unauthorized',
    message: 'Your session has ended. Reload this page.',
    requestId: error.requestId,
  })
}

type TestPeople = Awaited<ReturnType<typeof startApp>>

const createdSuppliers = ({ db }: TestPeople) =>
  db.any(sql.typeAlias('id')`select id from supplier where name = 'Not created'`)

t.test('a token with one defect is refused, and the answer does not name the defect', async (t) => {
  const captured = await captureLog()
  const people = await startApp(t, { log: captured.log })
  for (const [name, vector] of Object.entries(vectors(people.alice, people.mallory))) {
    const before = captured.lines().length
    await expectRefusal(t, people, name, vector)
    const [reason, request, ...more] = captured.lines().slice(before)
    t.match(reason, { msg: 'unauthorized', reason: /^[\w ]+$/ }, `${name}: the log has the reason`)
    t.match(request, { msg: 'request', status: 401 })
    t.strictSame(more, [])
  }
  t.notMatch(captured.text(), /eyJ/, 'no part of a token is in the log')
  t.strictSame(await createdSuppliers(people), [], 'no request created a supplier')
})

t.test('two Authorization headers are refused', async (t) => {
  const people = await startApp(t, {})
  const address = await people.app.listen({ port: 0, host: '127.0.0.1' })
  const status = (tokens: string[]) =>
    new Promise((done, fail) => {
      const headers = [
        'Host',
        'localhost',
        ...tokens.flatMap((token) => ['Authorization', `Bearer ${token}`]),
      ]
      httpRequest(`${address}/api/suppliers`, { headers })
        .on('response', (response) => done(response.resume().statusCode))
        .on('error', fail)
        .end()
    })
  const token = tokenOf(people.alice)
  t.equal(await status([token]), 200)
  t.equal(await status([token, token]), 401)
  t.equal(await status([token, 'garbage']), 401)
  t.equal(await status(['garbage', token]), 401)
})

t.test('the API accepts every form of a valid token', async (t) => {
  // a busy machine may need longer than the default until it sends the last request
  const { app, alice } = await startApp(t, { env: { SESSION_TOKEN_LEEWAY_SECONDS: '120' } })
  const { shopDomain } = alice
  const good = {
    'issued by the admin': tokenOf(alice),
    'issued by the bare domain': tokenOf(alice, { iss: shopDomain }),
    'issued by the domain with /admin': tokenOf(alice, { iss: `${shopDomain}/admin` }),
    'issued by the origin': tokenOf(alice, { iss: `https://${shopDomain}` }),
    'for the bare domain': tokenOf(alice, { dest: shopDomain }),
    'without nbf': tokenOf(alice, { nbf: undefined }),
    'without unused claims': tokenOf(alice, { iat: undefined, jti: undefined, sid: undefined }),
    'expired within the leeway': tokenOf(alice, { exp: now() - 20 }),
    'valid from within the leeway': tokenOf(alice, { nbf: now() + 100 }),
    'nearly 8 kB': tokenOf(alice, { sid: 'x'.repeat(5500) }),
  }
  for (const [name, token] of Object.entries(good)) {
    for (const scheme of ['Bearer', 'bearer']) {
      const headers = { authorization: `${scheme} ${token}` }
      t.equal((await app.inject({ url: '/api/suppliers', headers })).statusCode, 200, `${name}, ${scheme}`)
    }
  }
})

t.test('during a rotation the API accepts tokens of both secrets', async (t) => {
  const people = await startApp(t, { env: { PLATFORM_API_SECRET_PREVIOUS: 'the-secret-before' } })
  const request = (token: string) =>
    people.app.inject({ url: '/api/suppliers', headers: { authorization: `Bearer ${token}` } })
  t.equal((await request(tokenOf(people.alice))).statusCode, 200)
  t.equal((await request(tokenOf(people.alice, {}, { secret: 'the-secret-before' }))).statusCode, 200)
  const expired = tokenOf(people.alice, { exp: now() - 60 }, { secret: 'the-secret-before' })
  await expectRefusal(t, people, 'expired', refused(expired))
  await expectRefusal(t, people, 'a third', refused(tokenOf(people.alice, {}, { secret: 'a-third-secret' })))
})

t.test('a token is refused after its expiry', async (t) => {
  const { app, alice } = await startApp(t, { env: { SESSION_TOKEN_LEEWAY_SECONDS: '0' } })
  t.equal((await alice.get('/api/suppliers')).statusCode, 200, 'the app has started')
  const request = async (token: string) => {
    const answer = await app.inject({ url: '/api/suppliers', headers: { authorization: `Bearer ${token}` } })
    return answer.statusCode
  }
  const token = await until(async () => {
    const fresh = tokenOf(alice, { exp: now() + 4 })
    // a busy machine may need longer than the token is valid, and then tries again
    return (await request(fresh)) === 200 && (await request(fresh)) === 200 && fresh
  }, 'both requests are answered before the expiry')
  await until(async () => (await request(token)) === 401, 'the token is refused')
})

t.test('requests share the status of their shop for one second, and no other shop does', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const end = ({ shopId }: Person) =>
    db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${shopId}`)
  const begin = ({ shopId }: Person) =>
    db.query(sql.typeAlias('void')`update shop set uninstalled_at = null where id = ${shopId}`)

  const status = async (person: Person) => (await person.get('/api/suppliers')).statusCode
  t.equal(await status(alice), 200)
  await until(async () => {
    await begin(alice)
    await sleep(1_100)
    const before = await status(alice)
    await end(alice)
    await end(mallory)
    t.equal(before, 200)
    t.equal(await status(mallory), 401)
    // a busy machine may need longer than the second, and then tries again
    return (await status(alice)) === 200
  }, 'the status is cached for one second')
  await sleep(1_100)
  t.equal(await status(alice), 401)
  await begin(alice)
  t.equal((await alice.get('/api/suppliers')).statusCode, 200, 'a refusal is not cached')
})

t.test('a valid token of a shop without the app is refused', async (t) => {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  const noRetry = (person: Person): Vector => ({ authorization: `Bearer ${tokenOf(person)}`, retry: false })
  await expectRefusal(t, people, 'unknown', noRetry({ ...alice, shopDomain: 'unknown.myshop.example' }))

  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${mallory.shopId}`)
  await expectRefusal(t, people, 'uninstalled', noRetry(mallory))

  const otherKey = createTokenCipher({ TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 9).toString('base64') })
  const sealed = otherKey.seal('test-access-token', alice.shopDomain)
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${alice.shopId}
  `)
  await expectRefusal(t, people, 'sealed with an unknown key', noRetry(alice))

  await db.query(sql.typeAlias('void')`delete from shop_credential where shop_id = ${alice.shopId}`)
  await expectRefusal(t, people, 'no access token', noRetry(alice))
  t.strictSame(await createdSuppliers(people), [])
})

t.test('each platform has its own name for the header that requests a fresh token', async (t) => {
  const { app } = await startApp(t, { env: { PLATFORM: 'shopify' } })
  const answer = await app.inject({ url: '/api/suppliers', headers: { authorization: 'Bearer not.a.token' } })
  t.equal(answer.headers['x-shopify-retry-invalid-session-request'], '1')
  t.notOk('x-platform-retry-invalid-session-request' in answer.headers)
})

t.test('createdBy of an order is the user of the token', async (t) => {
  const { app, db, alice } = await startApp(t)
  const headers = { authorization: `Bearer ${tokenOf(alice, { sub: 'user:7' })}` }
  const supplier = await app.inject({
    method: 'POST',
    url: '/api/suppliers',
    headers,
    payload: { name: 'Acme' },
  })
  const payload = { supplierId: supplier.json().data.id, lineItems: [] }
  await app.inject({ method: 'POST', url: '/api/purchase-orders', headers, payload })
  const orders = await db.any(sql.typeAlias('id')`
    select id from purchase_order where shop_id = ${alice.shopId} and created_by = 'user:7'
  `)
  t.equal(orders.length, 1)
})
