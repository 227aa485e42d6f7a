import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { Failure } from '../../../shared/schemas/common.ts'
import { startApp } from '../../support/core/app.ts'
import { type Endpoint, listEndpoints, makeRecordOf } from '../../support/core/endpoints.ts'
import { type FuzzRequest, requestsTo } from '../../support/core/requests.ts'
import { makeStock } from '../../support/make/stock.ts'

/** In all, spread evenly over the endpoints; `RUNS=10000` for a long search. */
const runs = Number(process.env.RUNS ?? 1_000)
const seed = 20_261_121
const maxMs = 2_000

/** Addresses outside the API, and outside its document. */
const others: Endpoint[] = ['/', '/auth', '/auth/callback', '/assets/{name}', '/docs/{name}', '/{name}'].map(
  (path) => ({
    name: `GET ${path}`,
    method: 'GET',
    path,
    pathParameters: path.includes('{') ? ['name'] : [],
    queryParameters: ['shop', 'code', 'state', 'hmac', 'timestamp'].map((name) => ({
      name,
      schema: { type: 'string' },
    })),
    body: undefined,
  }),
)
others.push({ ...others[0], name: 'POST /webhooks', method: 'POST', path: '/webhooks', body: {} } as Endpoint)

/** What is wrong with an answer, in words; nothing when it is as the contract says. */
function faultOf({ method, url }: FuzzRequest, answer: LightMyRequestResponse): string | undefined {
  const { statusCode, headers, body } = answer
  const type = String(headers['content-type'])
  if (statusCode >= 500) return `answers ${statusCode}`
  if (method === 'HEAD') return body === '' ? undefined : 'has a body'
  if (statusCode >= 400) {
    if (type.startsWith('text/html') && !url.startsWith('/api')) return undefined
    return Value.Check(Failure, parse(body)) ? undefined : `fails in a shape of its own: ${body.slice(0, 80)}`
  }
  if (!url.startsWith('/api') || statusCode >= 300) return undefined
  if (type.startsWith('text/csv') || type.startsWith('application/pdf')) return undefined
  const { success, data, ...more } = Object(parse(body))
  const isRight = success === true && data !== undefined && Object.keys(more).length === 0
  return isRight ? undefined : `succeeds in a shape of its own: ${body.slice(0, 80)}`
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function ask(app: FastifyInstance, token: string, { method, url, headers, payload }: FuzzRequest) {
  const startedAt = performance.now()
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload !== undefined && { payload }),
  })
  return { answer, ms: performance.now() - startedAt }
}

async function start(t: Test) {
  const { app, db, alice } = await startApp(t, { env: { RATE_LIMIT_PER_MINUTE: '1000000' } })
  await makeStock(db, alice, { variants: 3, locations: 3 })
  const endpoints = await listEndpoints(app)
  for (const endpoint of endpoints) await makeRecordOf(endpoint, alice, db)
  return { app, token: alice.token, endpoints: [...endpoints, ...others] }
}

t.test(
  'whatever is asked, the answer is one that the contract knows, and comes soon',
  { timeout: 1_800_000 },
  async (t) => {
    const { app, token, endpoints } = await start(t)
    const statuses = new Map<number, number>()
    const faults: string[] = []
    const perEndpoint = Math.ceil(runs / endpoints.length)
    for (const endpoint of endpoints) {
      for (const request of fc.sample(requestsTo(endpoint), { numRuns: perEndpoint, seed })) {
        const { answer, ms } = await ask(app, token, request)
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
        // a busy machine is slow once, a bad pattern every time
        const isSlow = ms > maxMs && (await ask(app, token, request)).ms > maxMs
        const fault = isSlow ? `takes ${ms} ms` : faultOf(request, answer)
        if (fault) faults.push(`${endpoint.name} ${fault}: ${JSON.stringify(request).slice(0, 600)}`)
      }
    }
    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    t.comment(`${total} requests: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`)
    t.strictSame(faults, [])
    t.ok(total >= runs)
    const succeeded = [...statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
    t.ok(succeeded > total / 8, `${succeeded} of ${total} came through all checks`)
  },
)
