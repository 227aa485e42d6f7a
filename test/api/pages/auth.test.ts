import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { type DatabasePool, row, sql } from '../../../shared/db/db.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { startApp } from '../../support/core/app.ts'
import { testKeys } from '../../support/core/database.ts'
import { epochSeconds } from '../../support/core/instants.ts'
import { interceptRequests } from '../../support/platform/intercept.ts'

const intercept = interceptRequests(t)

let shops = 0
type Params = [string, string][]

/** The query of the platform's redirect back to the app: every parameter except the signature is signed. */
function signed(params: Params, secret = testKeys.PLATFORM_API_SECRET): string {
  const message = params
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  return `${message}&hmac=${createHmac('sha256', secret).update(message).digest('hex')}`
}

/** Starts an installation in a new shop up to the redirect to the platform. */
async function startInstallation(t: Test, env: Record<string, string> = {}) {
  const { app, db } = await startApp(t, { env })
  shops += 1
  const shop = `new-${process.pid}-${shops}.myshop.example`
  const answer = await app.inject(`/auth?shop=${shop}`)
  const { state, cookie } = readRedirect(answer)
  const params: Params = [
    ['code', 'a-code'],
    ['shop', shop],
    ['state', state],
    ['timestamp', String(epochSeconds())],
  ]
  return {
    app,
    db,
    shop,
    state,
    params,
    answer,
    finish: (query: string, cookies: string = cookie) => callback(app, query, cookies),
    /** Makes the platform answer the token request; a test that expects no request does not call it. */
    grant: (body: object = { access_token: 'granted-token', scope: 'read_products' }, status = 200) => {
      t.teardown(() => intercept.cleanAll())
      return intercept(`https://${shop}`).post('/admin/oauth/access_token').reply(status, body)
    },
    stored: () => storedToken(db, shop),
  }
}

function readRedirect(answer: LightMyRequestResponse) {
  const target = new URL(String(answer.headers.location))
  const cookie = String(answer.headers['set-cookie'])
  return { target, state: target.searchParams.get('state') ?? '', cookie: cookie.split(';')[0] ?? '' }
}

const callback = (app: FastifyInstance, query: string, cookie: string) =>
  app.inject({ url: `/auth/callback?${query}`, headers: { cookie } })

const storedToken = async (db: DatabasePool, shop: string) =>
  db.maybeOneFirst(sql.type(row(Type.Object({ accessToken: Type.String() })))`
    select c.access_token from shop s join shop_credential c on c.shop_id = s.id
    where s.domain = ${shop} and s.uninstalled_at is null
  `)

t.test('the app redirects the merchant to the platform with its id, scopes and state', async (t) => {
  const { answer, shop } = await startInstallation(t)
  t.equal(answer.statusCode, 302)
  const { target, state, cookie } = readRedirect(answer)
  t.equal(`${target.origin}${target.pathname}`, `https://${shop}/admin/oauth/authorize`)
  t.strictSame(Object.fromEntries(target.searchParams), {
    client_id: testKeys.PLATFORM_API_KEY,
    scope: 'read_products,read_inventory,write_inventory,read_locations,read_orders',
    redirect_uri: 'http://localhost/auth/callback',
    state,
  })
  t.match(state, /^[0-9a-f]{64}$/)
  t.equal(cookie, `quartermaster_installation=${state}`)
  t.match(answer.headers['set-cookie'], /HttpOnly; SameSite=Lax$/)
})

t.test('the cookie of an https site is Secure', async (t) => {
  const { answer } = await startInstallation(t, { APP_URL: 'https://quartermaster.example' })
  t.match(answer.headers['set-cookie'], /Secure/)
})

t.test('the callback installs the app and stores the token encrypted', async (t) => {
  const { shop, params, finish, grant, stored } = await startInstallation(t)
  const tokenRequest = grant()
  const answer = await finish(signed(params))
  t.ok(tokenRequest.isDone())
  t.equal(answer.statusCode, 302)
  t.equal(answer.headers.location, `https://${shop}/admin/apps/${testKeys.PLATFORM_API_KEY}`)
  const token = (await stored()) ?? ''
  t.notMatch(token, 'granted-token')
  t.equal(createTokenCipher(testKeys).open(token, shop), 'granted-token')
})

