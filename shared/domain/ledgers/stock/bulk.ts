import type { Db } from '../../../db/db.ts'
import { AppError, type Fault, levelsNotRead, unprocessable } from '../../../errors.ts'
import type { AdjustedStock, StockSetting } from '../../../schemas/stock-adjustments.ts'
import { changeNamedLevels, requireReasonsOfLines, resolveNames } from './change-named-levels.ts'
import { type LevelChange, levelKey } from './changes.ts'
import { lockLevelStates } from './level-states.ts'
import type { LevelKey } from './move.ts'
import { findAwaitedReads, hurryReadLevels } from './platform/read-requests.ts'
import { findSharedItems } from './platform/shared-items.ts'

/**
 * An equal line counts as applied, also one of another variant with the same inventory item. With the basis `on_hand`, a quantity is
 * what lies on the shelf: committed and unavailable goods are taken off under the lock of the level. Example: 10 on hand with 3 committed
 * sets available to 7. Throws negative_quantity, duplicate_line, levels_not_read, the errors of `changeNamedLevels`.
 */
export async function setStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, basis = 'available', allowNegative = false }: StockSetting,
): Promise<AdjustedStock> {
  const lines = adjustments.map((line, at) => ({ ...line, path: `/adjustments/${at}/quantity` }))
  const items = await findSharedItems(
    db,
    shopId,
    lines.map(({ variantId }) => variantId),
  )
  // variants that share an item have one level at a location
  const keyOfItem = ({ variantId, locationId }: LevelKey<string>) =>
    levelKey({ variantId: items.get(variantId) ?? variantId, locationId })
  refuseContradictions(lines, keyOfItem)
  if (!allowNegative) refuseNegative(lines)
  const all = lines.map(({ variantId, locationId, quantity, reason = '', path }) => ({
    ...{ variantId, locationId, reason },
    amount: quantity,
    paths: [path],
  }))
  const changes = [...Map.groupBy(all, keyOfItem).values()].flatMap(([first]) => first ?? [])
  const options = {
    kind: 'set',
    form: 'set',
    reference: '',
    actor,
    allowNegative: true,
    isAbsolute: true,
  } as const
  if (basis === 'available') return changeNamedLevels(db, shopId, options, { lines, changes })
  await requireReasonsOfLines(db, shopId, lines)
  const adjusted = await db.transaction(async (tx) => {
    const available = await toAvailable(tx, shopId, lines, changes)
    if (available instanceof AppError) return available
    return changeNamedLevels(tx, shopId, options, { lines, changes: available })
  })
  if (adjusted instanceof AppError) throw adjusted
  return adjusted
}

type SetLine = LevelKey<string> & { quantity: number; path: string }

/**
 * Locks the levels, and takes off what is on the shelf but not available. For levels that were never read, or that have moved
 * since, requests a reading and returns the error. A level that the platform never reported exists here alone: nothing else lies there.
 */
async function toAvailable(
  tx: Db,
  shopId: number,
  lines: readonly SetLine[],
  changes: readonly LevelChange<string>[],
): Promise<LevelChange<string>[] | AppError> {
  const keys = await resolveNames(tx, shopId, lines)
  const states = await lockLevelStates(tx, shopId, keys)
  const awaited = await findAwaitedReads(
    tx,
    shopId,
    keys.map(({ variantId }) => variantId),
  )
  const keyOf = new Map(lines.map((line, at) => [levelKey(line), keys[at]]))
  const levels = changes.map((change) => {
    const key = keyOf.get(levelKey(change))
    return { change, key, state: key && states.get(levelKey(key)) }
  })
  // after a sale the available quantity is lower, and committed goods are the ones from before it
  const unread = levels.filter(
    ({ key, state }) =>
      (state?.states === null && state.platformUpdatedAt !== null) || (key && awaited.has(key.variantId)),
  )
  if (unread.length > 0) {
    const variantIds = unread.flatMap(({ key }) => key?.variantId ?? [])
    await hurryReadLevels(tx, shopId, variantIds)
    return notRead(unread.map(({ change }) => change))
  }
  return levels.map(({ change, state }) => {
    const { committed, unavailable } = state?.states ?? { committed: 0, unavailable: 0 }
    return { ...change, amount: change.amount - committed - unavailable }
  })
}

const notRead = (changes: readonly LevelChange<string>[]) =>
  levelsNotRead(
    `The on-hand quantity of ${changes.length === 1 ? 'a product' : `${changes.length} products`} is still being read from your shop. Try again in a moment.`,
    changes.flatMap(({ paths }) =>
      paths.map((path) => ({
        path,
        message: 'is still being read from the platform: try again in a moment',
      })),
    ),
  )

/** Lines that set a quantity cannot be summed, so two different quantities for one level are an error. */
function refuseContradictions(
  lines: readonly SetLine[],
  keyOfItem: (level: LevelKey<string>) => string,
): void {
  const first = new Map<string, SetLine>()
  const faults: Fault[] = []
  for (const line of lines) {
    const earlier = first.get(keyOfItem(line))
    if (earlier === undefined) first.set(keyOfItem(line), line)
    else if (earlier.quantity !== line.quantity) {
      const cause = earlier.variantId === line.variantId ? '' : ', whose variant has the same inventory item'
      const place = cause ? `line ${lines.indexOf(earlier) + 1}` : 'an earlier line'
      faults.push({
        path: line.path,
        message: `contradicts quantity ${earlier.quantity} of ${place}${cause}`,
      })
    }
  }
  if (faults.length === 0) return
  throw unprocessable(
    'duplicate_line',
    'Two lines set different quantities for the same stock level. Remove one of them.',
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
