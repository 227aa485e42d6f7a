import { computeForecastBatch } from '../../../shared/domain/planning/forecasts/compute.ts'
import { computeProfiles } from '../../../shared/domain/planning/forecasts/profiles.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { enqueue, jobKey } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/**
 * Computes a shop's forecasts: first the profiles of its product types, once a week, then the variants in batches
 * with a transaction each. The last batch enqueues the planning reports, which read them.
 */
export const recomputeForecasts = defineTask(
  jobs.recomputeForecasts,
  async (services, payload, { signal }) => {
    const { db } = services
    const { shopId, afterVariantId = 0 } = payload
    if (afterVariantId === 0) await computeProfiles(db, shopId, signal)
    await runInBatches(
      services,
      { job: jobs.recomputeForecasts, payload, signal },
      'afterVariantId',
      (after) =>
        inInstalledShop(db, shopId, async (tx) => {
          const next = await computeForecastBatch(tx, shopId, after, signal)
          if (next === null) {
            await enqueue(
              tx,
              jobs.recomputePlanning,
              { shopId },
              { key: jobKey(jobs.recomputePlanning, shopId) },
            )
          }
          return next
        }),
    )
  },
)
