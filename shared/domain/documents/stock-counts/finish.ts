import { type Db, sql } from '../../../db/db.ts'
import type { StockCount } from '../../../schemas/stock-counts.ts'
import { ended, lockCount } from './lock.ts'
import { getStockCount } from './stock-counts.ts'

/**
 * Ends the counting or the recount: numbers no longer change, and a blind count shows its variances. Repeating it
 * changes nothing. Throws conflict when the count has ended.
 */
export function finishCounting(db: Db, shopId: number, id: number, actor: string): Promise<StockCount> {
  return db.transaction(async (tx) => {
    const { status } = await lockCount(tx, shopId, id)
    if (status !== 'draft') throw ended(status)
    await tx.query(sql.typeAlias('void')`
      update stock_count
      set finished_at = now(), finished_by = ${actor}, updated_at = now()
      where shop_id = ${shopId} and id = ${id} and status = 'draft' and finished_at is null
    `)
    return getStockCount(tx, shopId, id, actor)
  })
}
