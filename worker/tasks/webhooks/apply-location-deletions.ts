import { applyLocationDeletions as apply } from '../../../shared/domain/exchange/webhooks/locations.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Applies locations that were deleted on the platform. */
export const applyLocationDeletions = defineDeliveryTask(jobs.applyLocationDeletions, (batch) =>
  applyInTransaction(batch, apply),
)
