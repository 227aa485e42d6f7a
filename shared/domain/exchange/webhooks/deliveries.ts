import { type Static, Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { type WebhookTopic, webhookJobs } from '../../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import type { ProjectedBody } from '../../kit/webhook-fields/projection.ts'

/*
 * States of a webhook delivery:
 *   received -> applied   also when it changes nothing
 *   received -> ignored   it concerns an earlier installation or a deleted record
 *   received -> rejected  its payload is invalid; it is never retried
 *   received -> failed    its job has no attempts left; stored until a person replays it
 *   failed   -> received  replayed (`replay.ts`)
 */

export type IncomingDelivery = {
  shopDomain: string
  topic: WebhookTopic
  webhookId: string
  eventId: string
  /** ISO instant; null when the platform did not send it. */
  triggeredAt: string | null
  payload: ProjectedBody
  /** The request context as flags of its job (`shared/telemetry/request-context.ts`). */
  jobFlags: readonly string[]
}

export type StoreOutcome = 'stored' | 'duplicate' | 'not installed'

const Received = Type.Object({
  position: Type.Integer(),
  isInstalled: Type.Boolean(),
  isStored: Type.Boolean(),
})

/** Limited, because one bad delivery delays all others of its job. */
const maxPerJob = 50
/** Limited, because all bodies of a job are in memory at the same time. */
const maxBytesPerJob = 4 * 1024 * 1024

/** Committed on return. A webhook id that the shop has sent before is a duplicate. Outcomes are in order. */
export async function storeDeliveries(
  db: Db,
  deliveries: readonly IncomingDelivery[],
): Promise<StoreOutcome[]> {
  const keyOf = ({ shopDomain, webhookId }: IncomingDelivery) => `${shopDomain} ${webhookId}`
  const groups = [...Map.groupBy(deliveries, keyOf).values()]
  const firsts = groups.flatMap(([first]) => first ?? [])
  const firstOutcomes = await storeDistinct(db, firsts)
  const outcomes = new Map<IncomingDelivery, StoreOutcome>()
  for (const [at, group] of groups.entries()) {
    const outcome = firstOutcomes[at]
    if (!outcome) throw new Error('The database returned no outcome for a delivery')
    for (const delivery of group) {
      const isRepeated = outcome === 'stored' && delivery !== group[0]
      outcomes.set(delivery, isRepeated ? 'duplicate' : outcome)
    }
  }
  return deliveries.flatMap((delivery) => outcomes.get(delivery) ?? [])
}

/** Calls `functions/store_projected_deliveries.sql`, which says why it is an SQL function. */
async function storeDistinct(db: Db, deliveries: readonly IncomingDelivery[]): Promise<StoreOutcome[]> {
  const received = await db.any(sql.type(row(Received))`
    select position, is_installed, is_stored
    from store_projected_deliveries(
      ${arrayOf('text', deliveries, ({ shopDomain }) => shopDomain)},
      ${arrayOf('text', deliveries, ({ topic }) => topic)},
      ${arrayOf('text', deliveries, ({ topic }) => webhookJobs[topic].name)},
      ${arrayOf('int4', deliveries, ({ topic }) => webhookJobs[topic].maxAttempts)},
      ${arrayOf('text', deliveries, ({ webhookId }) => webhookId)},
      ${arrayOf('text', deliveries, ({ eventId }) => eventId)},
      ${arrayOf('timestamptz', deliveries, ({ triggeredAt }) => triggeredAt)},
      ${arrayOf('int4', deliveries, ({ payload }) => payload.length)},
      ${arrayOf('text', deliveries, ({ jobFlags }) => jobFlags.join(' '))},
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

/** Reads the deliveries with these ids that are not applied yet, oldest first. */
export function readDeliveries(
  db: Db,
  shopId: number,
  ids: readonly number[],
): Promise<readonly WebhookDelivery[]> {
  return db.any(sql.type(row(WebhookDelivery))`${waiting(shopId, ids)}`)
}

/** As {@link readDeliveries}, with row locks, so that no other job applies them at the same time. */
export function lockDeliveries(
  tx: Db,
  shopId: number,
  ids: readonly number[],
): Promise<readonly WebhookDelivery[]> {
  return tx.any(sql.type(row(WebhookDelivery))`${waiting(shopId, ids)} for update`)
}

const maxAdditional = 150
/** Bytes per delivery. A stock level update has a few hundred; all bodies are in memory at the same time. */
const maxAdditionalBytes = 10_000
/** Shorter than the time until the jobs of a killed worker run again. */
const maxAgeSeconds = 5

/**
 * Locks later deliveries of a topic, oldest first, since a batch costs much less than separate jobs. Considers 150 and
 * skips locked ones. Older ones are excluded: one may have crashed a worker, and would then crash other jobs, too.
 */
export function lockAdditionalDeliveries(
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
        limit ${maxAdditional}
      ))
      and state = 'received' and topic = ${topic} and octet_length(payload) <= ${maxAdditionalBytes}
      and received_at > now() - make_interval(secs => ${maxAgeSeconds})
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

/** The final state of a delivery, with the reason or an empty string. */
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

/** Marks a delivery as failed, because its job has no attempts left. The job stores the error. */
export async function failDelivery(db: Db, shopId: number, id: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update webhook_delivery
    set state = 'failed', reason = 'It failed and is not retried automatically.', settled_at = now()
    where shop_id = ${shopId} and id = ${id} and state = 'received'
  `)
}
