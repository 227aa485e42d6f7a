import { jwtVerify } from 'jose'
import t from 'tap'
import { mintSessionToken } from '../../../dev/simulator/session-token.ts'
import { keys, startSimulator } from './simulator.ts'

const shop = 'demo.myshop.example'
const secret = new TextEncoder().encode(keys.apiSecret)

t.test('a token names the shop, app and user, and is valid for one minute', async (t) => {
  const token = await mintSessionToken({ ...keys, shop, userId: '42' })
  const { payload, protectedHeader } = await jwtVerify(token, secret)
  t.equal(protectedHeader.alg, 'HS256')
  t.match(payload, {
    iss: `https://${shop}/admin`,
    dest: `https://${shop}`,
    aud: keys.apiKey,
    sub: '42',
    jti: /^[0-9a-f-]{36}$/,
    sid: String,
    nbf: payload.iat,
  })
  t.equal((payload.exp ?? 0) - (payload.iat ?? 0), 60)
})

t.test('the simulator issues tokens as JSON and as plain text', async (t) => {
  const { platform } = await startSimulator(t)
  const address = `${platform.url}/shops/${shop}/session-token`

  const { token }: { token: string } = JSON.parse(await (await fetch(`${address}?minutes=60`)).text())
  const { payload } = await jwtVerify(token, secret)
  t.equal((payload.exp ?? 0) - (payload.iat ?? 0), 3600)

  for (const response of [
    await fetch(address, { headers: { accept: 'text/plain' } }),
    await fetch(`${address}.txt`),
  ]) {
    t.match(response.headers.get('content-type'), 'text/plain')
    await t.resolves(jwtVerify(await response.text(), secret))
  }
})

t.test('invalid shops and long lifetimes are refused', async (t) => {
  const { platform } = await startSimulator(t)
  t.equal((await fetch(`${platform.url}/shops/Nonsense!/session-token`)).status, 400)
  t.equal((await fetch(`${platform.url}/shops/${shop}/session-token?minutes=61`)).status, 400)
})

t.test('requests with another host name are refused', async (t) => {
  const { platform } = await startSimulator(t)
  const { request } = await import('node:http')
  const status = await new Promise((done) => {
    request(`${platform.url}/shops/${shop}/session-token`, { headers: { host: 'evil.example' } })
      .on('response', (response) => done(response.resume().statusCode))
      .end()
  })
  t.equal(status, 421)
})
