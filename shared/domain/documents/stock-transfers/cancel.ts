import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import {
  type CancelledStockTransfers,
  type StockTransferSelection,
  StockTransferStatus,
} from '../../../schemas/stock-transfers.ts'
import { requireCancellable } from '../../kit/require-cancellable.ts'

const Locked = Type.Object({ id: Id, status: StockTransferStatus })

/** Cancels pending transfers, all or none; no stock moves. Throws not_pending with a fault for each transfer that is not pending. */
export function cancelTransfers(
  db: Db,
  shopId: number,
  actor: string,
  { ids }: StockTransferSelection,
): Promise<CancelledStockTransfers> {
  return db.transaction(async (tx) => {
    const locked = await tx.any(sql.type(row(Locked))`
      select id, status from stock_transfer
      where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
      order by id
      for update
    `)
    requireCancellable(ids, locked, 'pending', { code: 'not_pending', noun: 'transfer', state: 'pending' })
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      with moved as (
        update stock_transfer
        set status = 'cancelled', cancelled_at = now(), updated_at = now(), version = version + 1
        where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) and status = 'pending'
        returning id
      )
      insert into stock_transfer_event (shop_id, transfer_id, kind, actor, occurred_at)
      select ${shopId}::bigint, moved.id, 'cancel', ${actor}, now()
      from moved
    `)
    return { cancelled: rowCount }
  })
}
