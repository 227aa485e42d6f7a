import type { Db } from '../../../db/db.ts'
import type { AdjustedStock } from '../../../schemas/stock-adjustments.ts'
import { requireReasons } from './adjustment-reasons.ts'
import type { LevelChange, StockChange } from './changes.ts'
import { type LevelKey, moveStockByGid } from './move.ts'
import { resolveLevelKeys } from './resolve.ts'

/**
 * Changes the levels of a request's lines, which the platform's ids name. `changes` has one change per level. Throws
 * insufficient_stock, quantity_too_large and the errors of `requireReasons` and `resolveLevelKeys`.
 */
export async function changeNamedLevels(
  db: Db,
  shopId: number,
  change: StockChange & { isAbsolute: boolean },
  { lines, changes }: { lines: readonly NamedLine[]; changes: readonly LevelChange<string>[] },
): Promise<AdjustedStock> {
  const reasons = lines.map(({ reason = '' }) => reason)
  const move = () => moveStockByGid(db, shopId, change, changes, reasons)
  let levels = await move()
  if (!Array.isArray(levels)) {
    // Looks up the reasons and the ids once more for the errors; without an error, the settings or the products have changed since.
    await requireReasonsOfLines(db, shopId, lines)
    await resolveNames(db, shopId, lines)
    levels = await move()
  }
  if (!Array.isArray(levels)) throw new Error(`Postgres refused the change twice: ${levels}`)
  const count = lines.length
  const message = count === 1 ? 'Stock adjusted.' : `${count} stock levels adjusted.`
  return { adjusted: count, message, levels }
}

type NamedLine = LevelKey<string> & { reason?: string }

/** Throws the errors of `requireReasons` for the lines of a request. */
export const requireReasonsOfLines = (db: Db, shopId: number, lines: readonly { reason?: string }[]) =>
  requireReasons(
    db,
    shopId,
    lines.map(({ reason }, at) => ({ path: `/adjustments/${at}/reason`, reason })),
  )

/** The row ids of the lines' levels. Throws the errors of `resolveLevelKeys`. */
export async function resolveNames(
  db: Db,
  shopId: number,
  lines: readonly LevelKey<string>[],
): Promise<LevelKey[]> {
  const { variants, locations } = await resolveLevelKeys(db, shopId, {
    variants: lines.map(({ variantId }, at) => ({ id: variantId, path: `/adjustments/${at}/variantId` })),
    locations: lines.map(({ locationId }, at) => ({ id: locationId, path: `/adjustments/${at}/locationId` })),
  })
  return lines.map((_, at) => ({ variantId: variants[at] ?? 0, locationId: locations[at] ?? 0 }))
}
