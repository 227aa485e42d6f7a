import type { Db } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import type { AdjustedStock, StockAdjustment, StockSetting } from '../../schemas/stock-adjustments.ts'
import { levelKey, type StockLine } from './changes.ts'
import { lockLevels, type MovedLevel, moveStock } from './move.ts'
import { resolveLevelKeys } from './resolve.ts'

/**
 * Sets levels to what there is (specification, PUT /api/stock-levels/bulk). A line that is as it was changes nothing
 * and counts as applied. Throws negative_quantity, duplicate_line for two numbers of one level, and what
 * `resolveLevelKeys` throws.
 */
export function setStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockSetting,
): Promise<AdjustedStock> {
  return db.transaction(async (tx) => {
    const lines = await withPlaces(tx, shopId, adjustments)
    refuseContradictions(lines)
    if (!allowNegative) refuseNegative(lines)
    const levels = await lockLevels(tx, shopId, lines)
    const distinct = new Map(lines.map((line) => [levelKey(line), line]))
    const deltas = [...distinct.values()].map(
      (line): StockLine => ({ ...line, delta: line.quantity - (levels.get(levelKey(line)) ?? 0) }),
    )
    const moved = await moveStock(
      tx,
      shopId,
      { kind: 'set', form: 'set', reference: '', actor, allowNegative: true },
      deltas,
    )
    return adjusted(lines, moved)
  })
}

/**
 * Adds to levels or takes from them; lines that repeat a level are summed. Throws insufficient_stock and what
 * `resolveLevelKeys` throws.
 */
export function adjustStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockAdjustment,
): Promise<AdjustedStock> {
  return db.transaction(async (tx) => {
    const lines = await withPlaces(tx, shopId, adjustments)
    const moved = await moveStock(
      tx,
      shopId,
      { kind: 'delta', form: 'adjust', reference: '', actor, allowNegative },
      lines,
    )
    return adjusted(lines, moved)
  })
}

function adjusted(lines: readonly Placed<Named>[], moved: readonly MovedLevel[]): AdjustedStock {
  const count = lines.length
  const names = new Map(lines.map((line) => [levelKey(line), line.names]))
  return {
    adjusted: count,
    message: count === 1 ? 'Stock adjusted.' : `${count} stock levels adjusted.`,
    levels: moved.flatMap(({ delta, quantity, ...level }) => {
      const named = names.get(levelKey(level))
      return named ? [{ ...named, previousQuantity: quantity - delta, newQuantity: quantity }] : []
    }),
  }
}

type Named = { variantId: string; locationId: string; reason?: string | undefined }
type Placed<T> = Omit<T, 'variantId' | 'locationId' | 'reason'> & {
  variantId: number
  locationId: number
  reason: string
  path: string
  /** What the platform calls the two. */
  names: Pick<Named, 'variantId' | 'locationId'>
}

/** The lines with our rows of what they name, and where in the request their number stands. */
async function withPlaces<T extends Named>(
  tx: Db,
  shopId: number,
  lines: readonly T[],
): Promise<Placed<T>[]> {
  const { variants, locations } = await resolveLevelKeys(
    tx,
    shopId,
    {
      variantIds: lines.map(({ variantId }) => variantId),
      locationIds: lines.map(({ locationId }) => locationId),
    },
    {
      variantPath: (index) => `/adjustments/${index}/variantId`,
      locationPath: (index) => `/adjustments/${index}/locationId`,
    },
  )
  return lines.map((line, index) => ({
    ...line,
    reason: line.reason ?? '',
    variantId: variants[index] ?? 0,
    locationId: locations[index] ?? 0,
    path: `/adjustments/${index}/${'delta' in line ? 'delta' : 'quantity'}`,
    names: { variantId: line.variantId, locationId: line.locationId },
  }))
}

type SetLine = { variantId: number; locationId: number; quantity: number; path: string }

/** Sums make no sense of numbers that say how many there are. */
function refuseContradictions(lines: readonly SetLine[]): void {
  const first = new Map<string, number>()
  const faults: Fault[] = []
  for (const line of lines) {
    const known = first.get(levelKey(line))
    if (known === undefined) first.set(levelKey(line), line.quantity)
    else if (known !== line.quantity)
      faults.push({ path: line.path, message: `contradicts ${known}, which an earlier line says` })
  }
  if (faults.length === 0) return
  throw unprocessable('duplicate_line', 'Two lines say different numbers for one stock level.', faults)
}

function refuseNegative(lines: readonly SetLine[]): void {
  const faults = lines
    .filter(({ quantity }) => quantity < 0)
    .map(({ path }) => ({ path, message: 'must not be below 0' }))
  if (faults.length === 0) return
  throw unprocessable('negative_quantity', 'There cannot be less than nothing of a product.', faults)
}
