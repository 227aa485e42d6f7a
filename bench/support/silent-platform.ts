import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SilentPlatform = {
  /** Environment that points a process to this server for the platform and the mail service. */
  env: Record<string, string>
  /** Throws when a request has arrived. */
  checkSilence: () => void
  close: () => void
}

/** A platform for processes that should not call it: it refuses every request with 503 and records it. */
export async function startSilentPlatform(): Promise<SilentPlatform> {
  const calls: string[] = []
  const server = createServer((request, reply) => {
    calls.push(`${request.method} ${request.url}`)
    reply.writeHead(503).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      PLATFORM_SHOP_AUTH_URL: `${origin}/{shop_domain}/oauth`,
      PLATFORM_GRAPHQL_URL: `${origin}/{shop_domain}/graphql`,
      POSTMARK_API_URL: origin,
    },
    checkSilence() {
      const [first] = calls
      if (first)
        throw new Error(`The platform was called ${calls.length} times, the first time with ${first}`)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
