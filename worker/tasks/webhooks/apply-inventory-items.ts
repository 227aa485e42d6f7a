import { applyInventoryItems as apply } from '../../../shared/domain/exchange/webhooks/inventory-items-update.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Applies costs and tracking of inventory items that changed on the platform. */
export const applyInventoryItems = defineDeliveryTask(jobs.applyInventoryItems, (batch) =>
  applyInTransaction(batch, apply),
)
