import { verifyStockBatch } from '../../../shared/domain/stock/verify.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

/** Logs levels that differ from the sum of their movements, which is a bug. `stock:verify` repairs them. */
export const verifyStock = defineTask(
  jobs.verifyStock,
  async ({ db, log }, { shopId, afterVariantId = 0 }, { signal }) => {
    const isOver = startTimeBudget()
    for (let after: number | null = afterVariantId; after !== null; ) {
      signal.throwIfAborted()
      const { differences, lastVariantId } = await verifyStockBatch(db, shopId, after)
      if (differences.length > 0) log.error({ shopId, differences }, 'stock level differs from its movements')
      if (lastVariantId !== null && isOver()) {
        await enqueue(db, jobs.verifyStock, { shopId, afterVariantId: lastVariantId })
        return
      }
      after = lastVariantId
    }
  },
)
