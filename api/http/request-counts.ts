import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

const windowMs = 60_000
const maxKeys = 10_000

/**
 * Counts the requests of each key within the minute after its first one. The library's own store passes the count that it keeps, and the
 * library reads it after other requests have raised it: of a burst that waits for the same query, requests within the limit
 * would be refused.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #counts = new LRUCache<string, { requests: number }>({ max: maxKeys, ttl: windowMs })

  incr(key: string, callback: (error: Error | null, result?: { current: number; ttl: number }) => void) {
    const count = this.#counts.get(key) ?? { requests: 0 }
    count.requests += 1
    if (count.requests === 1) this.#counts.set(key, count)
    callback(null, { current: count.requests, ttl: this.#counts.getRemainingTTL(key) })
  }

  child() {
    return new RequestCounts()
  }
}
