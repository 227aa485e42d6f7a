import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { type WebhookTopic, webhookJobs } from '../../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'

export const StoredDelivery = Type.Object({
  id: Id,
  shopId: Id,
  shop: Type.String(),
  isInstalled: Type.Boolean(),
  topic: Type.String(),
  state: Type.String(),
  reason: Type.String(),
  receivedAt: Timestamp,
  settledAt: Nullable(Timestamp),
})
export type StoredDelivery = Static<typeof StoredDelivery>

export type DeliveryFilter = {
  ids?: readonly number[] | undefined
  shopIds?: readonly number[] | undefined
  state?: string | undefined
  topic?: string | undefined
  since?: string | undefined
}

/** Lists the stored deliveries of all shops, newest first. For operators only. */
export function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  limit: number | null,
): Promise<readonly StoredDelivery[]> {
  return db.any(sql.type(row(StoredDelivery))`
    select d.id, d.shop_id, s.domain as shop, s.uninstalled_at is null as is_installed, d.topic, d.state, d.reason,
      d.received_at, d.settled_at
    from webhook_delivery d
    join shop s on s.id = d.shop_id
    where ${sql.and([
      filter.shopIds && sql.fragment`d.shop_id = any(${sql.array([...filter.shopIds], 'int8')})`,
      filter.ids && sql.fragment`d.id = any(${sql.array([...filter.ids], 'int8')})`,
      filter.state !== undefined && sql.fragment`d.state = ${filter.state}`,
      filter.topic !== undefined && sql.fragment`d.topic = ${filter.topic}`,
      filter.since !== undefined && sql.fragment`d.received_at >= ${filter.since}::timestamptz`,
    ])}
    order by d.received_at desc, d.id desc
    limit ${limit}
  `)
}

const Replayed = Type.Object({ id: Id, shopId: Id, topic: Type.String() })

/**
 * Applies deliveries again: sets them to `received`, and enqueues a separate job for each, so that none delays another.
 * Skips deliveries of ended installations and of topics without a job, and applied ones unless `isForced`. Returns the
 * ids of the replayed deliveries.
 */
export function replayDeliveries(
  db: Db,
  deliveries: readonly Pick<StoredDelivery, 'shopId' | 'id'>[],
  { isForced }: { isForced: boolean },
): Promise<number[]> {
  const rows = deliveries.map(({ shopId, id }) => [shopId, id])
  return replay(
    db,
    [...new Set(deliveries.map(({ shopId }) => shopId))],
    sql.fragment`
      (d.shop_id, d.id) in (select shop_id, id from ${sql.unnest(rows, ['int8', 'int8'])} as chosen (shop_id, id))
      and (d.state <> 'applied' or ${isForced})
    `,
  )
}

/** Replays failed deliveries of a shop: one, or all, oldest first, at most `max`. Returns their ids. */
export function replayFailed(
  db: Db,
  shopId: number,
  { id, max }: { id?: number; max: number },
): Promise<number[]> {
  const condition = sql.and([
    sql.fragment`d.state = 'failed'`,
    id !== undefined && sql.fragment`d.id = ${id}`,
  ])
  return replay(db, [shopId], sql.fragment`${condition}`, max)
}

/** `condition` selects the deliveries `d` of the shops; it is checked again after locking. */
function replay(
  db: Db,
  shopIds: readonly number[],
  condition: ReturnType<typeof sql.fragment>,
  max: number | null = null,
): Promise<number[]> {
  return db.transaction(async (tx) => {
    const replayed = await tx.any(sql.type(row(Replayed))`
      with locked as (
        select d.shop_id, d.id
        from webhook_delivery d
        join shop s on s.id = d.shop_id and s.uninstalled_at is null
        where d.shop_id = any(${sql.array([...shopIds], 'int8')}) and ${condition} and d.topic = any(${sql.array(Object.keys(webhookJobs), 'text')})
        order by d.id -- the order in which jobs lock them
        limit ${max}
        for update of d
      )
      update webhook_delivery d
      set state = 'received', reason = '', settled_at = null
      from locked l
      where d.shop_id = any(${sql.array([...shopIds], 'int8')}) and d.shop_id = l.shop_id and d.id = l.id
      returning d.id, d.shop_id, d.topic
    `)
    const byTopic = Map.groupBy(replayed, ({ topic }) => topic)
    for (const [topic, ofTopic] of byTopic) {
      const payloads = ofTopic.map(({ shopId, id }) => [{ shopId, deliveryId: id }])
      await enqueueAll(tx, webhookJobs[topic as WebhookTopic], payloads)
    }
    return replayed.map(({ id }) => id)
  })
}
