import { snapshotInventoryValue as snapshot } from '../../shared/domain/inventory-value.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineTask } from '../task.ts'

/** Writes down what the shop's stock is worth today, location by location. */
export const snapshotInventoryValue = defineTask(jobs.snapshotInventoryValue, ({ db }, { shopId }) =>
  snapshot(db, shopId),
)
