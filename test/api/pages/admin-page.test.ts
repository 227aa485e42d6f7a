import t from 'tap'
import { startApp } from '../../support/core/app.ts'

const bridge = 'https://platform.example/app-bridge.js'

t.test('an installed shop gets the admin, for the frame of its own admin only', async (t) => {
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
  const [one, other] = await Promise.all([1, 2].map(() => app.inject(`/?shop=${alice.shopDomain}`)))
  t.not(
    one?.headers['content-security-policy'],
    other?.headers['content-security-policy'],
    'a nonce is used once',
  )
})

t.test('the page loads the platform’s script before ours and holds no script itself', async (t) => {
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

t.test('what it loads is kept for good, as small as the browser takes it', async (t) => {
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
    t.equal((await app.inject(url)).headers['content-encoding'], undefined, 'or as it is')
  }
  t.equal((await app.inject('/assets/none.js')).statusCode, 404)
  t.equal((await app.inject('/assets/../.vite/manifest.json')).statusCode, 404)
})

t.test(
  'a shop that has not installed the app gets the installation, on every address of the admin',
  async (t) => {
    const { app } = await startApp(t)
    for (const path of ['/', '/purchase-orders/5']) {
      const answer = await app.inject(`${path}?shop=nobody.myshop.example`)
      t.equal(answer.statusCode, 302, path)
      t.equal(answer.headers.location, '/auth?shop=nobody.myshop.example')
    }
  },
)

t.test('without a valid shop nobody may frame it, and an unknown address is nothing', async (t) => {
  const { app, alice } = await startApp(t)
  for (const query of ['', '?shop=evil.example', '?shop=a.myshop.example%20https://evil.example']) {
    const answer = await app.inject(`/suppliers${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.headers['content-security-policy'], "frame-ancestors 'none'")
  }
  t.equal((await app.inject(`/nowhere?shop=${alice.shopDomain}`)).statusCode, 404)
})

t.test('a person who goes to an address that leads nowhere is told so, also in the frame', async (t) => {
  const { app, alice } = await startApp(t)
  const headers = { 'sec-fetch-mode': 'navigate' }
  const framed = await app.inject({ url: `/nowhere?shop=${alice.shopDomain}&embedded=1`, headers })
  t.equal(framed.statusCode, 404)
  t.match(framed.body, `<a href="/?shop=${alice.shopDomain}&amp;embedded=1">To the start</a>`)
  t.match(framed.headers['content-security-policy'], `frame-ancestors https://${alice.shopDomain}`)
  const alone = await app.inject({ url: '/nowhere?shop=evil.example', headers })
  t.match(alone.headers['content-security-policy'], "frame-ancestors 'none'")
  t.notMatch(alone.body, 'evil.example')
  const program = await app.inject('/nowhere')
  t.match(program.json(), { error: { code: 'not_found' } })
})
