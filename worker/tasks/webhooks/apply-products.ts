import { applyProducts as apply } from '../../../shared/domain/exchange/webhooks/products-update.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Applies products that changed on the platform. */
export const applyProducts = defineDeliveryTask(jobs.applyProducts, (batch) =>
  applyInTransaction(batch, apply),
)