t.test('the app exchanges the code with its id and secret', async (t) => {
  const { shop, params, finish } = await startInstallation(t)
  const body = {
    client_id: testKeys.PLATFORM_API_KEY,
    client_secret: testKeys.PLATFORM_API_SECRET,
    code: 'a-code',
  }
  const tokenRequest = intercept(`https://${shop}`)
    .post('/admin/oauth/access_token', body)
    .reply(200, { access_token: 'x' })
  await finish(signed(params))
  t.ok(tokenRequest.isDone())
})

t.test('during a rotation the platform may sign with either secret', async (t) => {
  const previous = 'the-previous-secret-with-some-length'
  const { params, finish, grant, stored } = await startInstallation(t, {
    PLATFORM_API_SECRET_PREVIOUS: previous,
  })
  grant()
  await finish(signed(params, previous))
  t.ok(await stored())
})

t.test('a callback with one defect installs nothing and sends no request to the platform', async (t) => {
  const without = (params: Params, name: string) => params.filter(([parameter]) => parameter !== name)
  const put = (params: Params, name: string, value: string): Params => [
    ...without(params, name),
    [name, value],
  ]
  const late = String(epochSeconds() - 91)
  const broken: Record<string, (params: Params, state: string) => [query: string, cookie?: string]> = {
    'no parameters': () => [''],
    'no signature': (params) => [signed(params).replace(/&hmac=.*/, '')],
    'an empty signature': (params) => [signed(params).replace(/hmac=.*/, 'hmac=')],
    'another secret': (params) => [signed(params, 'another-secret')],
    'a signature in base64': (params) => [
      signed(params).replace(
        /hmac=(.*)/,
        (_, hex) => `hmac=${Buffer.from(hex, 'hex').toString('base64url')}`,
      ),
    ],
    'a parameter added': (params) => [`${signed(params)}&extra=1`],
    'a parameter removed': (params) => [signed(params).replace(/&timestamp=\d+/, '')],
    'a parameter changed': (params) => [signed(params).replace('code=a-code', 'code=b-code')],
    'a parameter repeated': (params) => [`${signed(params)}&shop=${params[1]?.[1]}`],
    'a parameter repeated and signed': (params) => [signed([...params, ['state', 'x']])],
    'the signature repeated': (params) => [`${signed(params)}&hmac=00`],
    'no code': (params) => [signed(without(params, 'code'))],
    'no state': (params) => [signed(without(params, 'state'))],
    'no shop': (params) => [signed(without(params, 'shop'))],
    'an evil suffix': (params) => [signed(put(params, 'shop', `${params[1]?.[1]}.evil.example`))],
    'a shop with a path': (params) => [signed(put(params, 'shop', `${params[1]?.[1]}/x`))],
    'an upper-case shop': (params) => [signed(put(params, 'shop', String(params[1]?.[1]).toUpperCase()))],
    'another shop': (params) => [signed(put(params, 'shop', 'other.myshop.example'))],
    'a made-up state': (params) => [
      signed(put(params, 'state', 'a'.repeat(64))),
      `quartermaster_installation=${'a'.repeat(64)}`,
    ],
    'no cookie': (params) => [signed(params), 'other=1'],
    'the cookie of another browser': (params) => [
      signed(params),
      `quartermaster_installation=${'b'.repeat(64)}`,
    ],
    'signed too long ago': (params) => [signed(put(params, 'timestamp', late))],
    'an invalid time': (params) => [signed(put(params, 'timestamp', 'now'))],
  }
  for (const [name, breakIt] of Object.entries(broken)) {
    const { params, state, finish, stored } = await startInstallation(t)
    const answer = await finish(...breakIt(params, state))
    t.ok([400, 401].includes(answer.statusCode), `${name}: ${answer.statusCode}`)
    t.match(answer.headers['content-type'], 'text/html')
    t.match(answer.headers['content-security-policy'], "frame-ancestors 'none'")
    t.equal(await stored(), null, name)
  }
})

