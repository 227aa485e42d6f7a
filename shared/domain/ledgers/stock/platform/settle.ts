import type { Db } from '../../../../db/db.ts'
import { writeTracking } from '../../../records/catalogue/tracking.ts'
import { levelKey } from '../changes.ts'
import { type LevelStep, lockLevelStates, writeSteps } from '../level-states.ts'
import { refreshRules } from '../low-stock.ts'
import type { LevelKey } from '../move.ts'
import { type LevelState, type Settlement, settledLevel } from './classify-update.ts'
import { applyUpdates } from './platform-updates.ts'
import { recheckLevels } from './recheck.ts'

export type SettledLevel = LevelKey & Settlement

/**
 * Applies the result of a push to its levels (`settledLevel`), then the updates that waited for it, as if they had just
 * arrived. A movement of `kind` records what changed.
 */
export async function settleLevels(
  tx: Db,
  shopId: number,
  levels: readonly SettledLevel[],
  kind: 'platform' | 'discard' = 'platform',
): Promise<void> {
  if (levels.length === 0) return
  const states = await lockLevelStates(tx, shopId, levels)
  const steps = levels.flatMap((level): LevelStep[] => {
    const before = states.get(levelKey(level))
    if (!before) return []
    const after = settledLevel(before, level)
    const isReported = after.platformUpdatedAt !== before.platformUpdatedAt
    return [{ before, after, kind, occurredAt: isReported ? after.platformUpdatedAt : null }]
  })
  await writeWithDeferred(tx, shopId, new Map(steps.map(({ after }) => [levelKey(after), after])), steps)
}

/** For a push that was not applied: applies its deferred platform updates as if they had just arrived. */
export async function releaseDeferredUpdates(
  tx: Db,
  shopId: number,
  keys: readonly LevelKey[],
): Promise<void> {
  await writeWithDeferred(tx, shopId, await lockLevelStates(tx, shopId, keys), [])
}

/** Writes `steps`, which lead to `states`. An update stays deferred while another push of its level is `sending`. */
async function writeWithDeferred(
  tx: Db,
  shopId: number,
  states: ReadonlyMap<string, LevelState>,
  steps: readonly LevelStep[],
): Promise<void> {
  const waiting = [...states.values()].flatMap((before) => {
    const { deferred, isSending, variantId, locationId } = before
    return deferred && !isSending ? [{ before, update: { variantId, locationId, ...deferred } }] : []
  })
  const released = waiting.map(
    ({ before, update }): LevelStep => ({
      ...{ before, after: { ...before, deferred: null } },
      ...{ kind: 'platform', occurredAt: update.updatedAt },
    }),
  )
  const applied = applyUpdates(
    new Map(released.map(({ after }) => [levelKey(after), after])),
    waiting.map(({ update }) => update),
    { isRead: false },
  )
  await writeSteps(tx, shopId, [...steps, ...released, ...applied.steps])
  await writeTracking(tx, shopId, applied.tracked)
  await refreshRules(
    tx,
    shopId,
    [...states.values()].map(({ variantId }) => variantId),
  )
  await recheckLevels(tx, shopId, applied.ambiguousVariantIds)
}
