import { projectBatch } from '../../../shared/domain/exchange/webhooks/customer-data.ts'
import { applyRedactions } from '../../../shared/domain/exchange/webhooks/customer-requests.ts'
import type { Settlement } from '../../../shared/domain/exchange/webhooks/deliveries.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, type DeliveryBatch, defineDeliveryTask } from '../../queue/delivery-task.ts'

/**
 * Removes customers' data. Only deliveries that the previous release stored can contain any, so the job projects all of the
 * shop, whichever customer they concern.
 */
export const redactCustomers = defineDeliveryTask(jobs.redactCustomers, async (batch) => {
  const { services, shopId, attempt } = batch
  let projected = 0
  for (let count = -1; count !== 0; projected += count) {
    attempt.signal.throwIfAborted()
    count = await projectBatch(services.db, shopId)
  }
  const settlements = await applyInTransaction(batch, (tx, ofShop, _namespace, deliveries) =>
    applyRedactions(tx, ofShop, deliveries, projected),
  )
  logApplied(batch, settlements, 'customer data redacted')
  return settlements
})

/** One line for operators; the reasons hold numbers only. */
export function logApplied(
  { services, shopId }: DeliveryBatch,
  settlements: readonly Settlement[],
  message: string,
): void {
  const requests = settlements
    .filter(({ state }) => state === 'applied')
    .map(({ id, reason }) => ({ deliveryId: id, reason }))
  if (requests.length > 0) services.log.info({ shopId, requests }, message)
}
