import { Agent, request } from 'node:http'

export type Sent = {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}
export type Answer = { status: number; body: Buffer; ms: number }
export type Client = { send: (sent: Sent) => Promise<Answer>; close: () => void }

/** Keeps so many connections open; who asks for more at once waits. An answer has come as a whole. */
export function openClient(origin: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    async send({ method = 'GET', path, headers = {}, body }) {
      const startedAt = performance.now()
      const { promise, resolve, reject } = Promise.withResolvers<Omit<Answer, 'ms'>>()
      const sending = request(`${origin}${path}`, { agent, method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }))
      })
      sending.on('error', reject).end(body)
      const answer = await promise
      return { ...answer, ms: performance.now() - startedAt }
    },
    close: () => agent.destroy(),
  }
}

/** Throws unless the answer is a good one. */
export function requireGood({ method = 'GET', path }: Sent, { status, body }: Answer): void {
  if (status >= 200 && status < 300) return
  throw new Error(`${method} ${path} was answered with ${status}: ${body.toString().slice(0, 500)}`)
}
