import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { maxAttachmentBody } from '../../../shared/schemas/attachments.ts'
import { maxLogoBody } from '../../../shared/schemas/settings.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { addressOf, type Endpoint, listEndpoints, sample } from '../../support/core/endpoints.ts'
import type { Person } from '../../support/core/people.ts'
import { createTurns } from '../../support/core/turns.ts'

const json = { 'content-type': 'application/json' }

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

async function start(t: Test) {
  const people = await startApp(t)
  const endpoints = await listEndpoints(people.app)
  t.ok(endpoints.length >= 16, 'the API has endpoints to try')
  return { ...people, endpoints, withBody: endpoints.filter(({ body }) => body) }
}

const send = (person: Person, endpoint: Endpoint, body?: string, headers: Record<string, string> = json) =>
  person.send(endpoint.method, addressOf(endpoint), body, headers)

/** Expects a response that does not report a failure of the server. */
function expectNoServerError(t: Test, answer: LightMyRequestResponse, hint: string) {
  t.ok(answer.statusCode < 500, `${hint} answers ${answer.statusCode}`)
}

t.test('every endpoint refuses a request without a token before it validates the request', async (t) => {
  const { app, endpoints } = await start(t)
  for (const endpoint of endpoints) {
    const wellFormed = { method: endpoint.method, url: addressOf(endpoint) }
    expectFailure(t, await app.inject(wellFormed), 401, 'unauthorized', endpoint.name)
    const badBody = { ...wellFormed, url: addressOf(endpoint, ['NaN'], 'x=1'), payload: '{', headers: json }
    expectFailure(t, await app.inject(badBody), 401, 'unauthorized', `${endpoint.name} with invalid input`)
    if (endpoint.method === 'GET') {
      t.equal((await app.inject({ ...wellFormed, method: 'HEAD' })).statusCode, 401, `HEAD ${endpoint.path}`)
    }
  }
})

t.test('the API refuses other methods of a path and lists the allowed ones', async (t) => {
  const { app, alice, endpoints } = await start(t)
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const own = endpoints.filter((endpoint) => endpoint.path === path)
    const allowed: string[] = own.map(({ method }) => method)
    if (allowed.includes('GET')) allowed.push('HEAD')
    for (const method of methods.filter((candidate) => !allowed.includes(candidate))) {
      const url = path.replace(/\{\w+\}/g, '1')
      const answer = await alice.send(method, url)
      t.equal(answer.statusCode, 405, `${method} ${path}`)
      t.equal(answer.headers.allow, allowed.sort().join(', '))
      if (method !== 'HEAD') expectFailure(t, answer, 405, 'method_not_allowed')
      t.equal((await app.inject({ method, url })).statusCode, 401, `${method} ${path} without a token`)
    }
  }
})

t.test('the API refuses a body that is not JSON', async (t) => {
  const { alice, withBody } = await start(t)
  const broken = ['{', '{"name":}', "{'name':'x'}", '{"a":1}}', 'name=x', '\u0000', '['.repeat(400_000)]
  const choose = createTurns()
  for (const endpoint of withBody) {
    for (const body of choose(broken)) {
      const hint = `${endpoint.name} with ${body.slice(0, 10)}`
      expectFailure(t, await send(alice, endpoint, body), 400, 'invalid_json', hint)
    }
  }
})

t.test('the API refuses a body that sets the prototype', async (t) => {
  const { alice, withBody } = await start(t)
  const bodies = ['{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":{"name":"x"}}}']
  const choose = createTurns()
  for (const endpoint of withBody) {
    for (const body of choose(bodies)) {
      expectFailure(
        t,
        await send(alice, endpoint, body),
        400,
        'invalid_json',
        `${endpoint.name} with ${body}`,
      )
    }
    const answer = await send(alice, endpoint, '{"toString":{"a":1},"hasOwnProperty":5}')
    expectFailure(t, answer, 400, 'invalid_request', `${endpoint.name} with names of object methods`)
  }
})

t.test('the API refuses a JSON body that is not an object', async (t) => {
  const { alice, withBody } = await start(t)
  const bodies = ['5', 'true', '"words"', '[]', '[{}]', `${'['.repeat(400_000)}${']'.repeat(400_000)}`]
  const choose = createTurns()
  for (const endpoint of withBody) {
    for (const body of choose(bodies)) {
      const hint = `${endpoint.name} with ${body.slice(0, 10)}`
      expectFailure(t, await send(alice, endpoint, body), 400, 'invalid_request', hint)
    }
  }
})

const maxBodies: Record<string, number> = {
  'POST /api/attachments': maxAttachmentBody,
  'POST /api/settings/logo': maxLogoBody,
}

t.test(
  'the API refuses a body above 1 MiB, or above the limit of its own that an endpoint has',
  async (t) => {
    const { alice, withBody } = await start(t)
    const choose = createTurns()
    const cases = [
      { more: 1, status: 413, code: 'payload_too_large' },
      { more: 0, status: 400, code: 'invalid_request' },
    ]
    for (const endpoint of withBody) {
      const ownBytes = maxBodies[endpoint.name]
      for (const { more, status, code } of ownBytes ? cases : choose(cases)) {
        const bytes = (ownBytes ?? 1024 * 1024) + more
        const answer = await send(alice, endpoint, `"${'x'.repeat(bytes - 2)}"`)
        expectFailure(t, answer, status, code, `${endpoint.name} with ${bytes} bytes`)
      }
    }
  },
)

t.test('the API refuses a body without a JSON content type', async (t) => {
  const { alice, withBody } = await start(t)
  const choose = createTurns()
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense']
  for (const endpoint of withBody) {
    for (const type of choose(types)) {
      const answer = await send(alice, endpoint, '{}', { 'content-type': type })
      expectFailure(t, answer, 415, 'unsupported_media_type', `${endpoint.name} with ${type}`)
    }
  }
})

