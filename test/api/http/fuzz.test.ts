import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { Failure } from '../../../shared/schemas/common.ts'
import { startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { type Endpoint, listEndpoints, makeRecordOf } from '../../support/core/endpoints.ts'
import { rounds } from '../../support/faults/faults.ts'
import { makeStock } from '../../support/make/stock.ts'
import { type FuzzRequest, requestsTo } from './requests.ts'

useOwnDatabase()

/** The total number of requests, divided evenly among the endpoints. `RUNS` sets another one. */
const runs = Number(process.env.RUNS ?? rounds(10_000, 400))
const seed = 20_261_121

/** Endpoints outside the API, which the OpenAPI document does not describe. */
const otherEndpoints: Endpoint[] = [
  '/',
  '/auth',
  '/auth/callback',
  '/assets/{name}',
  '/docs/{name}',
  '/{name}',
].map((path) => ({
  name: `GET ${path}`,
  method: 'GET',
  path,
  pathParameters: path.includes('{') ? ['name'] : [],
  choices: [],
  queryParameters: ['shop', 'code', 'state', 'hmac', 'timestamp'].map((name) => ({
    name,
    schema: { type: 'string' },
  })),
  body: undefined,
}))
otherEndpoints.push({
  ...otherEndpoints[0],
  name: 'POST /webhooks',
  method: 'POST',
  path: '/webhooks',
  body: {},
} as Endpoint)

/** Describes how an answer violates the contract; undefined if it does not. */
function violationOf({ method, url }: FuzzRequest, answer: LightMyRequestResponse): string | undefined {
  const { statusCode, headers, body } = answer
  const type = String(headers['content-type'])
  if (statusCode >= 500) return `answers ${statusCode}`
  if (method === 'HEAD') return body === '' ? undefined : 'has a body'
  if (statusCode >= 400) {
    if (type.startsWith('text/html') && !url.startsWith('/api')) return undefined
    return Value.Check(Failure, parse(body))
      ? undefined
      : `fails without the error envelope: ${body.slice(0, 80)}`
  }
  if (!url.startsWith('/api') || statusCode >= 300) return undefined
  if (type.startsWith('text/csv') || type.startsWith('application/pdf')) return undefined
  if (url.startsWith('/api/labels.zpl')) {
    return type.startsWith('text/plain') && body.startsWith('^XA') ? undefined : 'succeeds without labels'
  }
  // a counted list has `meta`
  const { success, data, meta: _, ...more } = Object(parse(body))
  const isEnvelope = success === true && data !== undefined && Object.keys(more).length === 0
  return isEnvelope ? undefined : `succeeds without the success envelope: ${body.slice(0, 80)}`
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const send = (app: FastifyInstance, token: string, { method, url, headers, payload }: FuzzRequest) =>
  app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload !== undefined && { payload }),
  })

async function start(t: Test) {
  const { app, db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3, locations: 3 })
  const endpoints = await listEndpoints(app)
  for (const endpoint of endpoints) await makeRecordOf(endpoint, alice, db)
  return { app, token: alice.token, endpoints: [...endpoints, ...otherEndpoints] }
}

t.test('the server answers every generated request within its contract', async (t) => {
  const { app, token, endpoints } = await start(t)
  const statuses = new Map<number, number>()
  const violations: string[] = []
  const perEndpoint = Math.ceil(runs / endpoints.length)
  for (const endpoint of endpoints) {
    for (const request of fc.sample(requestsTo(endpoint), { numRuns: perEndpoint, seed })) {
      const answer = await send(app, token, request)
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
      // Postgres ends a slow statement, which is answered 503; `test/patterns.test.ts` finds slow patterns
      const violation = violationOf(request, answer)
      if (violation)
        violations.push(`${endpoint.name} ${violation}: ${JSON.stringify(request).slice(0, 600)}`)
    }
  }
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  t.comment(`${total} requests: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`)
  t.strictSame(violations, [])
  t.ok(total >= runs)
  const succeeded = [...statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
  t.ok(succeeded > total / 8, `${succeeded} of ${total} succeeded`)
})