t.test('parameters may come in any order', async (t) => {
  const { params, finish, grant, stored } = await startInstallation(t)
  grant()
  await finish(signed(params).split('&').reverse().join('&'))
  t.ok(await stored())
})

t.test('a state is valid once, for ten minutes', async (t) => {
  const first = await startInstallation(t)
  first.grant()
  t.equal((await first.finish(signed(first.params))).statusCode, 302)
  t.equal((await first.finish(signed(first.params))).statusCode, 400, 'a second time')

  const late = await startInstallation(t)
  await late.db.query(sql.typeAlias('void')`
    update oauth_state set created_at = created_at - interval '11 minutes' where shop_domain = ${late.shop}
  `)
  t.equal((await late.finish(signed(late.params))).statusCode, 400)
  t.equal(await late.stored(), null)
})

t.test('a shop without a token from the platform is not installed', async (t) => {
  for (const [status, body] of [
    [400, { error: 'invalid_request' }],
    [200, { error: 'none' }],
    [200, 'not json'],
    [500, {}],
    [302, {}],
  ] as const) {
    const { params, finish, grant, stored } = await startInstallation(t)
    grant(body as object, status)
    const answer = await finish(signed(params))
    t.equal(answer.statusCode, 502, `${status}`)
    t.equal(await stored(), null)
  }
})

t.test(
  'a second installation replaces the token, and one after an uninstallation creates a new shop',
  async (t) => {
    const { app, db, shop, params, finish, grant, stored } = await startInstallation(t)
    const ids = () => db.anyFirst(sql.typeAlias('id')`select id from shop where domain = ${shop} order by id`)
    const again = async (token: string) => {
      const { state, cookie } = readRedirect(await app.inject(`/auth?shop=${shop}`))
      grant({ access_token: token })
      return callback(app, signed([...params.filter(([name]) => name !== 'state'), ['state', state]]), cookie)
    }
    grant()
    await finish(signed(params))
    await again('second-token')
    t.equal((await ids()).length, 1)
    t.equal(createTokenCipher(testKeys).open((await stored()) ?? '', shop), 'second-token')

    await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where domain = ${shop}`)
    await again('third-token')
    t.equal((await ids()).length, 2)
    t.equal(createTokenCipher(testKeys).open((await stored()) ?? '', shop), 'third-token')
  },
)

t.test('a link without a valid shop or signature is refused', async (t) => {
  const { app } = await startInstallation(t)
  const shop = 'some.myshop.example'
  for (const query of [
    '',
    'shop=',
    'shop=evil.example',
    `shop=${shop}.evil.example`,
    `shop=${shop}&shop=${shop}`,
    `shop=SOME.myshop.example`,
    `shop=https://${shop}`.replace('https://', 'http://'),
    `shop=${shop}%0d%0aHost:evil`,
    `shop=${shop}&hmac=00`,
    signed([['shop', shop]], 'another-secret'),
    signed([
      ['shop', shop],
      ['timestamp', '1'],
    ]),
  ]) {
    const answer = await app.inject(`/auth?${query}`)
    t.equal(answer.statusCode, 400, query)
    t.equal(answer.headers.location, undefined)
  }
  t.equal((await app.inject(`/auth?${signed([['shop', shop]])}`)).statusCode, 302)
})

t.test('the page of a shop redirects to the installation and leaves the frame first', async (t) => {
  const { app, shop, params, finish, grant } = await startInstallation(t)
  t.equal((await app.inject(`/?shop=${shop}`)).headers.location, `/auth?shop=${shop}`)
  const framed = await app.inject(`/?shop=${shop}&embedded=1`)
  t.match(framed.body, `<a id="leave" href="/auth?shop=${shop}" target="_top">`)
  t.match(framed.headers['content-security-policy'], `frame-ancestors https://${shop}`)
  t.equal(framed.headers['x-frame-options'], undefined)

  grant()
  await finish(signed(params))
  t.match((await app.inject(`/?shop=${shop}`)).body, 'platform-api-key')
  const unknown = await app.inject('/?shop=evil.example')
  t.equal(unknown.statusCode, 400)
  t.match(unknown.headers['content-security-policy'], "frame-ancestors 'none'")
})
