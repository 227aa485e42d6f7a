import type { Topic } from './topics.ts'

export const apiVersion = '2026-07'

export type AttemptResult = {
  at: string
  /** Null without a response. */
  status: number | null
  error: string | null
  ms: number
}

/** A webhook to one address, retried until the app accepts it. */
export type Delivery = {
  id: string
  shop: string
  topic: Topic
  address: string
  /** Null for webhooks without a subscription. */
  subscriptionId: string | null
  /** The same for all attempts and for duplicates. */
  webhookId: string
  /** The same for all webhooks of one action in the shop. */
  eventId: string
  triggeredAt: string
  body: string
  /** `failed`: the last attempt has failed; `dropped`: lost by a fault, never sent. */
  state: 'pending' | 'delivered' | 'failed' | 'dropped'
  attempts: number
  /** The time of the next attempt, in milliseconds since 1970. */
  nextAt: number
  lastAnswer: AttemptResult | null
  /** A fault signs it with a wrong secret. It is sent once. */
  isForged: boolean
}

/** The first attempt and 18 retries. */
export const maxAttempts = 19

/** The delay after a failed attempt: from ten seconds to 20 hours, 48 hours in total. */
export const retryDelayMs = (attempts: number) => Math.round(10_000 * 1.6835 ** (attempts - 1))
