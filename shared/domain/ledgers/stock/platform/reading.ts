import type { Db } from '../../../../db/db.ts'
import type { LevelKey } from '../move.ts'
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

export type StoredReading = Omit<LevelReading, 'missingVariantIds'>

/**
 * Stores the levels of a reading with their states, and ends its requests. A level that a push of ours is just changing is read again
 * later.
 */
export async function storeReading(
  tx: Db,
  shopId: number,
  { readAt, requests, hasDraftCounts, variantIds, levels, unlisted }: StoredReading,
): Promise<void> {
  const { dueVariantIds } = await applyPlatformLevels(tx, shopId, levels, {
    isRead: true,
    unlisted: { keys: unlisted, readAt },
  })
  if (!hasDraftCounts && requests.length === 0) return
  const known = new Set(variantIds)
  const due = new Set(dueVariantIds)
  const done = requests.filter(({ variantId }) => known.has(variantId) && !due.has(variantId))
  await settleReads(tx, shopId, { done, due: dueVariantIds })
}
