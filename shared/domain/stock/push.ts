import { type Db, sql } from '../../db/db.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import type { StockChange, SummedLine } from './changes.ts'
import { platformReasonOf } from './reasons.ts'

/*
 * A push is a stock change that the worker has to send to the platform. Its states (files in `stock-pushes/`):
 *   transition            function          cause
 *   queued  -> sending    claimPush         the worker is about to send it; committed before the request is sent
 *   sending -> done       settlePush        the platform accepted it
 *   sending -> queued     requeuePush       the platform refused it, and another request may succeed
 *   sending -> queued     pausePush         the platform serves no requests for this shop at the moment
 *   sending -> failed     failPush          the platform will never accept it: a person decides (alert `sync_conflict`)
 *   failed  -> queued     retryStockPush    a person requests another try
 *   failed  -> discarded  discardStockPush  a person accepts the platform's quantity
 * Guaranteed: pushes of one level reach the platform one at a time, in the order in which they were made.
 */

/** The platform's maximum number of lines in one request. */
const maxLines = 250

/** Stores the pushes of a change, one per reason and 250 lines, and enqueues the job that sends them. */
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

/** Enqueues a new job, with all its attempts, when the shop has pushes that are queued or sending. */
export function resumePushes(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    const isOpen = await tx.exists(sql.typeAlias('void')`
      select from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
    `)
    if (isOpen) await enqueue(tx, jobs.pushStock, { shopId })
  })
}
