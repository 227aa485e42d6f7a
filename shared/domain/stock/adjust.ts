import type { Db } from '../../db/db.ts'
import type { AdjustedStock, StockAdjustment } from '../../schemas/stock-adjustments.ts'
import { adjustedStock, resolveLines } from './adjustment-lines.ts'
import { moveStock } from './move.ts'

/** Adds deltas to levels, summed per level. Throws insufficient_stock and the errors of `resolveLevelKeys`. */
export async function adjustStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockAdjustment,
): Promise<AdjustedStock> {
  const lines = await resolveLines(db, shopId, adjustments)
  const change = { kind: 'delta', form: 'adjust', reference: '', actor, allowNegative } as const
  return adjustedStock(lines, await moveStock(db, shopId, change, lines))
}
