import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Db, sql } from '../../../shared/db/db.ts'
import { testKeys } from '../core/database.ts'
import type { Person } from '../core/people.ts'

export type Signed = { headers: Record<string, string>; payload: Buffer }

/** Signs a webhook of the person's shop as the platform does. Tests change single headers. */
export function sign(
  { shopDomain }: Pick<Person, 'shopDomain'>,
  topic: string,
  body: unknown,
  headers: Record<string, string> = {},
): Signed {
  const payload = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'x-platform-topic': topic,
      'x-platform-shop-domain': shopDomain,
      'x-platform-webhook-id': randomUUID(),
      'x-platform-triggered-at': new Date().toISOString(),
      'x-platform-hmac-sha256': createHmac('sha256', testKeys.PLATFORM_API_SECRET)
        .update(payload)
        .digest('base64'),
      ...headers,
    },
  }
}

export const deliver = (app: FastifyInstance, { headers, payload }: Signed) =>
  app.inject({ method: 'POST', url: '/webhooks', headers, payload })

/** The body of an order with lines of [line, variant, quantity]; a null variant is a custom item. */
export const orderBody = (id: number | string, lines: [number, number | null, number][]) => ({
  id,
  created_at: '2026-11-01T10:00:00+01:00',
  line_items: lines.map(([line, variant, quantity]) => ({
    id: line,
    variant_id: variant,
    quantity,
    title: 'Thing',
  })),
})

/** Stores a delivery of an order with one line of this quantity. Returns its id. */
export async function makeDelivery(
  db: Db,
  shopId: number,
  {
    quantity = 1,
    state = 'received',
    reason = '',
  }: { quantity?: number; state?: string; reason?: string } = {},
): Promise<number> {
  const { id } = await db.one(sql.typeAlias('id')`
    insert into webhook_delivery (shop_id, topic, webhook_id, payload, state, reason, settled_at)
    values (
      ${shopId}, 'ORDERS_CREATE', ${randomUUID()},
      ${sql.binary(Buffer.from(JSON.stringify(orderBody(nextOrder++, [[1, 1, quantity]]))))},
      ${state}, ${reason}, case when ${state} <> 'received' then now() end
    )
    returning id
  `)
  return id
}

let nextOrder = 1
