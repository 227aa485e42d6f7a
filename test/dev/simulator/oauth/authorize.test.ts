import t from 'tap'
import { instantIn } from '../../../support/core/instants.ts'
import { appUrl, authorizeQuery, authorizeUrl, demo, hmacOf, postToken, pressInstall } from '../app.ts'
import { startSimulator } from '../simulator.ts'

const follow = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

t.test('a merchant sees the requested permissions and installs the app', async (t) => {
  const { platform } = await startSimulator(t, { appUrl })
  const page = await follow(authorizeUrl(platform))
  t.equal(page.status, 200)
  t.match(page.text, 'Change stock levels')
  t.notMatch(page.text, 'See stock levels', 'write scopes imply read scopes')
  t.match(page.headers.get('content-security-policy'), "form-action 'self' http://localhost:4555")
  t.match(page.headers.get('content-security-policy'), "frame-ancestors 'none'")

  const back = await pressInstall(platform)
  t.equal(back.origin + back.pathname, `${appUrl}/auth/callback`)
  t.match(Object.fromEntries(back.searchParams), {
    code: /^[0-9a-f]{32}$/,
    shop: demo,
    state: 'state-1',
    timestamp: /^\d{10}$/,
    host: Buffer.from(`${demo}/admin`).toString('base64url'),
  })
  t.equal(back.searchParams.get('hmac'), hmacOf(back))

  t.notOk(platform.shops.get(demo).access.isInstalled())
  const { status, body } = await postToken(platform, { code: back.searchParams.get('code') })
  t.equal(status, 200)
  t.strictSame(Object.keys(body), ['access_token', 'scope'])
  t.equal(body.scope, 'read_locations,read_orders,read_products,write_inventory')
  t.ok(platform.shops.get(demo).access.isInstalled())
  t.strictSame(platform.shops.get(demo).tokens(), [body.access_token])
})

t.test('a state with special characters is returned unchanged and covered by the hmac', async (t) => {
  const { platform } = await startSimulator(t)
  const state = `a&b=c/ü +%'`
  const back = await pressInstall(platform, { ...authorizeQuery, state })
  t.equal(back.searchParams.get('state'), state)
  t.equal(back.searchParams.get('hmac'), hmacOf(back))
})

t.test('approve=auto and autoApprove skip the consent page', async (t) => {
  const { platform } = await startSimulator(t)
  const approved = await follow(authorizeUrl(platform, { ...authorizeQuery, approve: 'auto' }))
  t.equal(approved.status, 302)
  t.match(approved.headers.get('location'), /^http:\/\/localhost:4555\/auth\/callback\?code=/)
  const { platform: always } = await startSimulator(t, { autoApprove: true })
  t.equal((await follow(authorizeUrl(always))).status, 302)
})

t.test('an invalid request shows no consent page', async (t) => {
  const { platform } = await startSimulator(t)
  platform.setAppUrl(appUrl)
  const invalid = {
    'another app': { client_id: 'other' },
    'an invalid address': { redirect_uri: 'nonsense' },
    'another origin': { redirect_uri: 'http://evil.example/auth/callback' },
    'an origin with the same prefix': { redirect_uri: 'http://localhost:4555.evil.example/' },
    'an address with a user name': { redirect_uri: 'http://localhost:4555@evil.example/' },
    'a script': { redirect_uri: 'javascript:alert(1)' },
    'an unknown scope': { scope: 'read_minds' },
  }
  for (const [name, change] of Object.entries(invalid)) {
    const query = { ...authorizeQuery, ...change }
    t.equal((await follow(authorizeUrl(platform, query))).status, 400, name)
    t.equal((await follow(authorizeUrl(platform, { ...query, approve: 'auto' }))).status, 400, name)
  }
  t.equal((await follow(authorizeUrl(platform, authorizeQuery, 'none.myshop.example'))).status, 404)
  const evil = await follow(authorizeUrl(platform, { ...authorizeQuery, state: '"><script>' }))
  t.notMatch(evil.text, '<script')
})

