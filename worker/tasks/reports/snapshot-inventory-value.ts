import { snapshotInventoryValue as snapshot } from '../../../shared/domain/reports/inventory-value.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Writes down what the shop's stock is worth today, location by location. */
export const snapshotInventoryValue = defineTask(jobs.snapshotInventoryValue, ({ db }, { shopId }) =>
  snapshot(db, shopId),
)
