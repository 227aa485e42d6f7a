import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { clientKey } from './client-key.ts'
import { tooManyRequests } from './errors.ts'

const windowMs = 60_000
const maxClients = 10_000

type FailedAttempts = {
  /** Throws 429 when this client has made too many failed attempts in the last minute. */
  refuseBlocked: (request: FastifyRequest) => void
  record: (request: FastifyRequest) => void
}

/**
 * Bounds how often a client may try signatures or tokens: after `max` failed attempts, the process refuses its requests
 * until a minute after the first of them. It counts failed attempts only, so that a client without any is never refused.
 */
export function countFailedAttempts(max: number): FailedAttempts {
  const counts = new LRUCache<string, { failed: number }>({ max: maxClients, ttl: windowMs })
  return {
    refuseBlocked(request) {
      const key = clientKey(request)
      if ((counts.get(key)?.failed ?? 0) < max) return
      throw tooManyRequests(Math.ceil(counts.getRemainingTTL(key) / 1000))
    },
    record(request) {
      const key = clientKey(request)
      const count = counts.get(key) ?? { failed: 0 }
      count.failed += 1
      if (count.failed === 1) counts.set(key, count)
      else if (count.failed === max) request.log.warn({ client: key }, 'too many failed attempts of a client')
    },
  }
}