t.test('a page of another site cannot submit the consent form', async (t) => {
  const { platform } = await startSimulator(t)
  const submit = (site: string) =>
    follow(`${platform.url}/shops/${demo}/admin/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams(authorizeQuery),
      headers: { 'sec-fetch-site': site },
    })
  t.equal((await submit('cross-site')).status, 403)
  t.equal((await submit('same-origin')).status, 302)
})

t.test('a code can be used once, in its shop, with the secret', async (t) => {
  const { platform } = await startSimulator(t)
  platform.shops.add({ domain: 'other.myshop.example', generated: { products: 1 } })
  const code = (await pressInstall(platform)).searchParams.get('code')
  const wrongSecret = await postToken(platform, { code, client_secret: 'wrong' })
  t.match(wrongSecret, { status: 400, body: { error: 'invalid_client', error_description: String } })
  t.equal((await postToken(platform, { code }, 'other.myshop.example')).status, 400)
  t.equal((await postToken(platform, { code })).status, 200)
  t.match(await postToken(platform, { code }), {
    status: 400,
    body: {
      error: 'invalid_request',
      error_description: 'The authorization code was not found or was already used',
    },
  })
  t.equal((await postToken(platform, { code: 5 })).status, 400)
  t.equal((await postToken(platform, {})).status, 400)
  t.equal((await postToken(platform, { grant_type: 'password' })).body.error, 'unsupported_grant_type')
})

t.test('a code expires after ten minutes', async (t) => {
  const { platform } = await startSimulator(t)
  const shop = platform.shops.get(demo)
  const earliest = instantIn(600_000).getTime()
  const code = shop.access.issueCode([])
  const [stored] = shop.state.access.codes
  const expiresAt = stored?.expiresAt ?? 0
  t.ok(expiresAt >= earliest && expiresAt <= instantIn(600_000).getTime())
  if (stored) stored.expiresAt = instantIn(-1).getTime()
  t.equal((await postToken(platform, { code })).status, 400)
})

t.test('an expiring token comes with a refresh token that can be used once', async (t) => {
  const { platform } = await startSimulator(t)
  const shop = platform.shops.get(demo)
  const code = shop.access.issueCode(['read_products'])
  const first = (await postToken(platform, { code, expiring: '1' })).body
  t.match(first, { expires_in: 3600, refresh_token: String, refresh_token_expires_in: 7_776_000 })
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  const second = await postToken(platform, refresh)
  t.match(second, { status: 200, body: { scope: 'read_products', expires_in: 3600, refresh_token: String } })
  t.not(second.body.access_token, first.access_token)
  t.match(await postToken(platform, refresh), { status: 400, body: { error: 'invalid_grant' } })
  t.equal(shop.tokens().length, 2)
  for (const token of shop.state.access.tokens) token.expiresAt = instantIn(-1).getTime()
  t.strictSame(shop.tokens(), [])
})

t.test('uninstalling revokes all tokens', async (t) => {
  const { platform } = await startSimulator(t)
  const shop = platform.shops.get(demo)
  const token = shop.install()
  t.ok(shop.access.scopesOf(token))
  shop.uninstall()
  t.equal(shop.access.scopesOf(token), undefined)
  t.strictSame([shop.tokens(), shop.access.isInstalled()], [[], false])
})

t.test('scripted faults apply to token requests', async (t) => {
  const { platform } = await startSimulator(t)
  const code = platform.shops.get(demo).access.issueCode([])
  platform.faults.set({ tokens: [{ fault: 'answer-503' }, { fault: 'answer-429' }, { fault: 'drop' }] })
  t.equal((await postToken(platform, { code })).status, 503)
  t.equal((await postToken(platform, { code })).status, 429)
  await t.rejects(postToken(platform, { code }), /fetch failed/)
  platform.faults.set({ tokens: [{ fault: 'accept-drop' }] })
  await t.rejects(postToken(platform, { code }), /fetch failed/)
  t.ok(platform.shops.get(demo).access.isInstalled())
  t.equal((await postToken(platform, { code })).status, 400, 'the code was used already')
})
