import type { Db } from '../../db/db.ts'
import type { AdjustedStock, StockAdjustment } from '../../schemas/stock-adjustments.ts'
import { adjustedStock, resolveLines } from './adjustment-lines.ts'
import { moveStock } from './move.ts'

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
    return adjustedStock(lines, moved)
  })
}
