import { verifyStockBatch } from '../../../shared/domain/stock/verify.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

/**
 * Checks that every level is the sum of its movements, and logs those that are not: only `shared/domain/stock/move.ts` and
 * its two neighbours write either, so a difference is a fault of ours. `npm run stock:verify -- --repair` mends it.
 */
export const verifyStock = defineTask(
  jobs.verifyStock,
  async ({ db, log }, { shopId, afterVariantId = 0 }, { signal }) => {
    const isOver = startTimeBudget()
    for (let after: number | null = afterVariantId; after !== null; ) {
      signal.throwIfAborted()
      const { differences, lastVariantId } = await verifyStockBatch(db, shopId, after)
      if (differences.length > 0) log.error({ shopId, differences }, 'stock does not fit its ledger')
      if (lastVariantId !== null && isOver()) {
        await enqueue(db, jobs.verifyStock, { shopId, afterVariantId: lastVariantId })
        return
      }
      after = lastVariantId
    }
  },
)
