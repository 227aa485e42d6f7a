import type { Topic } from './topics.ts'

export const apiVersion = '2026-07'

export type Answer = {
  at: string
  /** Null when there was none. */
  status: number | null
  error: string | null
  ms: number
}

/** One body that one address is told, tried until it is taken. */
export type Delivery = {
  id: string
  shop: string
  topic: Topic
  address: string
  /** Null for what is told without a subscription. */
  subscriptionId: string | null
  /** The same whenever this is tried again, and in a duplicate. */
  webhookId: string
  /** The same for everything that one action in the shop has caused. */
  eventId: string
  triggeredAt: string
  body: string
  /** `failed`: the last attempt failed, too; `dropped`: a fault has lost it, and nobody tries. */
  state: 'pending' | 'delivered' | 'failed' | 'dropped'
  attempts: number
  /** When it is tried next, in milliseconds since 1970. */
  nextAt: number
  lastAnswer: Answer | null
  /** A fault signs it with another secret. It is tried once. */
  isForged: boolean
}

/** The first attempt and 18 more. */
export const maxAttempts = 19

/** How long to wait after an attempt that failed: from ten seconds to 20 hours, 48 hours in all. */
export const retryDelayMs = (attempts: number) => Math.round(10_000 * 1.6835 ** (attempts - 1))
