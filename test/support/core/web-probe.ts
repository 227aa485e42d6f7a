import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { piecesEach } from '../make/busy-shop.ts'
import { orderBody, sign } from '../platform/webhooks.ts'
import type { Person } from './people.ts'
import { startProcess, until } from './processes.ts'

const State = Type.Object({ state: Type.String() })

export type Answer = { status: number; ms: number; webhookId: string }

let nextOrder = 1_000_000

/** `web` as a process, and the platform that delivers to it. An answer of 0 is none within 10 s. */
export async function startWeb(t: Test, env: Record<string, string>, shop: Pick<Person, 'shopDomain'>) {
  const web = startProcess(t, 'api/server.ts', env)
  const origin = await until(() => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1], 'web listens')
  const acknowledged = new Set<string>()

  async function deliver(): Promise<Answer> {
    const order = nextOrder++
    const { headers, payload } = sign(shop, 'orders/create', orderBody(order, [[order, 1, piecesEach]]))
    const webhookId = headers['x-platform-webhook-id'] ?? ''
    const startedAt = Date.now()
    const answer = await fetch(`${origin}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(payload),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined)
    await answer?.arrayBuffer()
    const status = answer?.status ?? 0
    if (status === 200) acknowledged.add(webhookId)
    return { status, ms: Date.now() - startedAt, webhookId }
  }

  return {
    web,
    acknowledged,
    deliver,
    ready: async () => (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(10_000) })).status,
    /** Delivers on and on; answers what ends it, and that what it was answered. */
    deliverSteadily: () => {
      const answers: Answer[] = []
      let isOver = false
      const running = (async () => {
        for (; !isOver; await sleep(50)) answers.push(await deliver())
      })()
      return async () => {
        isOver = true
        await running
        return answers
      }
    },
  }
}

/** Whether a delivery has been applied. False while nobody can say. */
export const isApplied = (db: Db, webhookId: string) =>
  db
    .maybeOneFirst(sql.type(row(State))`select state from webhook_delivery where webhook_id = ${webhookId}`)
    .then((state) => state === 'applied')
    .catch(() => false)
