import type { Db } from '../../../db/db.ts'
import { type StoredReading, storeReading } from '../../ledgers/stock/platform/reading.ts'
import { lockWaitingCounts, storeReadQuantities } from './expected.ts'

/** Stores a reading of levels, and what counts that wait for it expected on hand. Locks the counts before the levels
 * and the requests to read. */
export async function applyReading(tx: Db, shopId: number, reading: StoredReading): Promise<void> {
  if (reading.variantIds.length === 0) return
  const isAwaited = reading.hasDraftCounts || reading.requests.length > 0
  const counts = isAwaited ? await lockWaitingCounts(tx, shopId, reading.variantIds) : []
  await storeReading(tx, shopId, reading)
  await storeReadQuantities(tx, shopId, counts, reading)
}
