import { computeChangedRules, computeRuleBatch } from '../../../shared/domain/planning/reorder/compute.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes the reorder points of automatic rules from forecasts and sales, with a transaction per batch, or those of some rules. */
export const recomputeReorderPoints = defineTask(
  jobs.recomputeReorderPoints,
  async (services, payload, { signal }) => {
    const { shopId, isOnlyNew = false, ruleIds } = payload
    if (ruleIds) {
      await inInstalledShop(services.db, shopId, (tx) => computeChangedRules(tx, shopId, ruleIds))
      return
    }
    const job = { job: jobs.recomputeReorderPoints, payload, signal }
    await runInBatches(services, job, 'afterRuleId', (after) =>
      inInstalledShop(services.db, shopId, (tx) => computeRuleBatch(tx, shopId, after, { isOnlyNew })),
    )
  },
)
