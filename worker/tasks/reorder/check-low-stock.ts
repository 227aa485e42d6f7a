import { checkRules } from '../../../shared/domain/reorder/low-stock.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

/** Checks all reorder rules: a changed threshold or a deleted product triggers no other check. */
export const checkLowStock = defineTask(
  jobs.checkLowStock,
  async ({ db }, { shopId, afterRuleId = 0 }, { signal }) => {
    const isOver = startTimeBudget()
    for (let after: number | null = afterRuleId; after !== null; ) {
      signal.throwIfAborted()
      const lastRuleId: number = after
      after = await db.transaction(async (tx): Promise<number | null> => {
        if (!(await lockInstalledShop(tx, shopId))) return null
        const last = await checkRules(tx, shopId, lastRuleId)
        if (last === null || !isOver()) return last
        await enqueue(tx, jobs.checkLowStock, { shopId, afterRuleId: last })
        return null
      })
    }
  },
)
