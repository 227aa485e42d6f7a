import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import nock from 'nock'
import type { Test } from 'tap'

/** Status, body and headers of a response. */
export type Reply = [status: number, body?: unknown, headers?: Record<string, string>]
type Variables = Record<string, unknown>
type Handler = (variables: Variables, call: number) => Reply | Promise<Reply>

export type AdminRequest = { operation: string; variables: Variables; token: string }

/** A mocked platform of one shop: a handler per operation, and the received requests. */
export type PlatformDouble = {
  /** Sets the handler of an operation; `call` counts its requests from 1. */
  on: (operation: string, handler: Handler) => void
  /** The current handler of an operation, for tests that wrap it. */
  handler: (operation: string) => Handler
  requests: AdminRequest[]
  /** The variables of the received requests of an operation. */
  variablesOf: (operation: string) => Variables[]
}

export const data = (body: unknown): Reply => [200, { data: body }]

/** The platform's response to a request that exceeds the rate limit. */
export const throttled = (requestedQueryCost: number, currentlyAvailable: number): Reply => [
  200,
  {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable, restoreRate: 100 },
      },
    },
  },
]

/** A page of a connection. */
export const page = (nodes: unknown[], endCursor: string | null = null) => ({
  nodes,
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
})

/**
 * Blocks all network access except 127.0.0.1, and handles requests to the shop's GraphQL endpoint with the test's
 * handlers.
 */
export function mockPlatform(t: Test, shopDomain: string): PlatformDouble {
  nock.disableNetConnect()
  nock.enableNetConnect(/^127\.0\.0\.1/)
  const handlers = new Map<string, Handler>()
  const requests: AdminRequest[] = []
  const variablesOf = (name: string) =>
    requests.filter(({ operation }) => operation === name).map(({ variables }) => variables)
  const scope = nock(`https://${shopDomain}`)
    .persist()
    .post('/admin/api/2026-07/graphql.json')
    .reply(async (request: Request) => {
      const { query, variables } = JSON.parse(await request.text())
      const operation = /^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? ''
      requests.push({ operation, variables, token: request.headers.get('x-platform-access-token') ?? '' })
      const handler = handlers.get(operation)
      if (!handler) return [400, `Unexpected operation ${operation}`]
      const [status, body = '', headers = {}] = await handler(variables, variablesOf(operation).length)
      return [status, typeof body === 'string' ? body : JSON.stringify(body), headers]
    })
  t.teardown(() => {
    scope.persist(false)
    nock.cleanAll()
    nock.enableNetConnect()
  })
  return {
    on: (operation, handler) => void handlers.set(operation, handler),
    handler: (operation) => handlers.get(operation) ?? (() => [400]),
    requests,
    variablesOf,
  }
}

/** A `mockPlatform` for separate processes, on a local socket. */
export async function servePlatform(t: Test): Promise<PlatformDouble & { url: string }> {
  const handlers = new Map<string, Handler>()
  const requests: AdminRequest[] = []
  const variablesOf = (name: string) =>
    requests.filter(({ operation }) => operation === name).map(({ variables }) => variables)
  const server = createServer(async (request, response) => {
    const { query, variables } = (await json(request)) as {
      query: string
      variables: Record<string, unknown>
    }
    const operation = /^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? ''
    requests.push({ operation, variables, token: String(request.headers['x-platform-access-token'] ?? '') })
    const handler = handlers.get(operation) ?? (() => [400, `Unexpected operation ${operation}`] as const)
    const [status, responseBody = ''] = await handler(variables, variablesOf(operation).length)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql.json`,
    on: (operation, handler) => void handlers.set(operation, handler),
    handler: (operation) => handlers.get(operation) ?? (() => [400]),
    requests,
    variablesOf,
  }
}
