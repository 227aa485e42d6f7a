import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type WebhookTopic, webhookJobs } from '../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../schemas/common.ts'

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
  /** Which request brought it, as flags of its job (`shared/telemetry/request-context.ts`). */
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
const maxPerJob = 50
/** Their bodies are in memory together. */
const maxBytesPerJob = 4 * 1024 * 1024

/**
 * Stores deliveries and enqueues what applies them, in one statement: when it returns they are there for good. A
 * webhook that the shop has sent before is left as it is. Answers what became of each, in order.
 */
export async function storeDeliveries(db: Db, deliveries: readonly IncomingDelivery[]): Promise<Reception[]> {
  const keyOf = ({ shopDomain, webhookId }: IncomingDelivery) => `${shopDomain} ${webhookId}`
  const same = [...Map.groupBy(deliveries, keyOf).values()]
  const firsts = same.flatMap(([first]) => first ?? [])
  const receptions = await storeDistinct(db, firsts)
  const ends = new Map<IncomingDelivery, Reception>()
  for (const [at, group] of same.entries()) {
    const reception = receptions[at]
    if (!reception) throw new Error('The database did not say what became of a delivery')
    for (const one of group)
      ends.set(one, reception === 'stored' && one !== group[0] ? 'duplicate' : reception)
  }
  return deliveries.flatMap((delivery) => ends.get(delivery) ?? [])
}

/** The statement is a function of the database (`db/migrations/0029_store_deliveries.sql`), which says why. */
async function storeDistinct(db: Db, deliveries: readonly IncomingDelivery[]): Promise<Reception[]> {
  const texts = (values: readonly string[]) => sql.array(values, 'text')
  const numbers = (values: readonly number[]) => sql.array(values, 'int4')
  const received = await db.any(sql.type(row(Received))`
    select position, is_installed, is_stored
    from store_deliveries(
      ${texts(deliveries.map(({ shopDomain }) => shopDomain))},
      ${texts(deliveries.map(({ topic }) => topic))},
      ${texts(deliveries.map(({ topic }) => webhookJobs[topic].name))},
      ${numbers(deliveries.map(({ topic }) => webhookJobs[topic].maxAttempts))},
      ${texts(deliveries.map(({ webhookId }) => webhookId))},
      ${texts(deliveries.map(({ eventId }) => eventId))},
      ${sql.array(
        deliveries.map(({ triggeredAt }) => triggeredAt),
        'timestamptz',
      )},
      ${numbers(deliveries.map(({ payload }) => payload.length))},
      ${texts(deliveries.map(({ origin }) => origin.join(' ')))},
      ${sql.binary(Buffer.concat(deliveries.map(({ payload }) => payload)))},
      ${maxPerJob},
      ${maxBytesPerJob}
    )
    order by position
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

const maxTakenAlong = 150
/** News of stock has a few hundred; these are in memory together with those of the job. */
const maxBytesTakenAlong = 10_000
/** Less than it takes until a worker that was killed is noticed and its jobs run again. */
const freshSeconds = 5

/**
 * What else of a topic has just come behind these and is not being worked on, oldest first: applied together it costs
 * a fraction, and its own jobs find nothing left to do. Never waits for a lock, and looks at the next few only, however
 * many wait. What came earlier is left to its own job: it may be what has killed a worker, and when that is known it
 * must not kill those of all other jobs too.
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
    where shop_id = ${shopId} and id = any(array(
        select id
        from webhook_delivery
        where shop_id = ${shopId} and state = 'received' and id > ${taken.at(-1)?.id ?? 0}
        order by id
        limit ${maxTakenAlong}
      ))
      and state = 'received' and topic = ${topic} and octet_length(payload) <= ${maxBytesTakenAlong}
      and received_at > now() - make_interval(secs => ${freshSeconds})
    order by id
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
