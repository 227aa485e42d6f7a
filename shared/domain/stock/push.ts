import { type Db, sql } from '../../db/db.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import type { StockChange, SummedLine } from './changes.ts'
import { platformReasonOf } from './reasons.ts'

/*
 * States of a change of stock that the platform is to be told:
 *
 *   queued  -> sending    a job is about to ask the platform (`stock-push-claims.ts`; committed before it asks)
 *   sending -> done       the platform has taken it (`stock-push-ends.ts`, as the next two)
 *   sending -> queued     it has certainly not taken it, or serves nobody on behalf of this shop; it is asked again
 *   sending -> failed     it never will: a person decides (alert `sync_conflict`)
 *   failed  -> queued     a person wants it tried again (`stock-push-decisions.ts`, as the next)
 *   failed  -> discarded  a person takes the platform's number
 *
 * Changes of one level reach the platform one after the other, in the order in which they were made.
 */

/** The platform takes so many lines at once. */
const maxLines = 250

/** Writes down what the platform is to be told of a change, and enqueues the job that tells it. */
export async function queuePushes(
  tx: Db,
  shopId: number,
  { form, reference, platformReason }: StockChange,
  lines: readonly SummedLine[],
): Promise<void> {
  const byReason = Map.groupBy(lines, ({ reason }) => platformReason ?? platformReasonOf(reason))
  for (const [reason, ofReason] of byReason) {
    for (let at = 0; at < ofReason.length; at += maxLines) {
      const rows = ofReason
        .slice(at, at + maxLines)
        .map(({ variantId, locationId, delta, countedAt }) => [variantId, locationId, delta, countedAt])
      await tx.query(sql.typeAlias('void')`
        with push as (
          insert into stock_push (shop_id, form, reason, reference)
          values (${shopId}, ${form}, ${reason}, ${reference})
          returning id
        )
        insert into stock_push_line (shop_id, push_id, variant_id, location_id, delta, counted_at)
        select ${shopId}, push.id, line.variant_id, line.location_id, line.delta, line.counted_at
        from push, ${sql.unnest(rows, ['int8', 'int8', 'int4', 'timestamptz'])}
          as line (variant_id, location_id, delta, counted_at)
      `)
    }
  }
  await enqueue(tx, jobs.pushStock, { shopId })
}

/** Enqueues the job, with all its attempts, when changes of the shop are still to be told. */
export function resumePushes(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    const isOpen = await tx.exists(sql.typeAlias('void')`
      select from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
    `)
    if (isOpen) await enqueue(tx, jobs.pushStock, { shopId })
  })
}
