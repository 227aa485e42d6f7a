import type { Db } from '../../../../db/db.ts'
import { compareInstants, newestBy } from '../../../kit/newest-by.ts'
import { type ReportedTracking, writeTracking } from '../../../records/catalogue/tracking.ts'
import { levelKey } from '../changes.ts'
import { type LevelStep, lockLevelStates, writeSteps } from '../level-states.ts'
import { refreshRules } from '../low-stock.ts'
import type { LevelKey } from '../move.ts'
import {
  changedAt,
  classifyUpdate,
  type LevelState,
  type LevelUpdate,
  newerStates,
  type Outcome,
  updatedLevel,
} from './classify-update.ts'

/** A platform update: one level as the platform reports it. */
export type PlatformLevel = LevelKey & LevelUpdate

export type LevelChanges = {
  /** Variants with two different quantities for one instant: the caller must recheck them. */
  ambiguousVariantIds: number[]
  /** Variants whose committed and unavailable quantities may have changed: the caller must have them read. */
  dueVariantIds: number[]
}

/** Levels that the platform does not have, by a query of ours at `readAt`: nothing lies there. */
export type UnlistedLevels = { keys: readonly LevelKey[]; readAt: string }

/**
 * Applies platform updates, of several for one level only the newest. `classifyUpdate` decides what each one means;
 * `isRead` says that the levels come from a query and not from a webhook.
 * Guaranteed: repeated updates and updates in any order lead to the same levels, with movements of kind `platform`.
 */
export async function applyPlatformLevels(
  tx: Db,
  shopId: number,
  levels: readonly PlatformLevel[],
  { isRead = false, unlisted }: { isRead?: boolean; unlisted?: UnlistedLevels } = {},
): Promise<LevelChanges> {
  const newestByKey = newestBy(levels, levelKey, (a, b) => compareInstants(a.updatedAt, b.updatedAt))
  const newest = [...newestByKey.values()]
  const keys = [...newest, ...(unlisted?.keys ?? [])]
  if (keys.length === 0) return { ambiguousVariantIds: [], dueVariantIds: [] }
  const states = await lockLevelStates(tx, shopId, keys)
  const applied = applyUpdates(states, newest, { isRead })
  if (unlisted) applyUnlisted(applied, states, unlisted)
  await writeSteps(tx, shopId, applied.steps)
  await writeTracking(tx, shopId, applied.tracked)
  await refreshRules(
    tx,
    shopId,
    newest.map(({ variantId }) => variantId),
  )
  return {
    ambiguousVariantIds: [
      ...new Set([...ambiguousTies(levels, newestByKey), ...applied.ambiguousVariantIds]),
    ],
    dueVariantIds: [...new Set(applied.dueVariantIds)],
  }
}

/** What the updates that are not stale change: levels, and the rows that depend on them. */
export type AppliedUpdates = {
  steps: LevelStep[]
  ambiguousVariantIds: number[]
  /**
   * Variants to read: the platform reported another quantity, or a reading could not be applied. An echo of our own
   * push is no reason, since our pushes change the available quantity alone.
   */
  dueVariantIds: number[]
  tracked: ReportedTracking[]
}

export function applyUpdates(
  states: ReadonlyMap<string, LevelState>,
  updates: readonly PlatformLevel[],
  { isRead }: { isRead: boolean },
): AppliedUpdates {
  const applied: AppliedUpdates = { steps: [], ambiguousVariantIds: [], dueVariantIds: [], tracked: [] }
  for (const { variantId, locationId, ...update } of updates) {
    const before = states.get(levelKey({ variantId, locationId }))
    if (!before) continue
    const { outcome, isAmbiguous } = classifyUpdate(before, update, { isRead })
    if (isDue(before, update, outcome)) applied.dueVariantIds.push(variantId)
    if (outcome === 'stale') continue
    const { available, updatedAt, goneAt } = update
    const after = updatedLevel(before, update, outcome)
    const occurredAt = changedAt(before, update)
    if (after !== before) applied.steps.push({ before, after, kind: 'platform', occurredAt })
    if (outcome === 'known') continue
    applied.tracked.push({ variantId, isTracked: available !== null, updatedAt: goneAt ?? updatedAt })
    if (isAmbiguous) applied.ambiguousVariantIds.push(variantId)
  }
  return applied
}

/** A push that is `sending` may be creating the level. */
function applyUnlisted(
  applied: AppliedUpdates,
  levels: ReadonlyMap<string, LevelState>,
  { keys, readAt }: UnlistedLevels,
): void {
  for (const key of keys) {
    const before = levels.get(levelKey(key))
    if (!before) continue
    if (before.isSending) {
      applied.dueVariantIds.push(key.variantId)
      continue
    }
    const states = newerStates(before.states, { committed: 0, unavailable: 0, readAt })
    applied.steps.push({ before, after: { ...before, states }, kind: 'platform', occurredAt: null })
  }
}

function isDue(before: LevelState, { available, states }: LevelUpdate, outcome: Outcome): boolean {
  if (states) return outcome === 'stale' || outcome === 'deferred'
  if (before.states === null || outcome === 'deferred' || outcome === 'unclear') return true
  return outcome !== 'stale' && outcome !== 'echo' && before.platformQuantity !== (available ?? 0)
}

/** The variants with an update that has the time of the newest one of its level, but another quantity. */
function ambiguousTies(
  levels: readonly PlatformLevel[],
  newest: ReadonlyMap<string, PlatformLevel>,
): number[] {
  return levels.flatMap((level) => {
    const last = newest.get(levelKey(level)) ?? level
    const isTie = compareInstants(level.updatedAt, last.updatedAt) === 0
    return isTie && level.available !== last.available ? [level.variantId] : []
  })
}
