import { applyProductDeletions as apply } from '../../../shared/domain/exchange/webhooks/products-delete.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Applies products that were deleted on the platform. */
export const applyProductDeletions = defineDeliveryTask(jobs.applyProductDeletions, (batch) =>
  applyInTransaction(batch, apply),
)
