import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { type listing, showingRecords } from '../../../api/queries.ts'

/** How a level is changed by hand. */
export type Way = 'add' | 'take' | 'set'

type Place = Pick<StockLevel, 'variantId' | 'locationId'>
/** How far a level moves, or what it becomes. */
type Move = Place & ({ delta: number } | { quantity: number })

/** What is looked at while levels are changed. */
export type LevelListing = ReturnType<typeof listing<'GET /stock-levels'>>

export const keyOf = ({ variantId, locationId }: Place) => `${variantId} ${locationId}`

export const moveOf = ({ variantId, locationId }: Place, way: Way, number: number): Move => {
  if (way === 'set') return { variantId, locationId, quantity: number }
  return { variantId, locationId, delta: way === 'add' ? number : -number }
}

export const afterMove = (current: number, move: Move) =>
  'delta' in move ? current + move.delta : move.quantity

/** The list as it is after moves that the API has not answered yet: all of that is still on its way. */
export const showMoves = (list: LevelListing, moves: readonly Move[]) =>
  showingRecords(list, (level) => moved(level, moves))

function moved(level: StockLevel, moves: readonly Move[]): StockLevel {
  const move = moves.find((one) => keyOf(one) === keyOf(level))
  if (!move) return level
  const currentStock = afterMove(level.currentStock, move)
  const pendingQuantity = level.pendingQuantity + currentStock - level.currentStock
  return { ...level, currentStock, pendingQuantity }
}
