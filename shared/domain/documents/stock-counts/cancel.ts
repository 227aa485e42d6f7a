import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import {
  type CancelledStockCounts,
  type StockCountSelection,
  StockCountStatus,
} from '../../../schemas/stock-counts.ts'
import { requireCancellable } from '../../kit/require-cancellable.ts'
import { storeExpectedQuantities } from './submit.ts'

const Locked = Type.Object({ id: Id, status: StockCountStatus })

/** Cancels open counts, all or none; no stock moves. Throws count_ended with a fault for each count that is not open. */
export function cancelCounts(
  db: Db,
  shopId: number,
  { ids }: StockCountSelection,
): Promise<CancelledStockCounts> {
  return db.transaction(async (tx) => {
    const locked = await tx.any(sql.type(row(Locked))`
      select id, status from stock_count
      where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
      order by id
      for update
    `)
    requireCancellable(ids, locked, 'draft', { code: 'count_ended', noun: 'count', state: 'open' })
    await storeExpectedQuantities(tx, shopId, ids)
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update stock_count
      set status = 'cancelled', cancelled_at = now(), updated_at = now()
      where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) and status = 'draft'
    `)
    return { cancelled: rowCount }
  })
}
