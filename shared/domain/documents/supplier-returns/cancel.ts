import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { ChangedSupplierReturn } from '../../../schemas/supplier-returns.ts'
import { transitionRefused } from './supplier-returns.ts'

/** Cancels a draft. A second call changes nothing and returns `alreadyApplied`. Throws not_found, conflict. */
export async function cancelSupplierReturn(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
): Promise<ChangedSupplierReturn> {
  const cancelled = await db.maybeOne(sql.type(row(Type.Omit(ChangedSupplierReturn, ['alreadyApplied'])))`
    update supplier_return
    set state = 'cancelled', cancelled_at = now(), cancelled_by = ${actor}, updated_at = now(), version = version + 1
    where shop_id = ${shopId} and id = ${id} and state = 'draft'
    returning id, number, state, version
  `)
  if (cancelled) return { ...cancelled, alreadyApplied: false }
  return transitionRefused(db, shopId, id, ['cancelled'], {
    shipped: 'The goods of this return have left. Undo the shipment when they came back.',
    credited: 'The supplier has credited this return, so it cannot be cancelled.',
  })
}
