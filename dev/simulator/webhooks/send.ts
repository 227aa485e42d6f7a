import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Namespace } from '../shops/ids.ts'
import { type AttemptResult, apiVersion, type Delivery } from './delivery.ts'
import { topicPath } from './topics.ts'

export type SenderOptions = { apiSecret: string; namespace: Namespace; timeoutMs: number }

export type Sender = {
  /** Never throws: a failure is part of the result. */
  send: (delivery: Delivery) => Promise<AttemptResult>
  /** Aborts running requests. */
  close: () => void
}

/** The webhook signature: base64 of the HMAC-SHA256 of the body. */
const signBody = (body: string, secret: string) =>
  createHmac('sha256', secret).update(body, 'utf8').digest('base64')

/** Posts deliveries to this machine. Other addresses fail: the simulator calls no other machine. */
export function createSender({ apiSecret, namespace, timeoutMs }: SenderOptions): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const closing = new AbortController()
  const prefix = namespace === 'shopify' ? 'X-Shopify-' : 'X-Platform-'

  const headers = (delivery: Delivery, body: Buffer) => ({
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'User-Agent': 'Platform-Simulator',
    [`${prefix}Topic`]: topicPath(delivery.topic),
    [`${prefix}Hmac-Sha256`]: signBody(
      delivery.body,
      delivery.isForged ? 'not the secret of the app' : apiSecret,
    ),
    [`${prefix}Shop-Domain`]: delivery.shop,
    [`${prefix}Webhook-Id`]: delivery.webhookId,
    [`${prefix}Event-Id`]: delivery.eventId,
    [`${prefix}Triggered-At`]: delivery.triggeredAt,
    [`${prefix}API-Version`]: apiVersion,
  })

  function post(delivery: Delivery): Promise<number> {
    const body = Buffer.from(delivery.body, 'utf8')
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    return new Promise((resolve, reject) => {
      const outgoing = request(
        delivery.address,
        { method: 'POST', agent, signal, headers: headers(delivery, body) },
        (response) => {
          response.on('error', reject)
          response.on('end', () => resolve(response.statusCode ?? 0))
          response.resume()
        },
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept-alive connection before it received the request, so send it again.
        if (outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
          resolve(post(delivery))
        else reject(error)
      })
      outgoing.end(body)
    })
  }

  return {
    async send(delivery) {
      const startedAt = performance.now()
      const result = (status: number | null, error: string | null): AttemptResult => ({
        at: new Date().toISOString(),
        status,
        error,
        ms: Math.round(performance.now() - startedAt),
      })
      if (!isOnThisMachine(delivery.address)) return result(null, 'The simulator calls this machine only.')
      try {
        return result(await post(delivery), null)
      } catch (error) {
        const isTimeout = error instanceof Error && error.name === 'AbortError'
        return result(null, isTimeout ? `No response within ${timeoutMs} ms` : String(error))
      }
    },
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

export function isOnThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/i.test(hostname)
}
