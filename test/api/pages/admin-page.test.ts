import t from 'tap'
import { startApp } from '../../support/core/app.ts'

const bridge = 'https://platform.example/app-bridge.js'

t.test('an installed shop gets the admin, which only its platform admin may frame', async (t) => {
  const { app, alice } = await startApp(t)
  for (const path of ['/', '/purchase-orders', '/purchase-orders/5/receive', '/suppliers/7']) {
    const answer = await app.inject(`${path}?shop=${alice.shopDomain}&embedded=1`)
    t.equal(answer.statusCode, 200, path)
    t.match(answer.headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    const policy = String(answer.headers['content-security-policy'])
    t.match(policy, `frame-ancestors https://${alice.shopDomain}`)
    t.match(policy, "script-src 'self' https://platform.example;")
    t.match(policy, "connect-src 'self';")
    t.notMatch(policy, 'unsafe')
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    t.match(answer.body, `nonce="${nonce}"`)
  }
  const [first, second] = await Promise.all([1, 2].map(() => app.inject(`/?shop=${alice.shopDomain}`)))
  t.not(
    first?.headers['content-security-policy'],
    second?.headers['content-security-policy'],
    'every response has a new nonce',
  )
})

t.test('the page loads the platform’s script before ours and contains no inline script', async (t) => {
  const { app, alice } = await startApp(t)
  const { body } = await app.inject(`/?shop=${alice.shopDomain}`)
  const scripts = [...body.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
  t.match(scripts[0]?.[1], `src="${bridge}"`)
  t.match(scripts[1]?.[1], /type="module" .*src="\/assets\/[\w-]+\.js"/)
  t.equal(scripts.length, 2)
  for (const [, , text] of scripts) t.equal(text, '')
  t.match(body, '<meta name="platform-api-key" content="test-api-key">')
  t.match(body, '<meta name="page-global" content="platform">')
  t.notMatch(body, 'test-api-secret')
})

t.test('assets are cached permanently and compressed as the browser accepts', async (t) => {
  const { app, alice } = await startApp(t)
  const { body } = await app.inject(`/?shop=${alice.shopDomain}`)
  const addresses = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address = '']) => address)
  t.ok(addresses.length >= 2)
  for (const url of addresses) {
    const answer = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    t.equal(answer.statusCode, 200, url)
    t.match(answer.headers, {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': url.endsWith('.css') ? /text\/css/ : /javascript/,
    })
    t.equal(
      (await app.inject(url)).headers['content-encoding'],
      undefined,
      'the file is sent uncompressed without Accept-Encoding',
    )
  }
  t.equal((await app.inject('/assets/none.js')).statusCode, 404)
  t.equal((await app.inject('/assets/../.vite/manifest.json')).statusCode, 404)
})

t.test('every admin path of a shop without the app redirects to the installation', async (t) => {
  const { app } = await startApp(t)
  for (const path of ['/', '/purchase-orders/5']) {
    const answer = await app.inject(`${path}?shop=unknown.myshop.example`)
    t.equal(answer.statusCode, 302, path)
    t.equal(answer.headers.location, '/auth?shop=unknown.myshop.example')
  }
})

t.test('a page without a valid shop cannot be framed, and an unknown path is not found', async (t) => {
  const { app, alice } = await startApp(t)
  for (const query of ['', '?shop=evil.example', '?shop=a.myshop.example%20https://evil.example']) {
    const answer = await app.inject(`/suppliers${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.headers['content-security-policy'], "frame-ancestors 'none'")
  }
  t.equal((await app.inject(`/unknown?shop=${alice.shopDomain}`)).statusCode, 404)
})

t.test('a browser gets an HTML page for an unknown path, inside and outside the frame', async (t) => {
  const { app, alice } = await startApp(t)
  const headers = { 'sec-fetch-mode': 'navigate' }
  const framed = await app.inject({ url: `/unknown?shop=${alice.shopDomain}&embedded=1`, headers })
  t.equal(framed.statusCode, 404)
  t.match(framed.body, `<a href="/?shop=${alice.shopDomain}&amp;embedded=1">Go to the start page</a>`)
  t.match(framed.headers['content-security-policy'], `frame-ancestors https://${alice.shopDomain}`)
  const unframed = await app.inject({ url: '/unknown?shop=evil.example', headers })
  t.match(unframed.headers['content-security-policy'], "frame-ancestors 'none'")
  t.notMatch(unframed.body, 'evil.example')
  const api = await app.inject('/unknown')
  t.match(api.json(), { error: { code: 'not_found' } })
})
