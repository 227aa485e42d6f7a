import type { Db } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import type { AdjustedStock, StockAdjustment, StockSetting } from '../../schemas/stock-adjustments.ts'
import { levelKey, type StockLine } from './changes.ts'
import { lockLevels, type MovedLevel, moveStock } from './move.ts'
import { resolveLevelKeys } from './resolve.ts'

/** An equal line counts as applied. Throws negative_quantity, duplicate_line, the errors of `resolveLevelKeys`. */
export function setStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockSetting,
): Promise<AdjustedStock> {
  return db.transaction(async (tx) => {
    const lines = await resolveLines(tx, shopId, adjustments)
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

/** Adds deltas to levels, summed per level. Throws insufficient_stock and the errors of `resolveLevelKeys`. */
export function adjustStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockAdjustment,
): Promise<AdjustedStock> {
  return db.transaction(async (tx) => {
    const lines = await resolveLines(tx, shopId, adjustments)
    const moved = await moveStock(
      tx,
      shopId,
      { kind: 'delta', form: 'adjust', reference: '', actor, allowNegative },
      lines,
    )
    return adjusted(lines, moved)
  })
}

function adjusted(lines: readonly ResolvedLine<NamedLine>[], moved: readonly MovedLevel[]): AdjustedStock {
  const count = lines.length
  const gids = new Map(lines.map((line) => [levelKey(line), line.gids]))
  return {
    adjusted: count,
    message: count === 1 ? 'Stock adjusted.' : `${count} stock levels adjusted.`,
    levels: moved.flatMap(({ delta, quantity, ...level }) => {
      const lineGids = gids.get(levelKey(level))
      return lineGids ? [{ ...lineGids, previousQuantity: quantity - delta, newQuantity: quantity }] : []
    }),
  }
}

type NamedLine = { variantId: string; locationId: string; reason?: string | undefined }
type ResolvedLine<T> = Omit<T, 'variantId' | 'locationId' | 'reason'> & {
  variantId: number
  locationId: number
  reason: string
  path: string
  gids: Pick<NamedLine, 'variantId' | 'locationId'>
}

async function resolveLines<T extends NamedLine>(
  tx: Db,
  shopId: number,
  lines: readonly T[],
): Promise<ResolvedLine<T>[]> {
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
    gids: { variantId: line.variantId, locationId: line.locationId },
  }))
}

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
