import { type Db, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'

/*
 * A push is a stock change that the worker has to send to the platform. Its states (files in `stock-pushes/`):
 *   transition              function                    cause
 *   (none)    -> queued     move_stock                  a change of ours, in the transaction of the change (`move.ts`)
 *   queued    -> sending    claimPush                   the worker is about to send it; committed before the request is sent
 *   queued    -> (deleted)  joinFollowing, packWaiting  its lines are sent with another push
 *   (deleted) -> queued     unpackPush                  the platform refused such a request without naming the level
 *   sending   -> done       settlePush                  the platform accepted it
 *   sending   -> queued     requeuePush                 the platform refused it, and another request may succeed
 *   sending   -> queued     pausePush                   the platform serves no requests for this shop at the moment
 *   sending   -> sending    pausePush                   no response: the same request is sent again with the same key
 *   sending   -> failed     failPush                    the platform will never accept it: a person decides (alert `sync_conflict`)
 *   failed    -> queued     retryStockPush              a person requests another try
 *   failed    -> discarded  discardStockPush            a person accepts the platform's quantity
 * Guaranteed: pushes of one level reach the platform one at a time, in the order in which they were made. A change that finds a job of
 * its shop waiting adds none (`functions/push_job.sql`).
 */

/** Enqueues a new job, with all its attempts, when the shop has pushes that are queued or sending. */
export function resumePushes(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    const isOpen = await tx.exists(sql.typeAlias('void')`
      select from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
    `)
    if (isOpen) await enqueue(tx, jobs.pushStock, { shopId })
  })
}
