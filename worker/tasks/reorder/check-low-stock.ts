import { checkRules } from '../../../shared/domain/ledgers/stock/low-stock.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Checks all reorder rules: a changed threshold, or a variant that a reading of the catalogue finds deleted, triggers no other check. */
export const checkLowStock = defineTask(jobs.checkLowStock, (services, payload, { signal }) =>
  runInBatches(services, { job: jobs.checkLowStock, payload, signal }, 'afterRuleId', (after) =>
    inInstalledShop(services.db, payload.shopId, (tx) => checkRules(tx, payload.shopId, after)),
  ),
)
