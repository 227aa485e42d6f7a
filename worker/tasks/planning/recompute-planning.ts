import {
  computePlanningBatch,
  computePlanningOfOrder,
} from '../../../shared/domain/planning/planning/compute.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes a shop's stock gaps, overstock and lost sales in batches with a transaction each, or those of an order. */
export const recomputePlanning = defineTask(jobs.recomputePlanning, async (services, payload, { signal }) => {
  const { db } = services
  const { shopId, purchaseOrderId } = payload
  if (purchaseOrderId !== undefined) {
    await inInstalledShop(db, shopId, (tx) => computePlanningOfOrder(tx, shopId, purchaseOrderId))
    return
  }
  const job = { job: jobs.recomputePlanning, payload, signal }
  await runInBatches(services, job, 'afterVariantId', (after) =>
    inInstalledShop(db, shopId, (tx) => computePlanningBatch(tx, shopId, after)),
  )
})
