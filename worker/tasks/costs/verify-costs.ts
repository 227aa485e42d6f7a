import { sql } from '../../../shared/db/db.ts'
import { forgetSettledCostPushes } from '../../../shared/domain/ledgers/cost-pushes/forget.ts'
import { resumeCostPushes } from '../../../shared/domain/ledgers/cost-pushes/request.ts'
import { followUnitCostsBatch, verifyCostBatch } from '../../../shared/domain/ledgers/costs/verify.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/**
 * Enqueues a job for costs that still wait for the platform, and forgets refused ones that are settled.
 * Writes the cost movements of unit costs that another release stored, then logs averages that differ from their movements,
 * which is a bug. `stock:verify` repairs them.
 */
export const verifyCosts = defineTask(jobs.verifyCosts, async (services, payload, { signal }) => {
  const { db, log } = services
  const { shopId } = payload
  if (payload.afterVariantId === undefined) {
    await db.transaction(async (tx) => {
      await forgetSettledCostPushes(tx, shopId, sql.fragment`true`)
      await resumeCostPushes(tx, shopId)
    })
  }
  const job = { job: jobs.verifyCosts, payload, signal }
  return runInBatches(services, job, 'afterVariantId', async (after) => {
    await followUnitCostsBatch(db, shopId, after)
    const { differences, lastVariantId } = await verifyCostBatch(db, shopId, after)
    if (differences.length > 0) log.error({ shopId, differences }, 'average cost differs from its movements')
    return lastVariantId
  })
})
