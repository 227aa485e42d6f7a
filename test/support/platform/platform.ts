import nock from 'nock'
import type { Test } from 'tap'

/** Status, body and headers of one answer. */
export type Reply = [status: number, body?: unknown, headers?: Record<string, string>]
type Variables = Record<string, unknown>
type Handler = (variables: Variables, call: number) => Reply | Promise<Reply>

export type AdminRequest = { operation: string; variables: Variables; token: string }

/** The platform of one shop at the socket: an answer for each operation, and what was asked. */
export type PlatformDouble = {
  /** Answers every request of this name; `call` counts them from 1. */
  on: (operation: string, handler: Handler) => void
  /** What answers a name now, for a test that breaks one answer of many. */
  handler: (operation: string) => Handler
  requests: AdminRequest[]
  /** The variables of the requests of one name. */
  asked: (operation: string) => Variables[]
}

export const data = (body: unknown): Reply => [200, { data: body }]

/** The platform's words when it is asked too fast. */
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

/** Nothing but 127.0.0.1 can be reached; the shop's GraphQL endpoint is answered by what the test says. */
export function meetPlatform(t: Test, shopDomain: string): PlatformDouble {
  nock.disableNetConnect()
  nock.enableNetConnect(/^127\.0\.0\.1/)
  const handlers = new Map<string, Handler>()
  const requests: AdminRequest[] = []
  const asked = (name: string) =>
    requests.filter(({ operation }) => operation === name).map(({ variables }) => variables)
  const scope = nock(`https://${shopDomain}`)
    .persist()
    .post('/admin/api/2026-07/graphql.json')
    .reply(async (request: Request) => {
      const { query, variables } = JSON.parse(await request.text())
      const operation = /^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? ''
      requests.push({ operation, variables, token: request.headers.get('x-platform-access-token') ?? '' })
      const handler = handlers.get(operation)
      if (!handler) return [400, `Nobody expects ${operation}`]
      const [status, answered = '', headers = {}] = await handler(variables, asked(operation).length)
      return [status, typeof answered === 'string' ? answered : JSON.stringify(answered), headers]
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
    asked,
  }
}
