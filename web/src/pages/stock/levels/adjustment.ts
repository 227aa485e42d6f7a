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

export const stockAfter = (current: number, change: LevelChange) =>
  'delta' in change ? current + change.delta : change.quantity

/** Shows changes in the list before the API answers. They are not on the platform yet, so they count as pending. */
export const showChanges = (list: LevelListQuery, changes: readonly LevelChange[]) =>
  optimisticListUpdate(list, (level) => changed(level, changes))

function changed(level: StockLevel, changes: readonly LevelChange[]): StockLevel {
  const change = changes.find((item) => keyOf(item) === keyOf(level))
  if (!change) return level
  const currentStock = stockAfter(level.currentStock, change)
  const pendingQuantity = level.pendingQuantity + currentStock - level.currentStock
  return { ...level, currentStock, pendingQuantity }
}
