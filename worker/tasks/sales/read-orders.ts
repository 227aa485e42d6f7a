import {
  advanceReading,
  endReading,
  giveUpReading,
  lockReading,
  openReading,
} from '../../../shared/domain/ledgers/sales/reading.ts'
import { computeVelocitySoon, recordOrders } from '../../../shared/domain/ledgers/sales/record.ts'
import { enqueueReadLevelsOf } from '../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { PlatformError } from '../../../shared/platform/errors.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runInBatches } from '../../queue/batches.ts'
import { defineTask, type Services } from '../../queue/task.ts'
import { readOrderPage } from '../../sync/read-orders.ts'

/**
 * Reads the orders that changed since the last reading, so that lost webhooks do no lasting harm. A page is one request
 * and one transaction, which stores its orders with the next position, so that another attempt continues there. Of two
 * jobs for one shop, the slower one finds its page stored.
 */
export const readOrders = defineTask(jobs.readOrders, async (services, payload, { signal }) => {
  const startedAt = new Date().toISOString()
  await runInBatches(services, { job: jobs.readOrders, payload, signal }, 'afterPageId', async (page) =>
    (await readPage(services, payload.shopId, startedAt, signal)) ? page + 1 : null,
  )
})

/** Returns whether the reading has more pages. */
async function readPage(
  { db, adminApi, log }: Services,
  shopId: number,
  startedAt: string,
  signal: AbortSignal,
): Promise<boolean> {
  const reading = await openReading(db, shopId, startedAt)
  if (!reading) return false
  const { since, cursor, isFirst } = reading
  const list = { by: isFirst ? 'created_at' : 'updated_at', since, cursor } as const
  const page = await readOrderPage(adminApi(shopId), list, signal).catch(async (error: unknown) => {
    if (!(error instanceof PlatformError && error.kind === 'access_denied')) throw error
    await giveUpReading(db, shopId)
    log.warn({ shopId }, 'the app has no access to orders')
    return null
  })
  if (!page) return false
  const hasNext = await inInstalledShop(db, shopId, async (tx) => {
    if (!(await lockReading(tx, shopId, reading))) return false
    const recorded = await recordOrders(tx, shopId, page.orders)
    const orderCount = reading.orderCount + page.orders.length
    if (page.next === null) await endReading(tx, shopId, reading, orderCount)
    else await advanceReading(tx, shopId, { cursor: page.next, orderCount })
    await computeVelocitySoon(tx, shopId, recorded)
    // a lost webhook may have been a shipment; the first reading follows an import, which has read all levels
    if (!isFirst) await enqueueReadLevelsOf(tx, shopId, recorded.variantGids)
    return page.next !== null
  })
  return hasNext ?? false
}
