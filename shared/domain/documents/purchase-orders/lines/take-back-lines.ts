import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'

const LineToReverse = Type.Object({ variantId: Id, quantity: Type.Integer(), isStocked: Type.Boolean() })

/** Subtracts the pieces of a reversed receipt from the accepted and the credited quantities of the order. Returns the lines of the receipt, in the order of `listReceipts`. */
export function takeBackLines(tx: Db, shopId: number, receiptId: number) {
  return tx.any(sql.type(row(LineToReverse))`
    with returned as (
      update purchase_order_line l
      set accepted = l.accepted - x.quantity, credited = greatest(l.credited - x.credited, 0),
        cancelled = greatest(l.cancelled - x.credited, 0)
      from (
        select *, case when reject_outcome = 'credit' then rejected else 0 end as credited
        from receipt_line
        where shop_id = ${shopId} and receipt_id = ${receiptId}
      ) x
      where x.shop_id = ${shopId} and x.receipt_id = ${receiptId} and l.shop_id = ${shopId}
        and l.id = x.purchase_order_line_id
      returning l.position, l.variant_id, x.quantity, x.is_stocked
    )
    select r.variant_id, r.quantity, r.is_stocked and v.is_tracked and v.deleted_at is null as is_stocked
    from returned r
    join variant v on v.shop_id = ${shopId} and v.id = r.variant_id
    order by r.position
  `)
}
