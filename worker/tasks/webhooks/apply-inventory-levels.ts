import { applyInventoryLevels as apply } from '../../../shared/domain/webhooks/inventory-levels-update.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Takes over stock levels that changed on the platform, as many as have come. */
export const applyInventoryLevels = defineDeliveryTask(jobs.applyInventoryLevels, apply, {
  leftTo: jobs.fetchInventoryItems,
  takesAlong: 'INVENTORY_LEVELS_UPDATE',
})
