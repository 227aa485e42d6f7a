import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { type WebhookTopic, webhookJobs } from '../jobs.ts'
import { Id, Nullable, Timestamp } from '../schemas/common.ts'

/*
 * States of a delivery: received -> applied  (also when it tells nothing that is not known)
 *                       received -> ignored  (of an earlier installation, or of what is not there any more)
 *                       received -> rejected (makes no sense, and never will)
 *                       received -> failed   (its job has used its attempts; kept until someone decides)
 */

export type IncomingDelivery = {
  shopDomain: string
  topic: WebhookTopic
  webhookId: string
  eventId: string
  /** ISO instant, null when the platform did not say. */
  triggeredAt: string | null
  payload: Buffer
  /** Which request brought it, as flags of its job (`shared/origin.ts`). */
  origin: readonly string[]
}

/** What became of an incoming delivery. */
export type Reception = 'stored' | 'duplicate' | 'not installed'

const Received = Type.Object({
  position: Type.Integer(),
  isInstalled: Type.Boolean(),
  isStored: Type.Boolean(),
})

/** More in one job would make one bad delivery hold up too many others. */
const mostPerJob = 50
/** Their bodies are in memory together. */
const mostBytesPerJob = 4 * 1024 * 1024

/**
 * Stores deliveries and enqueues what applies them, in one statement: when it returns they are there for good. A
 * webhook that the shop has sent before is left as it is. Answers what became of each, in order.
 */
export async function storeDeliveries(db: Db, deliveries: readonly IncomingDelivery[]): Promise<Reception[]> {
  const rows = deliveries.map((delivery, position) => [
    position,
    delivery.shopDomain,
    delivery.topic,
    webhookJobs[delivery.topic].name,
    webhookJobs[delivery.topic].maxAttempts,
    delivery.webhookId,
    delivery.eventId,
    delivery.triggeredAt,
    delivery.payload,
    delivery.origin.join(' '),
  ])
  const received = await db.any(sql.type(row(Received))`
    with incoming as (
      select i.*, s.id as shop_id
      from ${sql.unnest(rows, ['int4', 'text', 'text', 'text', 'int4', 'text', 'text', 'timestamptz', 'bytea', 'text'])}
        as i (position, domain, topic, job, max_attempts, webhook_id, event_id, triggered_at, payload, origin)
      left join shop s on s.domain = i.domain and s.uninstalled_at is null
    ),
    stored as (
      insert into webhook_delivery (shop_id, topic, webhook_id, event_id, triggered_at, payload)
      select distinct on (shop_id, webhook_id) shop_id, topic, webhook_id, event_id, triggered_at, payload
      from incoming
      where shop_id is not null
      order by shop_id, webhook_id, position
      on conflict do nothing
      returning shop_id, id, topic, webhook_id, octet_length(payload) as bytes
    ),
    numbered as (
      select i.job, i.max_attempts, i.origin, d.shop_id, d.id,
        (row_number() over (partition by i.job order by d.id) - 1) / ${mostPerJob}
          + sum(d.bytes) over (partition by i.job order by d.id) / ${mostBytesPerJob} as part
      from stored d
      join (
        select distinct on (shop_id, webhook_id) shop_id, webhook_id, job, max_attempts, origin
        from incoming
        order by shop_id, webhook_id, position
      ) i on i.shop_id = d.shop_id and i.webhook_id = d.webhook_id
    ),
    spec as (
      select row(
        job, json_agg(json_build_object('shopId', shop_id, 'deliveryId', id) order by id),
        null, null, max_attempts, null, null,
        string_to_array(trim(string_agg(origin, ' ' order by id)), ' ')
      )::graphile_worker.job_spec as spec
      from numbered
      group by job, max_attempts, part
    ),
    enqueued as (
      select count(*) as jobs
      from (select array_agg(spec) as specs from spec having count(*) > 0) all_specs
      cross join lateral graphile_worker.add_jobs(specs)
    )
    select distinct on (i.position) i.position, i.shop_id is not null as is_installed,
      d.id is not null as is_stored
    from enqueued
    cross join incoming i
    left join stored d on d.shop_id = i.shop_id and d.webhook_id = i.webhook_id
    order by i.position
  `)
  return received.map(({ isInstalled, isStored }) =>
    isStored ? 'stored' : isInstalled ? 'duplicate' : 'not installed',
  )
}

export const WebhookDelivery = Type.Object({
  id: Id,
  triggeredAt: Nullable(Timestamp),
  receivedAt: Timestamp,
  payload: Type.Unsafe<Buffer>(Type.Any()),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** Those of the named deliveries that wait to be applied, oldest first. */
export function readDeliveries(
  db: Db,
  shopId: number,
  ids: readonly number[],
): Promise<readonly WebhookDelivery[]> {
  return db.any(sql.type(row(WebhookDelivery))`${waiting(shopId, ids)}`)
}

/** The same, and a row lock keeps a second job off them. */
export function takeDeliveries(
  tx: Db,
  shopId: number,
  ids: readonly number[],
): Promise<readonly WebhookDelivery[]> {
  return tx.any(sql.type(row(WebhookDelivery))`${waiting(shopId, ids)} for update`)
}

const mostTakenAlong = 150

/**
 * What else of a topic has just come behind these and is not being worked on, oldest first: applied together it costs
 * a fraction, and its own jobs find nothing left to do. Never waits for a lock. What came earlier is left to its own
 * job: it may be what has killed a worker, and must not kill those of all other jobs too.
 */
export function takeFurtherDeliveries(
  tx: Db,
  shopId: number,
  topic: WebhookTopic,
  taken: readonly WebhookDelivery[],
): Promise<readonly WebhookDelivery[]> {
  return tx.any(sql.type(row(WebhookDelivery))`
    select id, triggered_at, received_at, payload
    from webhook_delivery
    where shop_id = ${shopId} and state = 'received' and id > ${taken.at(-1)?.id ?? 0} and topic = ${topic}
      and received_at > now() - interval '5 seconds'
    order by id
    limit ${mostTakenAlong}
    for update skip locked
  `)
}

const waiting = (shopId: number, ids: readonly number[]) => sql.fragment`
  select id, triggered_at, received_at, payload
  from webhook_delivery
  where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) and state in ('received', 'failed')
  order by id
`

/** How deliveries ended: by state, each with its reason. */
export type Settlement = { id: number; state: 'applied' | 'ignored' | 'rejected' | 'failed'; reason: string }

export async function settleDeliveries(
  tx: Db,
  shopId: number,
  settlements: readonly Settlement[],
): Promise<void> {
  if (settlements.length === 0) return
  const rows = settlements.map(({ id, state, reason }) => [id, state, reason])
  await tx.query(sql.typeAlias('void')`
    update webhook_delivery d
    set state = s.state, reason = s.reason, settled_at = now()
    from ${sql.unnest(rows, ['int8', 'text', 'text'])} as s (id, state, reason)
    where d.shop_id = ${shopId} and d.id = s.id
  `)
}

/** Marks a delivery whose job has used its attempts; the job keeps the error. */
export async function failDelivery(db: Db, shopId: number, id: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update webhook_delivery
    set state = 'failed', reason = 'It could not be applied, and is not tried again by itself.', settled_at = now()
    where shop_id = ${shopId} and id = ${id} and state = 'received'
  `)
}
