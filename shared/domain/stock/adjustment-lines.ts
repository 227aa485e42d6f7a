import type { Db } from '../../db/db.ts'
import type { AdjustedStock } from '../../schemas/stock-adjustments.ts'
import { levelKey } from './changes.ts'
import type { MovedLevel } from './move.ts'
import { resolveLevelKeys } from './resolve.ts'

/** The answer to an adjustment: the levels that changed, before and after. */
export function adjustedStock(
  lines: readonly ResolvedLine<NamedLine>[],
  moved: readonly MovedLevel[],
): AdjustedStock {
  const count = lines.length
  const gids = new Map(lines.map((line) => [levelKey(line), line.gids]))
  return {
    adjusted: count,
    message: count === 1 ? 'Stock adjusted.' : `${count} stock levels adjusted.`,
    levels: moved.flatMap(({ previousQuantity, newQuantity, ...level }) => {
      const lineGids = gids.get(levelKey(level))
      return lineGids ? [{ ...lineGids, previousQuantity, newQuantity }] : []
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

/** Looks up variants and locations. Throws the errors of `resolveLevelKeys`. */
export async function resolveLines<T extends NamedLine>(
  db: Db,
  shopId: number,
  lines: readonly T[],
): Promise<ResolvedLine<T>[]> {
  const { variants, locations } = await resolveLevelKeys(db, shopId, {
    variants: lines.map(({ variantId }, at) => ({ id: variantId, path: `/adjustments/${at}/variantId` })),
    locations: lines.map(({ locationId }, at) => ({ id: locationId, path: `/adjustments/${at}/locationId` })),
  })
  return lines.map((line, index) => ({
    ...line,
    reason: line.reason ?? '',
    variantId: variants[index] ?? 0,
    locationId: locations[index] ?? 0,
    path: `/adjustments/${index}/${'delta' in line ? 'delta' : 'quantity'}`,
    gids: { variantId: line.variantId, locationId: line.locationId },
  }))
}
