import { tallyBatch } from '../../../shared/domain/reports/tallies.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Writes down how many products and low rules the shop has, batch after batch. */
export const tallyShop = defineTask(jobs.tallyShop, async ({ db }, { shopId }, { signal }) => {
  while (await tallyBatch(db, shopId)) signal.throwIfAborted()
})
