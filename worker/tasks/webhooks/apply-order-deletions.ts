import { applyOrderDeletions as apply } from '../../../shared/domain/exchange/webhooks/orders-delete.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Removes the sales of deleted orders. */
export const applyOrderDeletions = defineDeliveryTask(jobs.applyOrderDeletions, (batch) =>
  applyInTransaction(batch, apply),
)
