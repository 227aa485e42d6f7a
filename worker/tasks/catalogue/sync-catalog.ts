import type { Db } from '../../../shared/db/db.ts'
import {
  advanceSync,
  failSync,
  findRunningSync,
  lockSync,
  type RunningSync,
} from '../../../shared/domain/exchange/sync/sync.ts'
import { refreshStatistics } from '../../../shared/domain/kit/operations/table-statistics.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { PlatformError, TokenRevokedError } from '../../../shared/platform/errors.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { SyncPhase } from '../../../shared/schemas/sync.ts'
import { defineTask } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'
import { readLevels } from '../../sync/levels.ts'
import { readLocations } from '../../sync/locations.ts'
import { readOrders } from '../../sync/orders.ts'
import { readProducts } from '../../sync/products.ts'
import type { ReadSyncPage, SyncPage } from '../../sync/sync-page.ts'

const readers: Record<SyncPhase, ReadSyncPage> = {
  locations: readLocations,
  products: readProducts,
  levels: readLevels,
  orders: readOrders,
}

const nextPhase: Record<SyncPhase, SyncPhase | null> = {
  locations: 'products',
  products: 'levels',
  levels: 'orders',
  orders: null,
}

/**
 * Reads the whole shop. A page is one request and one transaction, which stores its rows with the next cursor, so that
 * another attempt continues there. Of two jobs for one sync, the slower one finds its page stored.
 */
export const syncCatalog = defineTask(
  jobs.syncCatalog,
  async ({ db, adminApi }, { shopId, catalogSyncId }, { signal, isLast }) => {
    const api = adminApi(shopId)
    const isOver = startTimeBudget()
    try {
      let before: RunningSync | null = null
      for (let hasMore = true; hasMore; ) {
        signal.throwIfAborted()
        const sync: RunningSync | null = await findRunningSync(db, shopId, catalogSyncId)
        if (!sync) return
        if (before) await refreshStatistics(db, before.counts, sync.counts)
        before = sync
        const page = await readers[sync.phase]({ api, db, shopId, sync, signal })
        hasMore = await storePage(db, shopId, sync, page, isOver())
      }
    } catch (error) {
      const isFinal = isLast && !signal.aborted
      if (isFinal || error instanceof TokenRevokedError)
        await failSync(db, shopId, catalogSyncId, reasonOf(error))
      throw error
    }
  },
  async ({ db }, { shopId, catalogSyncId }) => {
    await failSync(db, shopId, catalogSyncId, onOurSide)
    return false
  },
)

/** Returns whether this job has more pages to read. */
async function storePage(
  db: Db,
  shopId: number,
  sync: RunningSync,
  page: SyncPage,
  isOver: boolean,
): Promise<boolean> {
  const phase = page.next === null ? nextPhase[sync.phase] : sync.phase
  const hasMore = await inInstalledShop(db, shopId, async (tx) => {
    if (!(await lockSync(tx, shopId, sync))) return false
    const counts = { ...sync.counts, ...(await page.store(tx)) }
    await advanceSync(tx, shopId, sync.id, { phase, cursor: page.next, counts, reason: page.reason })
    if (phase === null) {
      await enqueue(tx, jobs.recomputeSalesVelocity, { shopId, isWhole: true })
    }
    if (isOver && phase !== null) {
      // a person waits for the first pages only
      await enqueue(tx, jobs.syncCatalog, { shopId, catalogSyncId: sync.id }, { priority: 'background' })
    }
    return !isOver && phase !== null
  })
  return hasMore ?? false
}

const onOurSide = 'Something went wrong on our side. Start again later.'

function reasonOf(error: unknown): string {
  const isKnown = error instanceof PlatformError || error instanceof TokenRevokedError
  return isKnown ? error.message : onOurSide
}
