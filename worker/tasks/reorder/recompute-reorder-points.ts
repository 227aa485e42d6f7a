import { computeRuleBatch } from '../../../shared/domain/reorder/compute.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

/**
 * Computes the points of automatic reorder rules from what was sold, batch after batch, each in a transaction of its
 * own. After a while it gives way to other jobs and enqueues what is left.
 */
export const recomputeReorderPoints = defineTask(
  jobs.recomputeReorderPoints,
  async ({ db }, { shopId, afterRuleId = 0, isOnlyNew = false }, { signal }) => {
    const isOver = startTimeBudget()
    for (let after: number | null = afterRuleId; after !== null; ) {
      signal.throwIfAborted()
      const behind: number = after
      after = await db.transaction(async (tx): Promise<number | null> => {
        if (!(await lockInstalledShop(tx, shopId))) return null
        const last = await computeRuleBatch(tx, shopId, behind, { isOnlyNew })
        if (last === null || !isOver()) return last
        await enqueue(tx, jobs.recomputeReorderPoints, { shopId, afterRuleId: last, isOnlyNew })
        return null
      })
    }
  },
)
