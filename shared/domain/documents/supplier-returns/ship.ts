import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import { ChangedSupplierReturn } from '../../../schemas/supplier-returns.ts'
import { bookSupplierReturn } from '../../ledgers/costs/book.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { transitionRefused } from './supplier-returns.ts'

const Shipped = Type.Object({
  ...Type.Omit(ChangedSupplierReturn, ['alreadyApplied']).properties,
  locationId: Id,
  isInUse: Type.Boolean(),
})

/**
 * Ships a return: takes its pieces off the stock of its location, and their cost out of the averages. A variant that the
 * platform does not track or has deleted moves no stock. A second call changes nothing and returns `alreadyApplied`.
 * Throws not_found, conflict, unknown_location when the location is no longer in use, and insufficient_stock with the lines
 * whose level is too low, unless `allowNegative` is set.
 */
export function shipSupplierReturn(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { allowNegative = false }: { allowNegative?: boolean } = {},
): Promise<ChangedSupplierReturn> {
  return db.transaction(async (tx) => {
    const shipped = await tx.maybeOne(sql.type(row(Shipped))`
      update supplier_return b
      set state = 'shipped', shipped_at = now(), shipped_by = ${actor}, updated_at = now(), version = b.version + 1
      from location w
      where b.shop_id = ${shopId} and b.id = ${id} and b.state = 'draft' and w.shop_id = ${shopId} and w.id = b.location_id
      returning b.id, b.number, b.state, b.version, b.location_id, w.is_active as is_in_use
    `)
    if (!shipped) {
      return transitionRefused(tx, shopId, id, ['shipped', 'credited'], {
        cancelled: 'This return is cancelled. Create a new one for goods that go back.',
      })
    }
    const { locationId, isInUse, ...changed } = shipped
    if (!isInUse) {
      throw unprocessable(
        'unknown_location',
        'The location of this return is no longer in use. Choose another.',
        [{ path: '/locationId', message: 'is no longer in use' }],
      )
    }
    const lines = await markStocked(tx, shopId, id)
    await bookSupplierReturn(tx, shopId, id, actor)
    const change = { kind: 'supplier_return', form: 'adjust', platformReason: 'other' } as const
    const reference = `supplier_return/${id}`
    await moveStock(
      tx,
      shopId,
      { ...change, reference, actor, allowNegative },
      lines.flatMap(({ variantId, quantity, reason, isStocked }, at) =>
        isStocked ? [{ variantId, locationId, delta: -quantity, reason, path: `/lines/${at}/quantity` }] : [],
      ),
    )
    return { ...changed, alreadyApplied: false }
  })
}

const StockedLine = Type.Object({
  variantId: Id,
  quantity: Type.Integer(),
  reason: Type.String(),
  isStocked: Type.Boolean(),
})

/** Stores which lines move stock, and returns all lines in their order. */
async function markStocked(
  tx: Db,
  shopId: number,
  id: number,
): Promise<readonly Static<typeof StockedLine>[]> {
  return tx.any(sql.type(row(StockedLine))`
    with marked as (
      update supplier_return_line l
      set is_stocked = v.is_tracked and v.deleted_at is null
      from variant v
      where l.shop_id = ${shopId} and l.supplier_return_id = ${id} and v.shop_id = ${shopId} and v.id = l.variant_id
      returning l.position, l.variant_id, l.quantity, l.reason, l.is_stocked
    )
    select variant_id, quantity, reason, is_stocked from marked order by position
  `)
}
