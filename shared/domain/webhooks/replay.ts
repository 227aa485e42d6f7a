import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import { type WebhookTopic, webhookJobs } from '../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../schemas/common.ts'

/** A delivery as developers see it, without its body. */
export const KeptDelivery = Type.Object({
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
export type KeptDelivery = Static<typeof KeptDelivery>

export type DeliveryFilter = {
  ids?: readonly number[] | undefined
  shopIds?: readonly number[] | undefined
  state?: string | undefined
  topic?: string | undefined
  since?: string | undefined
}

/** Deliveries that are kept, the newest first: of every shop, so for developers alone. */
export function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  limit: number | null,
): Promise<readonly KeptDelivery[]> {
  return db.any(sql.type(row(KeptDelivery))`
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
 * Has deliveries applied again: they are `received` once more, and each gets a job of its own, so that none holds up
 * another. Those that were applied meanwhile are left alone unless `isForced`, and so are those of ended installations and of
 * topics that no job applies. Answers the ids of what is replayed.
 */
export function replayDeliveries(
  db: Db,
  deliveries: readonly Pick<KeptDelivery, 'shopId' | 'id'>[],
  { isForced }: { isForced: boolean },
): Promise<number[]> {
  const rows = deliveries.map(({ shopId, id }) => [shopId, id])
  return replay(
    db,
    sql.fragment`
      (d.shop_id, d.id) in (select shop_id, id from ${sql.unnest(rows, ['int8', 'int8'])} as named (shop_id, id))
      and (d.state <> 'applied' or ${isForced})
    `,
  )
}

/** The same for those of a shop that have failed: of one, or of all, the oldest first, at most so many. */
export function replayFailed(
  db: Db,
  shopId: number,
  { id, most }: { id?: number; most: number },
): Promise<number[]> {
  const which = sql.and([
    sql.fragment`d.shop_id = ${shopId} and d.state = 'failed'`,
    id !== undefined && sql.fragment`d.id = ${id}`,
  ])
  return replay(db, sql.fragment`${which}`, most)
}

/** `which` tells the deliveries `d`, in the state in which they are when they are locked. */
function replay(
  db: Db,
  which: ReturnType<typeof sql.fragment>,
  most: number | null = null,
): Promise<number[]> {
  return db.transaction(async (tx) => {
    const replayed = await tx.any(sql.type(row(Replayed))`
      with held as (
        select d.shop_id, d.id
        from webhook_delivery d
        join shop s on s.id = d.shop_id and s.uninstalled_at is null
        where ${which} and d.topic = any(${sql.array(Object.keys(webhookJobs), 'text')})
        order by d.id -- as jobs lock them
        limit ${most}
        for update of d
      )
      update webhook_delivery d
      set state = 'received', reason = '', settled_at = null
      from held h
      where d.shop_id = h.shop_id and d.id = h.id
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
