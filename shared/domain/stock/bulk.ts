import type { Db } from '../../db/db.ts'
import { AppError, type Fault, levelsNotRead, unprocessable } from '../../errors.ts'
import type { AdjustedStock, StockSetting } from '../../schemas/stock-adjustments.ts'
import { adjustedStock, resolveLines } from './adjustment-lines.ts'
import { type LevelChange, levelKey } from './changes.ts'
import { lockLevelStates } from './level-states.ts'
import { setLevels } from './move.ts'
import { enqueueReadLevels } from './read-requests.ts'

/**
 * An equal line counts as applied. With the basis `on_hand`, a quantity is what lies on the shelf: committed and
 * unavailable goods are taken off under the lock of the level. Example: 10 on hand with 3 committed sets available to 7.
 * Throws negative_quantity, duplicate_line, levels_not_read, the errors of `resolveLevelKeys`.
 */
export async function setStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, basis = 'available', allowNegative = false }: StockSetting,
): Promise<AdjustedStock> {
  const lines = await resolveLines(db, shopId, adjustments)
  refuseContradictions(lines)
  if (!allowNegative) refuseNegative(lines)
  const changes = lines.map(({ quantity, path, ...line }) => ({
    ...line,
    amount: quantity,
    paths: [path],
    countedAt: null,
  }))
  const distinct = [...new Map(changes.map((change) => [levelKey(change), change])).values()]
  const change = { kind: 'set', form: 'set', reference: '', actor, allowNegative: true } as const
  if (basis === 'available') return adjustedStock(lines, await setLevels(db, shopId, change, distinct))
  const moved = await db.transaction(async (tx) => {
    const available = await toAvailable(tx, shopId, distinct)
    return available instanceof AppError ? available : setLevels(tx, shopId, change, available)
  })
  if (moved instanceof AppError) throw moved
  return adjustedStock(lines, moved)
}

/**
 * Locks the levels, and takes off what is on the shelf but not available. For levels that were never read, requests a
 * reading and returns the error. A level that the platform never reported exists here alone: nothing else lies there.
 */
async function toAvailable(
  tx: Db,
  shopId: number,
  changes: readonly LevelChange[],
): Promise<LevelChange[] | AppError> {
  const levels = await lockLevelStates(tx, shopId, changes)
  const stateOf = (change: LevelChange) => levels.get(levelKey(change))
  const unread = changes.filter(
    (change) => stateOf(change)?.states === null && stateOf(change)?.platformUpdatedAt !== null,
  )
  if (unread.length > 0) {
    const variantIds = unread.map(({ variantId }) => variantId)
    await enqueueReadLevels(tx, shopId, variantIds, { priority: 'count' })
    return notRead(unread)
  }
  return changes.map((change) => {
    const { committed, unavailable } = stateOf(change)?.states ?? { committed: 0, unavailable: 0 }
    return { ...change, amount: change.amount - committed - unavailable }
  })
}

const notRead = (changes: readonly LevelChange[]) =>
  levelsNotRead(
    `What lies on the shelf of ${changes.length === 1 ? 'a product' : `${changes.length} products`} is not known yet. Try again in a moment.`,
    changes.flatMap(({ paths }) =>
      paths.map((path) => ({ path, message: 'has not been read from the platform yet' })),
    ),
  )

type SetLine = { variantId: number; locationId: number; quantity: number; path: string }

/** Lines that set a quantity cannot be summed, so two different quantities for one level are an error. */
function refuseContradictions(lines: readonly SetLine[]): void {
  const first = new Map<string, number>()
  const faults: Fault[] = []
  for (const line of lines) {
    const earlier = first.get(levelKey(line))
    if (earlier === undefined) first.set(levelKey(line), line.quantity)
    else if (earlier !== line.quantity)
      faults.push({ path: line.path, message: `contradicts quantity ${earlier} of an earlier line` })
  }
  if (faults.length === 0) return
  throw unprocessable(
    'duplicate_line',
    'Two lines set different quantities for the same stock level.',
    faults,
  )
}

function refuseNegative(lines: readonly SetLine[]): void {
  const faults = lines
    .filter(({ quantity }) => quantity < 0)
    .map(({ path }) => ({ path, message: 'must not be below 0' }))
  if (faults.length === 0) return
  throw unprocessable('negative_quantity', 'Quantity cannot be negative.', faults)
}
