import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SilentPlatform = {
  /** Makes a process of ours look for the platform and the mail service here. */
  env: Record<string, string>
  /** Throws when somebody has called. */
  checkSilence: () => void
  close: () => void
}

/** A platform on this machine that nobody should need to ask: it says no to whoever does, and remembers. */
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
      if (first) throw new Error(`The platform was called ${calls.length} times, at first with ${first}`)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
