import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { captureLog, expectFailure, startApp } from '../../support/core/app.ts'
import { makeOrder, makeSupplier } from '../../support/make/orders.ts'

t.test('an unknown path answers 404 with and without a token', async (t) => {
  const { app, alice } = await startApp(t)
  const unknownPaths = [
    '/nope',
    '/api',
    '/api/',
    '/api/nope',
    '/api/suppliers/1/',
    '/api//suppliers',
    '/API/suppliers',
  ]
  for (const url of [
    ...unknownPaths,
    '/api/suppliers/1/nope',
    '/healthz/x',
    '/.env',
    '/../etc/passwd',
    '//evil.example',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expectFailure(t, await alice.send(method, url), 404, 'not_found', `${method} ${url}`)
      const unknown = await app.inject({ method, url })
      expectFailure(t, unknown, 404, 'not_found', `${method} ${url} without a token`)
    }
  }
})

t.test('paths outside the API refuse other methods, too', async (t) => {
  const { app } = await startApp(t)
  const addresses = ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/', '/docs/json']
  for (const url of addresses) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
      const answer = await app.inject({ method, url })
      expectFailure(t, answer, 405, 'method_not_allowed', `${method} ${url}`)
      t.equal(answer.headers.allow, 'GET, HEAD')
    }
    for (const method of ['GET', 'HEAD'] as const) {
      t.equal((await app.inject({ method, url })).statusCode, 200, `${method} ${url}`)
    }
  }
})

