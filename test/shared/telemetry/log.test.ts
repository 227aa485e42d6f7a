import { spawnSync } from 'node:child_process'
import t from 'tap'
import { createLog, type Log } from '../../../shared/telemetry/log.ts'
import { captureLog, startApp } from '../../support/core/app.ts'
import { testConfig } from '../../support/core/database.ts'
import { deliver, sign } from '../../support/platform/webhooks.ts'

const config = testConfig('postgres://app:database-%22word%22@db.example.com/quartermaster', {
  LOG_LEVEL: 'info',
  PLATFORM_API_SECRET: 'planted-api-secret',
  PLATFORM_API_SECRET_PREVIOUS: 'planted-"previous"-\\secret',
  TOKEN_ENCRYPTION_KEYS: [Buffer.alloc(32, 3), Buffer.alloc(32, 4)]
    .map((key) => key.toString('base64'))
    .join(','),
  POSTMARK_SERVER_TOKEN: 'planted-server-token',
})

/** The log lines that `write` causes; each must be JSON. */
function logged(write: (log: Log) => void): string {
  const lines: string[] = []
  write(createLog(config, 'web', { write: (line) => lines.push(line) }))
  for (const line of lines) JSON.parse(line)
  return lines.join('')
}

const planted = 'planted-access-token'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJwbGFudGVkIjoxfQ.planted-signature'

t.test('a token does not reach the log from any part of a line', async (t) => {
  const ways: Record<string, (log: Log) => void> = {
    'a bearer token in the message': (log) => log.info(`refused Bearer ${jwt}`),
    'a bearer token in quotes': (log) => log.info(`refused "Bearer ${planted}", and more`),
    'a bearer token in lower case': (log) => log.info(`authorization: bearer ${planted}`),
    'a session token on its own': (log) => log.info(`refused ${jwt}`),
    'the headers of a request': (log) => log.info({ headers: { authorization: `Bearer ${planted}` } }),
    'nested headers': (log) => log.info({ req: { headers: { cookie: planted } } }),
    'deeply nested headers': (log) =>
      log.info({ a: { b: { headers: { 'X-Platform-Access-Token': planted } } } }),
    'another authorization scheme': (log) => log.info({ a: { b: { authorization: `Token ${planted}` } } }),
    'a token field': (log) => log.info({ accessToken: planted }),
    'a deeply nested token field': (log) =>
      log.info({ a: { b: [{ access_token: planted, refresh_token: planted }] } }),
    'JSON in a message': (log) => log.info(`answered ${JSON.stringify({ access_token: planted })}`),
    'a payload': (log) => log.info({ job: { payload: { token: planted } } }),
    'an error': (log) => log.error(new Error(`Bearer ${jwt} is refused`)),
    'an error under its name': (log) => log.error({ err: new Error(`Bearer ${jwt} is refused`) }, 'failed'),
    'the cause of an error': (log) =>
      log.error({ err: new Error('failed', { cause: new Error(`Bearer ${jwt}`) }) }),
    'a property of an error': (log) =>
      log.error({ err: Object.assign(new Error('failed'), { config: { token: planted } }) }),
    'a thrown value that is not an error': (log) => log.error({ err: `Bearer ${planted}` }),
    'the query string of an address': (log) => log.info({ url: `/auth/callback?code=${planted}&hmac=1` }),
    'the query string in an error': (log) =>
      log.error(new Error(`GET https://app.example.com/auth/callback?hmac=1&code=${planted} failed`)),
    'a parsed query': (log) => log.info({ query: { code: planted } }),
    'a parsed query of a request': (log) => log.info({ req: { query: { code: planted } } }),
  }
  for (const [name, write] of Object.entries(ways)) {
    const text = logged(write)
    t.match(text, /secret\]|Redacted|failed/, `${name} is logged`)
    t.notMatch(text, /planted|eyJ/, name)
  }
})

t.test('the secrets of the process do not reach the log in any encoding', async (t) => {
  const secrets = {
    PLATFORM_API_SECRET: config.PLATFORM_API_SECRET,
    PLATFORM_API_SECRET_PREVIOUS: config.PLATFORM_API_SECRET_PREVIOUS ?? '',
    POSTMARK_SERVER_TOKEN: config.POSTMARK_SERVER_TOKEN ?? '',
    'the first encryption key': config.TOKEN_ENCRYPTION_KEYS.split(',')[0] ?? '',
    'the second encryption key': config.TOKEN_ENCRYPTION_KEYS.split(',')[1] ?? '',
    'the password of the database': 'database-"word"',
  }
  for (const [name, secret] of Object.entries(secrets)) {
    t.not(secret, '')
    for (const text of [
      logged((log) => log.info(`it is ${secret}.`)),
      logged((log) => log.info({ deep: { in: ['a', { field: `it is ${secret}.` }] } })),
      logged((log) => log.error(new Error(`it is ${secret}.`))),
      logged((log) => log.info(`https://app.example.com/${encodeURIComponent(secret)}`)),
    ]) {
      t.notOk(text.includes(secret), name)
      t.notOk(text.includes(JSON.stringify(secret).slice(1, -1)), `${name}, escaped`)
      t.notOk(text.includes(encodeURIComponent(secret)), `${name}, in an address`)
    }
  }
})

