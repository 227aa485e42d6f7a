import type { Db } from '../../db/db.ts'
import type { AdjustedStock } from '../../schemas/stock-adjustments.ts'
import type { LevelChange, StockChange } from './changes.ts'
import { type LevelKey, moveStockByGid } from './move.ts'
import { resolveLevelKeys } from './resolve.ts'

/**
 * Changes the levels of a request's lines, which the platform's ids name. `changes` has one change per level. Throws
 * insufficient_stock, quantity_too_large and the errors of `resolveLevelKeys`.
 */
export async function changeNamedLevels(
  db: Db,
  shopId: number,
  change: StockChange & { isAbsolute: boolean },
  { lines, changes }: { lines: readonly LevelKey<string>[]; changes: readonly LevelChange<string>[] },
): Promise<AdjustedStock> {
  const levels = await moveStockByGid(db, shopId, change, changes)
  if (levels === null) {
    // Looks up the ids once more for the errors; without an error, the product has appeared since.
    await resolveLevelKeys(db, shopId, {
      variants: lines.map(({ variantId }, at) => ({ id: variantId, path: `/adjustments/${at}/variantId` })),
      locations: lines.map(({ locationId }, at) => ({
        id: locationId,
        path: `/adjustments/${at}/locationId`,
      })),
    })
    return changeNamedLevels(db, shopId, change, { lines, changes })
  }
  const count = lines.length
  const message = count === 1 ? 'Stock adjusted.' : `${count} stock levels adjusted.`
  return { adjusted: count, message, levels }
}

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