t.test(
  'the server answers malformed HTTP with the error envelope and does not log its content',
  async (t) => {
    const captured = await captureLog()
    const { app } = await startApp(t, { log: captured.log })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = new URL(app.listeningOrigin)
    const sendRaw = async (text: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write(text)
      const [head = '', body = ''] = (await readText(socket)).split('\r\n\r\n')
      return { head, body: JSON.parse(body), length: Buffer.byteLength(body) }
    }
    const secret = 'Bearer of-a-shop'
    const cases = [
      { text: 'hello\r\n\r\n', status: '400 Bad Request', code: 'invalid_request' },
      {
        text: `GET /healthz HTTP/1.1\r\nhost: x\r\nauthorization: ${secret}\r\nbad header\r\n\r\n`,
        status: '400 Bad Request',
        code: 'invalid_request',
      },
      {
        text: `GET /healthz HTTP/1.1\r\nhost: x\r\nauthorization: ${secret}\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
        status: '431 Request Header Fields Too Large',
        code: 'headers_too_large',
      },
    ]
    for (const { text, status, code } of cases) {
      const { head, body, length } = await sendRaw(text)
      t.ok(head.startsWith(`HTTP/1.1 ${status}\r\n`), head)
      t.match(head, `content-length: ${length}`)
      t.match(head, /content-type: application\/json/)
      t.strictSame(Object.keys(body), ['success', 'error'])
      t.match(body, {
        success: false,
        error: { code, message: /^[A-Z].*\.$/, requestId: /^[0-9a-f-]{36}$/ },
      })
      t.match(captured.text(), body.error.requestId)
    }
    t.notMatch(captured.text(), 'of-a-shop')
    t.equal((await app.inject('/healthz')).statusCode, 200)
  },
)

t.test('what Node would refuse in its own words is refused in ours', async (t) => {
  const { app, alice } = await startApp(t, {})
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = new URL(app.listeningOrigin)
  const request = async (line: string, ...headers: string[]) => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const lines = [line, ...headers, `authorization: Bearer ${alice.token}`, 'connection: close']
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const [head = '', body = ''] = (await readText(socket)).split('\r\n\r\n')
    return { head, error: JSON.parse(body).error }
  }
  const host = 'host: x'
  const cases: [status: number, code: string, line: string, ...headers: string[]][] = [
    [417, 'expectation_failed', 'GET /healthz HTTP/1.1', host, 'expect: nothing'],
    [400, 'invalid_request', 'GET /healthz HTTP/1.1'],
    [405, 'method_not_allowed', 'QUERY /healthz HTTP/1.1', host],
    [405, 'method_not_allowed', 'PROPFIND /healthz HTTP/1.1', host],
    [405, 'method_not_allowed', 'QUERY /api/suppliers HTTP/1.1', host, 'content-length: 0'],
    [405, 'method_not_allowed', 'MKCOL /api/suppliers HTTP/1.1', host],
    [404, 'not_found', 'PROPFIND /nope HTTP/1.1', host],
    [415, 'unsupported_media_type', 'POST /webhooks HTTP/1.1', host, 'content-encoding: gzip'],
    [415, 'unsupported_media_type', 'POST /api/suppliers HTTP/1.1', host, 'content-encoding: br'],
  ]
  for (const [status, code, ...lines] of cases) {
    const { head, error } = await request(...lines)
    t.ok(head.startsWith(`HTTP/1.1 ${status} `), `${lines.join(', ')}: ${head}`)
    t.match(error, { code, message: /^[A-Z].*\.$/, requestId: /^[0-9a-f-]{36}$/ })
    for (const header of [/content-type: application\/json/i, /x-content-type-options: nosniff/i])
      t.match(head, header, lines.join(', '))
  }
  const { head } = await request('PROPFIND /api/suppliers HTTP/1.1', host)
  t.match(head, /allow: GET, HEAD, POST/i)
})

t.test('HTTP/1.0 needs no Host, and identity is no encoding', async (t) => {
  const { app } = await startApp(t, {})
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = new URL(app.listeningOrigin)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /healthz HTTP/1.0\r\ncontent-encoding: identity\r\n\r\n')
  t.match(await readText(socket), /^HTTP\/1\.1 200 /)
})

t.test('HEAD returns the headers of GET without the body', async (t) => {
  const { app, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  await makeSupplier(alice)
  const { id } = await makeOrder(alice, { supplierId })
  for (const url of [
    '/api/suppliers?limit=1',
    `/api/suppliers/${supplierId}`,
    `/api/purchase-orders/${id}/pdf`,
  ]) {
    const get = await alice.get(url)
    const head = await alice.send('HEAD', url)
    t.equal(head.statusCode, 200, url)
    t.equal(head.body, '')
    for (const name of ['content-type', 'link', 'cache-control'])
      t.equal(head.headers[name], get.headers[name])
    t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 401, `${url} without a token`)
  }
  t.equal((await alice.send('HEAD', '/api/suppliers/999999')).statusCode, 404)
})

t.test('no response may be cached, framed or interpreted as another content type', async (t) => {
  const { app, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const answers = {
    'a list': await alice.get('/api/suppliers'),
    'a spreadsheet': await alice.get('/api/purchase-orders', { accept: 'text/csv' }),
    'a PDF': await alice.get(`/api/purchase-orders/${id}/pdf`),
    'an invalid request': await alice.post('/api/suppliers', {}),
    'a missing token': await app.inject('/api/suppliers'),
    'a refused method': await alice.send('PATCH', '/api/suppliers'),
  }
  for (const [name, { headers }] of Object.entries(answers)) {
    t.equal(headers['cache-control'], 'no-store', name)
    t.equal(headers['x-content-type-options'], 'nosniff', name)
    t.equal(headers['referrer-policy'], 'no-referrer', name)
    t.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/, name)
    t.notOk('x-frame-options' in headers, name)
    t.notOk('x-powered-by' in headers, name)
    t.notOk('access-control-allow-origin' in headers, `${name}: no other site may read it`)
    t.notOk('set-cookie' in headers, name)
  }
  const { headers } = await app.inject('/nope')
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'content-security-policy': /frame-ancestors 'none'/,
  })
})

t.test('the content type depends on the Accept header, and the Vary header names it', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const cases = [
    { url: '/api/suppliers', accept: 'application/json', status: 200 },
    { url: '/api/suppliers', accept: '*/*', status: 200 },
    { url: '/api/suppliers', accept: 'text/html, application/*;q=0.8', status: 200 },
    { url: '/api/suppliers', accept: 'text/html', status: 406 },
    { url: '/api/settings', accept: 'text/csv', status: 406 },
    { url: '/api/suppliers', accept: 'text/csv', status: 200 },
    { url: '/api/suppliers', accept: 'application/json;q=0', status: 406 },
    { url: '/api/purchase-orders', accept: 'text/csv', status: 200 },
    { url: '/api/purchase-orders', accept: 'application/pdf', status: 406 },
    { url: `/api/purchase-orders/${id}/pdf`, accept: 'application/pdf', status: 200 },
    { url: `/api/purchase-orders/${id}/pdf`, accept: 'application/json', status: 406 },
  ]
  for (const { url, accept, status } of cases) {
    const answer = await alice.get(url, { accept })
    const hint = `${url} as ${accept}`
    t.equal(answer.statusCode, status, hint)
    if (status === 406) expectFailure(t, answer, 406, 'not_acceptable', hint)
  }
  t.match((await alice.get('/api/purchase-orders')).headers.vary, /accept/i)
})

t.test('the rate limit of one shop does not affect other shops', async (t) => {
  const { app, alice, mallory } = await startApp(t, { env: { RATE_LIMIT_PER_MINUTE: '5' } })
  const list = () => mallory.get('/api/suppliers')
  for (let number = 0; number < 5; number++) t.equal((await list()).statusCode, 200)
  for (const answer of [await list(), await mallory.post('/api/suppliers', { name: 'Acme' })]) {
    const { message } = expectFailure(t, answer, 429, 'rate_limited')
    const seconds = Number(answer.headers['retry-after'])
    t.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, `${seconds} seconds`)
    t.match(message, String(seconds))
  }
  t.equal((await alice.get('/api/suppliers')).statusCode, 200)
  t.equal((await app.inject('/healthz')).statusCode, 200)
  t.equal(
    (await app.inject('/api/suppliers')).statusCode,
    401,
    'a missing token is reported before the rate limit',
  )
})

t.test('an error contains the id of the request', async (t) => {
  const { app } = await startApp(t)
  const idOf = async (given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given }
    return (await app.inject({ url: '/nope', headers })).json().error.requestId
  }
  t.equal(await idOf('host-given-1234'), 'host-given-1234', 'the server takes the id from the router')
  t.match(await idOf(), /^[0-9a-f-]{36}$/)
  for (const bad of ['short', 'x'.repeat(65), '<script>alert(1)</script>', 'two words, a comma']) {
    t.match(await idOf(bad), /^[0-9a-f-]{36}$/, 'the server replaces an id that is unfit for the log')
  }
  t.not(await idOf(), await idOf())
})

t.test('an internal error is logged once and its details are not sent to the caller', async (t) => {
  const captured = await captureLog()
  const { db, alice } = await startApp(t, { log: captured.log })
  await db.query(sql.typeAlias('void')`alter table supplier rename to supplier_renamed`)
  const answer = await alice.get('/api/suppliers')
  await db.query(sql.typeAlias('void')`alter table supplier_renamed rename to supplier`)

  const { requestId } = expectFailure(t, answer, 500, 'internal')
  t.notMatch(answer.body, /supplier|relation|select|stack|\.ts/)
  const errors = captured.lines().filter(({ level }) => Number(level) >= 50)
  t.match(errors, [
    { reqId: requestId, err: { message: /relation "supplier" does not exist/, stack: String } },
  ])
  t.equal(errors.length, 1)
})
