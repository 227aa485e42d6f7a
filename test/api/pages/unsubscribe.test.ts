import t from 'tap'
import { createUnsubscribeTokens } from '../../../shared/unsubscribe-token.ts'
import { startApp } from '../../support/core/app.ts'
import { testKeys } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'

const buyer = 'buyer@kestrel.example.com'
const owner = 'owner+digest@kestrel.example.com'
const { sign } = createUnsubscribeTokens(testKeys)

const addressOf = (token: string) => `/unsubscribe?${new URLSearchParams({ token })}`
const settingsOf = async (person: Person) => (await person.get('/api/digest')).json().data
const turnOn = (person: Person) => person.put('/api/digest', { enabled: true, recipients: [buyer, owner] })
const oneClick = {
  payload: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
} as const

t.test(
  'one click in a mail program removes that recipient, and the last one turns the digest off',
  async (t) => {
    const { app, alice, mallory } = await startApp(t)
    for (const person of [alice, mallory]) await turnOn(person)
    const unsubscribe = (recipient: string) =>
      app.inject({ method: 'POST', url: addressOf(sign({ shopId: alice.shopId, recipient })), ...oneClick })

    const response = await unsubscribe(owner)
    t.equal(response.statusCode, 200)
    t.match(response.body, /owner\+digest@kestrel\.example\.com no longer receives/)
    t.match(await settingsOf(alice), { enabled: true, recipients: [buyer] })
    t.equal((await unsubscribe(owner)).statusCode, 200, 'again')
    t.match(await settingsOf(alice), { enabled: true, recipients: [buyer] })
    await unsubscribe(buyer)
    t.match(await settingsOf(alice), { enabled: false, recipients: [] })
    t.match(
      await settingsOf(mallory),
      { enabled: true, recipients: [buyer, owner] },
      'another shop is unchanged',
    )
  },
)

t.test('the link opens a page with a button, and opening it changes nothing', async (t) => {
  const { app, alice } = await startApp(t)
  await turnOn(alice)
  const token = sign({ shopId: alice.shopId, recipient: owner })
  const response = await app.inject(addressOf(token))
  t.equal(response.statusCode, 200)
  t.match(response.headers, {
    'content-type': /^text\/html/,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': /form-action 'self'; frame-ancestors 'none'/,
  })
  t.match(response.body, /<form method="post" action="\/unsubscribe\?token=[\w.-]+">/)
  t.match(await settingsOf(alice), { enabled: true, recipients: [buyer, owner] })
  // the button sends an empty form
  const form = { payload: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  t.equal((await app.inject({ method: 'POST', url: addressOf(token), ...form })).statusCode, 200)
  t.match(await settingsOf(alice), { recipients: [buyer] })
})

t.test('a mail program may send the form as multipart', async (t) => {
  const { app, alice } = await startApp(t)
  await turnOn(alice)
  const response = await app.inject({
    method: 'POST',
    url: addressOf(sign({ shopId: alice.shopId, recipient: buyer })),
    payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  t.equal(response.statusCode, 200)
  t.match(await settingsOf(alice), { recipients: [owner] })
})

t.test('forged and broken tokens are refused, and change nothing', async (t) => {
  const { app, alice, mallory } = await startApp(t)
  await turnOn(alice)
  const token = sign({ shopId: alice.shopId, recipient: buyer })
  const [payload = '', signature = ''] = token.split('.')
  const other = createUnsubscribeTokens({
    TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 'another').toString('base64'),
  })
  const ofMallory = sign({ shopId: mallory.shopId, recipient: buyer })
  const forged = [
    '',
    '.',
    payload,
    `${payload}.`,
    `${payload}.${signature}.x`,
    `${payload}.${signature.slice(0, -2)}`,
    `${payload}.${'A'.repeat(signature.length)}`,
    `${payload}.${ofMallory.split('.')[1]}`,
    `${Buffer.from(JSON.stringify([alice.shopId, owner])).toString('base64url')}.${signature}`,
    other.sign({ shopId: alice.shopId, recipient: buyer }),
    'é'.repeat(50),
  ]
  for (const text of forged) {
    for (const method of ['GET', 'POST'] as const) {
      const response = await app.inject({ method, url: addressOf(text), ...(method === 'POST' && oneClick) })
      t.equal(response.statusCode, 400, `${method} ${text}`)
    }
  }
  for (const query of ['', '?token=a&token=b']) {
    t.equal((await app.inject({ method: 'POST', url: `/unsubscribe${query}`, ...oneClick })).statusCode, 400)
  }
  t.equal((await app.inject({ method: 'POST', url: addressOf(ofMallory), ...oneClick })).statusCode, 200)
  t.match(
    await settingsOf(alice),
    { enabled: true, recipients: [buyer, owner] },
    "a token of mallory's shop too",
  )
})

t.test('a token of the key before is still valid', async (t) => {
  const newKey = Buffer.alloc(32, 'a new key').toString('base64')
  const rotated = createUnsubscribeTokens({
    TOKEN_ENCRYPTION_KEYS: `${newKey},${testKeys.TOKEN_ENCRYPTION_KEYS}`,
  })
  const subscription = { shopId: 1, recipient: buyer }
  t.strictSame(rotated.read(sign(subscription)), subscription)
  t.not(rotated.sign(subscription), sign(subscription))
  t.end()
})

t.test('a large body is refused', async (t) => {
  const { app, alice } = await startApp(t)
  await turnOn(alice)
  const response = await app.inject({
    method: 'POST',
    url: addressOf(sign({ shopId: alice.shopId, recipient: buyer })),
    payload: 'x'.repeat(5_000),
    headers: oneClick.headers,
  })
  t.equal(response.statusCode, 413)
  t.match(await settingsOf(alice), { recipients: [buyer, owner] })
})
