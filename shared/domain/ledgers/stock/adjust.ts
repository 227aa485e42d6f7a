import type { Db } from '../../../db/db.ts'
import type { AdjustedStock, StockAdjustment } from '../../../schemas/stock-adjustments.ts'
import { changeNamedLevels } from './change-named-levels.ts'
import { sumLines } from './changes.ts'

/** Adds deltas to levels, summed per level. Throws the errors of `changeNamedLevels`. */
export async function adjustStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockAdjustment,
): Promise<AdjustedStock> {
  const lines = adjustments.map((line, at) => ({ ...line, path: `/adjustments/${at}/delta` }))
  const change = { kind: 'delta', form: 'adjust', reference: '', actor, allowNegative } as const
  return changeNamedLevels(db, shopId, { ...change, isAbsolute: false }, { lines, changes: sumLines(lines) })
}
