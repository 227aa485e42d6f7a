import { snapshotInventoryValue as snapshot } from '../../../shared/domain/views/reports/inventory-value.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Stores today's value of the shop's stock per location. */
export const snapshotInventoryValue = defineTask(jobs.snapshotInventoryValue, ({ db }, { shopId }) =>
  snapshot(db, shopId),
)
