import { computeRuleBatch } from '../../../shared/domain/reorder/compute.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

/** Computes the reorder points of automatic rules from sales, with a transaction per batch. */
export const recomputeReorderPoints = defineTask(
  jobs.recomputeReorderPoints,
  async ({ db }, { shopId, afterRuleId = 0, isOnlyNew = false }, { signal }) => {
    const isOver = startTimeBudget()
    for (let after: number | null = afterRuleId; after !== null; ) {
      signal.throwIfAborted()
      const lastRuleId: number = after
      after = await db.transaction(async (tx): Promise<number | null> => {
        if (!(await lockInstalledShop(tx, shopId))) return null
        const last = await computeRuleBatch(tx, shopId, lastRuleId, { isOnlyNew })
        if (last === null || !isOver()) return last
        await enqueue(tx, jobs.recomputeReorderPoints, { shopId, afterRuleId: last, isOnlyNew })
        return null
      })
    }
  },
)