t.test('the API refuses an unknown field or query parameter', async (t) => {
  const { alice, endpoints } = await start(t)
  for (const endpoint of endpoints) {
    const unknown = 'surprise'
    if (endpoint.method !== 'GET') {
      const body = JSON.stringify({ ...(endpoint.body && (sample(endpoint.body) as object)), [unknown]: 1 })
      const { details } = expectFailure(
        t,
        await send(alice, endpoint, body),
        400,
        'invalid_request',
        endpoint.name,
      )
      t.strictSame(details, [{ path: '/surprise', message: 'is not a known field' }], endpoint.name)
    }
    const body = endpoint.body && JSON.stringify(sample(endpoint.body))
    const answer = await alice.send(
      endpoint.method,
      addressOf(endpoint, [], `${unknown}=1`),
      body,
      body ? json : {},
    )
    const { details } = expectFailure(t, answer, 400, 'invalid_request', `${endpoint.name}?${unknown}`)
    t.strictSame(
      details,
      [{ path: '/surprise', message: 'is not a known field' }],
      `${endpoint.name}?${unknown}`,
    )
  }
})

t.test('the API refuses a body where it expects none', async (t) => {
  const { alice, endpoints } = await start(t)
  const choose = createTurns()
  for (const endpoint of endpoints.filter(({ body, method }) => !body && method !== 'GET')) {
    for (const body of choose(['5', '"words"', '[]', '[1]', 'true'])) {
      const answer = await send(alice, endpoint, body)
      expectFailure(t, answer, 400, 'invalid_request', `${endpoint.name} with ${body}`)
    }
  }
})

const badIds = [
  '0',
  '-1',
  '-0',
  '9007199254740993',
  '9223372036854775808',
  'NaN',
  '1.5',
  '1e3',
  '0x10',
  '%00',
]
const oddIds = [
  '01',
  '+1',
  '1%20',
  '%E0%A4%A',
  '%',
  '',
  'null',
  '1'.repeat(500),
  '..%2f..%2fetc',
  "1'--",
  '٣',
]

t.test('the API refuses an invalid id', async (t) => {
  const { alice, endpoints } = await start(t)
  const choose = createTurns()
  for (const endpoint of endpoints.filter(({ pathParameters }) => pathParameters.length > 0)) {
    for (const at of endpoint.pathParameters.keys()) {
      for (const id of [...choose(badIds), ...choose(oddIds)]) {
        const ids = endpoint.pathParameters.map((_, i) => (i === at ? id : '1'))
        const body = endpoint.body && JSON.stringify(sample(endpoint.body))
        const answer = await alice.send(endpoint.method, addressOf(endpoint, ids), body, body ? json : {})
        const hint = `${endpoint.name} with ${id.slice(0, 20)}`
        // the number of a variant may exceed the safe integers
        const isOfVariant = endpoint.path.startsWith('/api/variants/') && /^[1-9]\d{0,19}$/.test(id)
        // parts of a file are numbered from 0
        const isOfPart = endpoint.pathParameters[at] === 'n' && /^-?0$/.test(id)
        if (badIds.includes(id) && !isOfVariant && !isOfPart)
          expectFailure(t, answer, 400, 'invalid_request', hint)
        else t.ok([400, 404].includes(answer.statusCode), `${hint} answers ${answer.statusCode}`)
      }
    }
  }
})

t.test('the API refuses a query parameter of the wrong type', async (t) => {
  const { alice, endpoints } = await start(t)
  const values = [
    '',
    'words',
    '0',
    '-1',
    '1.5',
    '1e3',
    '%00',
    '%ff',
    '9223372036854775808',
    '1&NAME=1',
    'true',
  ]
  const choose = createTurns()
  for (const endpoint of endpoints) {
    for (const { name, schema } of endpoint.queryParameters.filter(
      ({ schema }) => schema.type !== 'string',
    )) {
      const wrong = values.filter((value) => {
        if (schema.type === 'boolean' && value === 'true') return false
        // a growth may be 0 or negative
        return name !== 'growth' || !/^(0|-1)$/.test(value)
      })
      for (const value of choose(wrong)) {
        const query = `${name}=${value.replace('NAME', name)}`
        const answer = await alice.send(endpoint.method, addressOf(endpoint, [], query))
        const hint = `${endpoint.name}?${query}`
        const { details } = expectFailure(t, answer, 400, 'invalid_request', hint)
        t.strictSame(
          details?.map(({ path }) => path),
          [`/${name}`],
          hint,
        )
      }
    }
  }
})

t.test('the API refuses a request that accepts only an unsupported content type', async (t) => {
  const { alice, endpoints } = await start(t)
  for (const endpoint of endpoints) {
    const body = endpoint.body && JSON.stringify(sample(endpoint.body))
    const headers = { accept: 'audio/ogg', ...(body && json) }
    const answer = await alice.send(endpoint.method, addressOf(endpoint), body, headers)
    expectFailure(t, answer, 406, 'not_acceptable', endpoint.name)
  }
})

t.test('invalid headers do not cause a server error', async (t) => {
  const { alice, endpoints } = await start(t)
  const odd = { accept: ';;q=x', 'x-request-id': 'x\ty', 'if-match': '*', range: 'bytes=0-', cookie: '=;=' }
  const choose = createTurns()
  for (const endpoint of endpoints) {
    for (const [name, value] of choose(Object.entries(odd))) {
      const answer = await alice.send(endpoint.method, addressOf(endpoint), undefined, { [name]: value })
      expectNoServerError(t, answer, `${endpoint.name} with ${name}`)
    }
  }
})
