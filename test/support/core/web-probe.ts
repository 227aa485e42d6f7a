import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { unitsPerSale } from '../make/busy-shop.ts'
import { orderBody, sign } from '../platform/webhooks.ts'
import type { Person } from './people.ts'
import { startProcess, until } from './processes.ts'

const State = Type.Object({ state: Type.String() })

export type DeliveryResponse = { status: number; ms: number; webhookId: string }

let nextOrder = 1_000_000

/** Starts web as a process, with a client that delivers webhooks. Status 0 means no response within 10 s. */
export async function startWeb(t: Test, env: Record<string, string>, shop: Pick<Person, 'shopDomain'>) {
  const web = startProcess(t, 'api/server.ts', env)
  const origin = await until(() => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1], 'web listens')
  const acknowledged = new Set<string>()

  async function deliver(): Promise<DeliveryResponse> {
    const order = nextOrder++
    const { headers, payload } = sign(shop, 'orders/create', orderBody(order, [[order, 1, unitsPerSale]]))
    const webhookId = headers['x-platform-webhook-id'] ?? ''
    const startedAt = Date.now()
    const response = await fetch(`${origin}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(payload),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined)
    await response?.arrayBuffer()
    const status = response?.status ?? 0
    if (status === 200) acknowledged.add(webhookId)
    return { status, ms: Date.now() - startedAt, webhookId }
  }

  return {
    web,
    acknowledged,
    deliver,
    ready: async () => (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(10_000) })).status,
    /** Delivers continuously. The returned function stops it and returns all responses. */
    deliverSteadily: () => {
      const responses: DeliveryResponse[] = []
      let isStopped = false
      const running = (async () => {
        for (; !isStopped; await sleep(50)) responses.push(await deliver())
      })()
      return async () => {
        isStopped = true
        await running
        return responses
      }
    },
  }
}

/** True when the delivery has been applied; false also while the database is unavailable. */
export const isApplied = (db: Db, webhookId: string) =>
  db
    .maybeOneFirst(sql.type(row(State))`select state from webhook_delivery where webhook_id = ${webhookId}`)
    .then((state) => state === 'applied')
    .catch(() => false)
