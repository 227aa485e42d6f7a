import { computeChangedRules, computeRuleBatch } from '../../../shared/domain/reorder/compute.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes the reorder points of automatic rules from forecasts and sales, with a transaction per batch, or those of some rules. */
export const recomputeReorderPoints = defineTask(
  jobs.recomputeReorderPoints,
  (services, payload, { signal }) => {
    const { shopId, isOnlyNew = false, ruleIds } = payload
    if (ruleIds) {
      return services.db.transaction(async (tx) => {
        if (await lockInstalledShop(tx, shopId)) await computeChangedRules(tx, shopId, ruleIds)
      })
    }
    const job = { job: jobs.recomputeReorderPoints, payload, signal }
    return runInBatches(services, job, 'afterRuleId', (after) =>
      services.db.transaction(async (tx) => {
        const isInstalled = await lockInstalledShop(tx, shopId)
        return isInstalled ? computeRuleBatch(tx, shopId, after, { isOnlyNew }) : null
      }),
    )
  },
)
