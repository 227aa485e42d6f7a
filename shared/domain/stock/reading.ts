import type { Db } from '../../db/db.ts'
import { lockWaitingCounts, storeReadQuantities } from '../stock-counts/expected.ts'
import type { LevelKey } from './move.ts'
import { applyPlatformLevels, type PlatformLevel } from './platform-updates.ts'
import { type ReadRequest, settleReads } from './read-requests.ts'

/** What the platform answered about some variants. */
export type LevelReading = {
  /** The time before the request, by the clock of Postgres. */
  readAt: string
  /** The requests that it ends. */
  requests: readonly ReadRequest[]
  /** The shop had draft counts at `readAt`. */
  hasDraftCounts: boolean
  /** The variants that the platform knows. */
  variantIds: readonly number[]
  /** Their levels at our locations. */
  levels: readonly PlatformLevel[]
  /** Their stored levels that the platform does not have and that had no available quantity before. */
  unlisted: readonly LevelKey[]
  /** The other variants, for `recheckLevels`: their product may be deleted, and the webhook lost. */
  missingVariantIds: readonly number[]
}

/**
 * Stores a reading: levels with their states, what counts that wait for it expected on hand, and the end of the
 * requests to read. A level that a push of ours is just changing is read again later.
 */
export async function applyReading(
  tx: Db,
  shopId: number,
  { readAt, requests, hasDraftCounts, variantIds, levels, unlisted }: Omit<LevelReading, 'missingVariantIds'>,
): Promise<void> {
  if (variantIds.length === 0) return
  const isAwaited = hasDraftCounts || requests.length > 0
  const counts = isAwaited ? await lockWaitingCounts(tx, shopId, variantIds) : []
  const { dueVariantIds } = await applyPlatformLevels(tx, shopId, levels, {
    isRead: true,
    unlisted: { keys: unlisted, readAt },
  })
  if (!isAwaited) return
  await storeReadQuantities(tx, shopId, counts, { variantIds, readAt })
  const known = new Set(variantIds)
  const due = new Set(dueVariantIds)
  const done = requests.filter(({ variantId }) => known.has(variantId) && !due.has(variantId))
  await settleReads(tx, shopId, { done, due: dueVariantIds })
}
