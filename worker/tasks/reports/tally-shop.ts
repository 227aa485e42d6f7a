import { tallyBatch } from '../../../shared/domain/reports/tallies.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Stores the counts of the shop's products and low-stock rules, in batches. */
export const tallyShop = defineTask(jobs.tallyShop, async ({ db }, { shopId }, { signal }) => {
  while (await tallyBatch(db, shopId)) signal.throwIfAborted()
})
