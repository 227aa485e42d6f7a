import { verifyStockBatch } from '../../../shared/domain/ledgers/stock/verify.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Logs levels that differ from the sum of their movements, which is a bug. `stock:verify` repairs them. */
export const verifyStock = defineTask(jobs.verifyStock, (services, payload, { signal }) => {
  const { db, log } = services
  const { shopId } = payload
  const job = { job: jobs.verifyStock, payload, signal }
  return runInBatches(services, job, 'afterVariantId', async (after) => {
    const { differences, lastVariantId } = await verifyStockBatch(db, shopId, after)
    if (differences.length > 0) log.error({ shopId, differences }, 'stock level differs from its movements')
    return lastVariantId
  })
})
