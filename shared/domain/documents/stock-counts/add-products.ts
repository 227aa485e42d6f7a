import { type Db, sql } from '../../../db/db.ts'
import { conflict } from '../../../errors.ts'
import type { CountSheet, FilledStockCount } from '../../../schemas/stock-counts.ts'
import { countingFinished, ended, lockCount } from './lock.ts'
import { addSheet } from './sheet.ts'
import { getStockCount } from './stock-counts.ts'

/**
 * Adds the stocked, tracked products that match a filter and are not in the count yet, as not counted; without a field all that
 * are stocked at the location. No quantity leaves the API, so the page of a blind count can use it. Throws conflict when the
 * count has ended, counting_finished, not_in_recount, and too_many_items.
 */
export async function addProducts(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  filter: CountSheet,
): Promise<FilledStockCount> {
  return db.transaction(async (tx) => {
    const count = await lockCount(tx, shopId, id)
    if (count.status !== 'draft') throw ended(count.status)
    if (count.phase === 'review') throw countingFinished()
    if (count.phase === 'recounting') {
      throw conflict('A recount takes no further products. Start another count for them.', 'not_in_recount')
    }
    const addedItemCount = await addSheet(tx, shopId, count, filter)
    if (addedItemCount > 0) {
      await tx.query(sql.typeAlias('void')`
        update stock_count set updated_at = now() where shop_id = ${shopId} and id = ${id}
      `)
    }
    return { ...(await getStockCount(tx, shopId, id, actor)), addedItemCount }
  })
}
