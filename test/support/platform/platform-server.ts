import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { AdminRequest, PlatformDouble } from './platform.ts'

type Handler = Parameters<PlatformDouble['on']>[1]

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
