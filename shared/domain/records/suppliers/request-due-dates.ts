import type { Db } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'

/**
 * Enqueues the job that stores the due dates of open orders anew, since a supplier has another lead time, or an order another supplier. The
 * last statement of a transaction.
 */
export async function requestDueDates(tx: Db, shopId: number): Promise<void> {
  const { checkOverduePurchaseOrders: job } = jobs
  await enqueue(tx, job, { shopId }, { key: jobKey(job, shopId), priority: 'person' })
}
