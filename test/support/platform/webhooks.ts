import { createHmac, randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { type DeliveryJob, type WebhookTopic, webhookJobs } from '../../../shared/queue/jobs.ts'
import { type AppOptions, startApp } from '../core/app.ts'
import { testKeys } from '../core/database.ts'
import type { Person } from '../core/people.ts'
import { until } from '../core/until.ts'
import { deliveryJobs, startTasks } from '../core/worker.ts'

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

const Settled = Type.Object({ state: Type.String(), reason: Type.String() })

/** Runs web's and the worker's code on one database: delivered webhooks are applied as the queue would do it. */
export async function startDeliveries(t: Test, options?: AppOptions) {
  const { app, db, alice, mallory } = await startApp(t, options)
  const { perform } = await startTasks(t, db)

  /** Applies all pending deliveries of a topic of a person's shop, as one list. */
  const applyAll = async (topic: WebhookTopic, person: Person = alice) => {
    const job: DeliveryJob = webhookJobs[topic]
    const lists = await deliveryJobs(db, job, person.shopId)
    if (lists.length === 0) return
    const outcomes = await perform(job, lists.flat())
    if (Array.isArray(outcomes)) await Promise.all(outcomes)
  }

  return {
    app,
    db,
    alice,
    mallory,
    perform,
    applyAll,
    /** Delivers bodies and applies them as one batch. Returns the outcome of each. */
    deliverAndApply: async (topic: WebhookTopic, ...bodies: unknown[]) => {
      for (const body of bodies) {
        const signed = sign(alice, topic, body)
        // like the platform, which sends a webhook again that a busy process refused
        await until(async () => (await deliver(app, signed)).statusCode !== 503, 'the webhook is not refused')
      }
      await applyAll(topic)
      const states = await db.any(sql.type(row(Settled))`
        select state, reason from webhook_delivery where shop_id = ${alice.shopId} order by id
      `)
      return states.slice(-bodies.length)
    },
  }
}

const Level = Type.Object({ quantity: Type.Integer(), platformQuantity: Type.Integer() })
const Movement = Type.Object({
  previousQuantity: Type.Integer(),
  newQuantity: Type.Integer(),
  kind: Type.String(),
})

/** A shop with item 5 (used by one or more variants) and location 6. */
export async function startStock(t: Test, variants = 1) {
  const context = await startDeliveries(t)
  const { db, alice } = context
  const { shopId } = alice
  const product = await db.oneFirst(sql.typeAlias('id')`
    insert into product (shop_id, gid, title) values (${shopId}, 'gid://platform/Product/1', 'Mug') returning id
  `)
  for (let number = 1; number <= variants; number += 1) {
    await db.query(sql.typeAlias('void')`
      insert into variant (shop_id, gid, product_id, inventory_item_gid)
      values (${shopId}, ${`gid://platform/ProductVariant/${number}`}, ${product}, 'gid://platform/InventoryItem/5')
    `)
  }
  await db.query(sql.typeAlias('void')`
    insert into location (shop_id, gid, name) values (${shopId}, 'gid://platform/Location/6', 'Shop')
  `)
  return {
    ...context,
    levels: () =>
      db.any(sql.type(row(Level))`
        select quantity, platform_quantity from stock_level where shop_id = ${shopId} order by variant_id
      `),
    movements: () =>
      db.any(sql.type(row(Movement))`
        select previous_quantity, new_quantity, kind from stock_movement where shop_id = ${shopId} order by id
      `),
  }
}

/** The body of a webhook about item 5 at location 6. */
export const level = (available: number | null, minute: number, fields = {}) => ({
  inventory_item_id: 5,
  location_id: 6,
  available,
  updated_at: `2026-11-01T10:${String(minute).padStart(2, '0')}:00Z`,
  ...fields,
})
