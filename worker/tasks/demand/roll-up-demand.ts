import { sql } from '../../../shared/db/db.ts'
import { closeRollUp, rollUpBatch } from '../../../shared/domain/ledgers/demand/roll-up.ts'
import { markStale } from '../../../shared/domain/planning/forecasts/stale.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Rolls up a shop's demand by day in batches. The last batch enqueues its forecasts, which read these days. */
export const rollUpDemand = defineTask(jobs.rollUpDemand, (services, payload, { signal }) =>
  runInBatches(services, { job: jobs.rollUpDemand, payload, signal }, 'afterVariantId', (after) =>
    inInstalledShop(services.db, payload.shopId, async (tx) => {
      const { next, wholeIds } = await rollUpBatch(tx, payload.shopId, after)
      await markStale(tx, payload.shopId, sql.fragment`f.variant_id = any(${sql.array(wholeIds, 'int8')})`)
      if (next !== null) return next
      await closeRollUp(tx, payload.shopId)
      await enqueue(tx, jobs.recomputeForecasts, { shopId: payload.shopId })
      // before the first roll-up, the point of a location's rule is not known
      await enqueue(tx, jobs.recomputeReorderPoints, { shopId: payload.shopId, isOnlyNew: true })
      return null
    }),
  ),
)
