import type { StockSetting } from '../../../../../shared/schemas/stock-adjustments.ts'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { type listQuery, optimisticListUpdate } from '../../../api/queries.ts'

export type AdjustMode = 'add' | 'remove' | 'set'

type LevelKey = Pick<StockLevel, 'variantId' | 'locationId'>
/** `delta` adds to the level; `quantity` replaces it. */
type LevelChange = LevelKey & ({ delta: number } | { quantity: number })

export type LevelListQuery = ReturnType<typeof listQuery<'GET /stock-levels'>>

export const keyOf = ({ variantId, locationId }: LevelKey) => `${variantId} ${locationId}`

export const changeOf = (
  { variantId, locationId }: LevelKey,
  mode: AdjustMode,
  number: number,
): LevelChange => {
  if (mode === 'set') return { variantId, locationId, quantity: number }
  return { variantId, locationId, delta: mode === 'add' ? number : -number }
}

type Basis = StockSetting['basis']

/** The available quantity after a change. Of a quantity on hand, committed and unavailable goods are not available. */
export function stockAfter(level: StockLevel, change: LevelChange, basis: Basis = 'available'): number {
  if ('delta' in change) return level.currentStock + change.delta
  return basis === 'available' ? change.quantity : change.quantity - asideOf(level)
}

const asideOf = ({ committed, unavailable }: StockLevel) => (committed ?? 0) + (unavailable ?? 0)

/** Shows changes in the list before the API answers. They are not on the platform yet, so they count as pending. */
export const showChanges = (list: LevelListQuery, changes: readonly LevelChange[], basis?: Basis) =>
  optimisticListUpdate(list, (level) => changed(level, changes, basis))

function changed(level: StockLevel, changes: readonly LevelChange[], basis: Basis): StockLevel {
  const change = changes.find((item) => keyOf(item) === keyOf(level))
  if (!change) return level
  const currentStock = stockAfter(level, change, basis)
  const moved = currentStock - level.currentStock
  const onHand = level.onHand === null ? null : level.onHand + moved
  return { ...level, currentStock, onHand, pendingQuantity: level.pendingQuantity + moved }
}