t.test('the password of an address does not reach the log', async (t) => {
  const text = logged((log) => {
    log.info(config.DATABASE_URL)
    log.error(new Error('cannot reach postgres://other:planted-word@db.example.com/other'))
  })
  t.notMatch(text, /planted|database-%22/)
  t.match(text, 'postgres://other:[secret]@db.example.com/other', 'the rest of the address stays')
})

t.test('a line without secrets is unchanged', async (t) => {
  const line = JSON.parse(
    logged((log) =>
      log.info({ shop: 5, note: 'is it "late"? yes, a=b', at: 'https://x.example/a/b' }, 'sent'),
    ),
  )
  const { level, time, pid, ...rest } = line
  t.match({ level, time, pid }, { level: 30, time: Number, pid: process.pid })
  t.strictSame(rest, {
    process: 'web',
    shop: 5,
    note: 'is it "late"? yes, a=b',
    at: 'https://x.example/a/b',
    msg: 'sent',
  })
})

t.test('an error keeps its code and its stack', async (t) => {
  const err = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const line = JSON.parse(logged((log) => log.error({ err })))
  t.match(line.err, { type: 'Error', message: 'refused', code: 'ECONNREFUSED', stack: /log\.test/ })
})

t.test('a request is logged in one line without its query string', async (t) => {
  const captured = await captureLog()
  const { alice } = await startApp(t, { log: captured.log })
  await alice.get('/api/suppliers?limit=7&planted=planted')
  await alice.get('/api/suppliers/4711')
  await alice.get('/nowhere?planted=planted')
  const [refused, missing, unknown, ...more] = captured.lines()
  const request = { msg: 'request', method: 'GET', ms: Number }
  t.match(refused, { ...request, status: 400, route: '/api/suppliers', shop: alice.shopId })
  t.match(missing, { ...request, status: 404, route: '/api/suppliers/:id', shop: alice.shopId })
  t.match(unknown, { ...request, status: 404, route: 'unknown' })
  t.strictSame(more, [])
  t.notMatch(captured.text(), /planted|limit=7|4711/)
  t.notOk(captured.text().includes(alice.token))
})

t.test('a webhook is logged in one line with its outcome', async (t) => {
  const captured = await captureLog()
  const { app, alice } = await startApp(t, { log: captured.log })
  const order = sign(alice, 'orders/create', { note: 'planted' })
  await deliver(app, order)
  await deliver(app, order)
  await deliver(app, sign(alice, 'carts/create', {}))
  await deliver(app, sign(alice, 'orders/create', {}, { 'x-platform-hmac-sha256': 'planted' }))
  const request = { msg: 'request', method: 'POST', route: '/webhooks', status: 200, ms: Number }
  const named = { ...request, shopDomain: alice.shopDomain }
  t.match(captured.lines(), [
    { ...named, topic: 'ORDERS_CREATE', reception: 'stored' },
    { ...named, topic: 'ORDERS_CREATE', reception: 'duplicate' },
    { ...named, topic: 'CARTS_CREATE', reception: 'not processed' },
  ])
  const [, , , unsigned, ...more] = captured.lines()
  t.match(unsigned, { ...request, status: 401, reception: 'not signed' })
  t.notOk(unsigned?.shopDomain, 'an unsigned webhook does not name a shop')
  t.strictSame(more, [])
  t.notMatch(captured.text(), 'planted')
})

t.test('a process that ends writes all its lines in their order', (t) => {
  for (const name of ['web', 'worker']) {
    // Node writes lines in the threads that the hashes use, for some 20 ms: the process waits for a second at most
    const script = `
      import { pbkdf2 } from 'node:crypto'
      import { createLog, flushLog } from './shared/telemetry/log.ts'
      import { testConfig } from './test/support/core/database.ts'
      const log = createLog(testConfig('postgres://app@localhost/app', { LOG_LEVEL: 'info' }), '${name}')
      for (let thread = 0; thread < 4; thread += 1) pbkdf2('a', 'b', 20_000, 64, 'sha512', () => {})
      log.info('first')
      log.flush()
      log.info('last')
      await flushLog(log)
      process.exit()`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      encoding: 'utf8',
    })
    const lines = stdout.trim().split('\n')
    t.strictSame(
      lines.map((line) => JSON.parse(line).msg),
      ['first', 'last'],
      name,
    )
  }
  t.end()
})
