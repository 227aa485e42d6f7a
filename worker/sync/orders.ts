import { oldestVisible, recordImport } from '../../shared/domain/ledgers/sales/reading.ts'
import { computeVelocitySoon, recordOrders } from '../../shared/domain/ledgers/sales/record.ts'
import { PlatformError } from '../../shared/platform/errors.ts'
import { readOrderPage } from './read-orders.ts'
import type { ReadSyncPage, SyncPage } from './sync-page.ts'

/** Reads all orders that the app may see, oldest first. Without access to orders, sales count from now on. */
export const readOrders: ReadSyncPage = async (source) => {
  try {
    return await readPage(source)
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'access_denied') return withoutOrders(source)
    throw error
  }
}

const withoutOrders = ({ shopId, sync: { startedAt } }: Parameters<ReadSyncPage>[0]): SyncPage => ({
  next: null,
  reason: 'Past orders could not be read: the app has no access to them. Sales count from now on.',
  async store(tx) {
    await recordImport(tx, shopId, { startedAt, since: null })
    return {}
  },
})

const readPage: ReadSyncPage = async ({ api, db, shopId, sync, signal }) => {
  const { startedAt, cursor } = sync
  const since = await oldestVisible(db, shopId, startedAt)
  const { orders, next } = await readOrderPage(api, { by: 'created_at', since, cursor }, signal)
  return {
    next,
    async store(tx) {
      await computeVelocitySoon(tx, shopId, await recordOrders(tx, shopId, orders))
      if (next === null) await recordImport(tx, shopId, { startedAt, since })
      return { orders: sync.counts.orders + orders.length }
    },
  }
}
