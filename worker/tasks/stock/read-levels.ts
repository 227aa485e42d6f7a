import { applyReading } from '../../../shared/domain/documents/stock-counts/apply-reading.ts'
import {
  claimReads,
  dropReads,
  releaseReads,
  resumeReads,
} from '../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import type { LevelReading } from '../../../shared/domain/ledgers/stock/platform/reading.ts'
import { recheckLevels } from '../../../shared/domain/ledgers/stock/platform/recheck.ts'
import type { StockedVariant } from '../../../shared/domain/ledgers/stock/stocked-variants.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'
import { openLevelReader } from '../../sync/read-levels.ts'

/** Reads the levels of the variants that `enqueueReadLevels` has requested, a page per request. */
export const readLevels = defineTask(jobs.readLevels, async ({ db, adminApi }, { shopId }, { signal }) => {
  const isOver = startTimeBudget()
  const reader = await openLevelReader(adminApi(shopId, 'urgent'), db, shopId, signal)
  while (!isOver()) {
    signal.throwIfAborted()
    const claimed = await claimReads(db, shopId, reader.pageSize)
    if (claimed.length === 0) break
    const claimedIds = claimed.map(({ id }) => id)
    const variants = claimed.flatMap(({ id, inventoryItemGid }): StockedVariant[] =>
      inventoryItemGid === null ? [] : [{ id, inventoryItemGid }],
    )
    let reading: LevelReading
    try {
      reading = await reader.read(variants)
    } catch (error) {
      await releaseReads(db, shopId, claimedIds)
      throw error
    }
    const known = new Set(reading.variantIds)
    const isInstalled = await inInstalledShop(db, shopId, async (tx) => {
      await applyReading(tx, shopId, reading)
      await dropReads(
        tx,
        shopId,
        claimedIds.filter((id) => !known.has(id)),
      )
      await recheckLevels(tx, shopId, reading.missingVariantIds)
      return true
    })
    if (!isInstalled) return
  }
  await resumeReads(db, shopId)
})
