import { applyInventoryLevels as apply } from '../../../shared/domain/webhooks/inventory-levels-update.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Applies stock levels that changed on the platform, with further waiting updates in one transaction. */
export const applyInventoryLevels = defineDeliveryTask(jobs.applyInventoryLevels, apply, {
  unsettledJob: jobs.fetchInventoryItems,
  batchTopic: 'INVENTORY_LEVELS_UPDATE',
})
