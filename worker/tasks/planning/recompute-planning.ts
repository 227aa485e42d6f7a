import { computePlanningBatch, computePlanningOfOrder } from '../../../shared/domain/planning/compute.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes a shop's stock gaps, overstock and lost sales in batches with a transaction each, or those of an order. */
export const recomputePlanning = defineTask(jobs.recomputePlanning, (services, payload, { signal }) => {
  const { db } = services
  const { shopId, purchaseOrderId } = payload
  if (purchaseOrderId !== undefined) {
    return db.transaction(async (tx) => {
      if (await lockInstalledShop(tx, shopId)) await computePlanningOfOrder(tx, shopId, purchaseOrderId)
    })
  }
  const job = { job: jobs.recomputePlanning, payload, signal }
  return runInBatches(services, job, 'afterVariantId', (after) =>
    db.transaction(async (tx) => {
      const isInstalled = await lockInstalledShop(tx, shopId)
      return isInstalled ? computePlanningBatch(tx, shopId, after) : null
    }),
  )
})
