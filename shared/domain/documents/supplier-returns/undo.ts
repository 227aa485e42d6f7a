import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { ChangedSupplierReturn } from '../../../schemas/supplier-returns.ts'
import { bookUndoneReturn } from '../../ledgers/costs/book.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { transitionRefused } from './supplier-returns.ts'

const Undone = Type.Object({
  ...Type.Omit(ChangedSupplierReturn, ['alreadyApplied']).properties,
  locationId: Id,
})
const LineToUndo = Type.Object({ variantId: Id, quantity: Type.Integer(), reason: Type.String() })

/**
 * Cancels a shipped return whose goods came back, or never left: its pieces are stock of the location again, at the cost at
 * which they left. The location may be out of use meanwhile, and a variant that the platform no longer tracks moves no
 * stock. A second call changes nothing and returns `alreadyApplied`. Throws not_found, and conflict for a draft and for a
 * credited return.
 */
export function undoSupplierReturn(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
): Promise<ChangedSupplierReturn> {
  return db.transaction(async (tx) => {
    const undone = await tx.maybeOne(sql.type(row(Undone))`
      update supplier_return
      set state = 'cancelled', cancelled_at = now(), cancelled_by = ${actor}, updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and state = 'shipped'
      returning id, number, state, version, location_id
    `)
    if (!undone) {
      return transitionRefused(tx, shopId, id, ['cancelled'], {
        draft: 'This return is a draft, so no goods have left. Cancel it instead.',
        credited:
          'The supplier has credited this return. Receive the goods with a new order if they come back.',
      })
    }
    const { locationId, ...changed } = undone
    const lines = await tx.any(sql.type(row(LineToUndo))`
      select l.variant_id, l.quantity, l.reason
      from supplier_return_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      where l.shop_id = ${shopId} and l.supplier_return_id = ${id} and l.is_stocked and v.is_tracked
        and v.deleted_at is null
      order by l.position
    `)
    const variantIds = lines.map(({ variantId }) => variantId)
    await bookUndoneReturn(tx, shopId, id, { variantIds, actor })
    const change = { kind: 'supplier_return', form: 'adjust', platformReason: 'correction' } as const
    await moveStock(
      tx,
      shopId,
      { ...change, reference: `supplier_return/${id}`, actor },
      lines.map(({ variantId, quantity, reason }) => ({ variantId, locationId, delta: quantity, reason })),
    )
    return { ...changed, alreadyApplied: false }
  })
}
