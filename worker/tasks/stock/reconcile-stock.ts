import { applyReading } from '../../../shared/domain/documents/stock-counts/apply-reading.ts'
import { recheckLevels } from '../../../shared/domain/ledgers/stock/platform/recheck.ts'
import { resumePushes } from '../../../shared/domain/ledgers/stock/push.ts'
import { listStockedVariants } from '../../../shared/domain/ledgers/stock/stocked-variants.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask } from '../../queue/task.ts'
import { openLevelReader } from '../../sync/read-levels.ts'

/**
 * Compares the shop's stock with the platform, since webhooks may be lost, and resumes waiting pushes. Products whose items the
 * platform does not have are synced: they may be deleted.
 */
export const reconcileStock = defineTask(jobs.reconcileStock, async (services, payload, { signal }) => {
  const { db, adminApi } = services
  const { shopId, afterVariantId = 0 } = payload
  if (afterVariantId === 0) await resumePushes(db, shopId)
  const reader = await openLevelReader(adminApi(shopId), db, shopId, signal)
  const job = { job: jobs.reconcileStock, payload, signal }
  await runInBatches(services, job, 'afterVariantId', async (after) => {
    const variants = await listStockedVariants(db, shopId, after, reader.pageSize)
    const reading = await reader.read(variants)
    return inInstalledShop(db, shopId, async (tx) => {
      await applyReading(tx, shopId, reading)
      await recheckLevels(tx, shopId, reading.missingVariantIds)
      return variants.length < reader.pageSize ? null : (variants.at(-1)?.id ?? null)
    })
  })
})
