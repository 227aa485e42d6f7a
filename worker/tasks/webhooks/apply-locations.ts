import { applyLocations as apply } from '../../../shared/domain/exchange/webhooks/locations.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Applies locations that changed on the platform. */
export const applyLocations = defineDeliveryTask(jobs.applyLocations, (batch) =>
  applyInTransaction(batch, apply),
)
