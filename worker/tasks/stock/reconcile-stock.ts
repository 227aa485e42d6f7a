import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { applyPlatformLevels } from '../../../shared/domain/stock/platform-updates.ts'
import { resumePushes } from '../../../shared/domain/stock/push.ts'
import { listStockedVariants } from '../../../shared/domain/stock/stocked-variants.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'
import { openLevelReader } from '../../sync/read-levels.ts'

/** Compares the shop's stock with the platform, since webhooks may be lost, and resumes waiting pushes. */
export const reconcileStock = defineTask(
  jobs.reconcileStock,
  async ({ db, adminApi }, { shopId, afterVariantId = 0 }, { signal }) => {
    const isTimeBudgetUsed = startTimeBudget()
    if (afterVariantId === 0) await resumePushes(db, shopId)
    const reader = await openLevelReader(adminApi(shopId), db, shopId, signal)
    for (let after: number | null = afterVariantId; after !== null; ) {
      signal.throwIfAborted()
      const variants = await listStockedVariants(db, shopId, after, reader.pageSize)
      const last = variants.length < reader.pageSize ? undefined : variants.at(-1)
      const levels = await reader.read(variants)
      after = await db.transaction(async (tx): Promise<number | null> => {
        if (!(await lockInstalledShop(tx, shopId))) return null
        await applyPlatformLevels(tx, shopId, levels, { isRead: true })
        if (!last || !isTimeBudgetUsed()) return last?.id ?? null
        await enqueue(tx, jobs.reconcileStock, { shopId, afterVariantId: last.id })
        return null
      })
    }
  },
)
