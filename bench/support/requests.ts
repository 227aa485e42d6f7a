import { Agent, request } from 'node:http'

export type Sent = {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}
export type ReceivedResponse = { status: number; body: Buffer; ms: number }
export type Client = { send: (sent: Sent) => Promise<ReceivedResponse>; close: () => void }

/**
 * Opens at most `connections` connections; further requests wait for a free one. `ms` is the time until the whole
 * body has arrived.
 */
export function openClient(origin: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    async send({ method = 'GET', path, headers = {}, body }) {
      const startedAt = performance.now()
      const { promise, resolve, reject } = Promise.withResolvers<Omit<ReceivedResponse, 'ms'>>()
      const sending = request(`${origin}${path}`, { agent, method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }))
      })
      sending.on('error', reject).end(body)
      const received = await promise
      return { ...received, ms: performance.now() - startedAt }
    },
    close: () => agent.destroy(),
  }
}

/** Throws unless the response has a 2xx status. */
export function requireSuccess({ method = 'GET', path }: Sent, { status, body }: ReceivedResponse): void {
  if (status >= 200 && status < 300) return
  throw new Error(`${method} ${path} returned ${status}: ${body.toString().slice(0, 500)}`)
}
