import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { AdminRequest, PlatformDouble } from './platform.ts'

type Handler = Parameters<PlatformDouble['on']>[1]

/** What `meetPlatform` is to code in this process, for processes of their own: on a socket of this machine. */
export async function servePlatform(t: Test): Promise<PlatformDouble & { url: string }> {
  const handlers = new Map<string, Handler>()
  const requests: AdminRequest[] = []
  const asked = (name: string) =>
    requests.filter(({ operation }) => operation === name).map(({ variables }) => variables)
  const server = createServer(async (request, response) => {
    const { query, variables } = (await json(request)) as {
      query: string
      variables: Record<string, unknown>
    }
    const operation = /^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? ''
    requests.push({ operation, variables, token: String(request.headers['x-platform-access-token'] ?? '') })
    const handler = handlers.get(operation) ?? (() => [400, `Nobody expects ${operation}`] as const)
    const [status, answered = ''] = await handler(variables, asked(operation).length)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered))
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
    asked,
  }
}
