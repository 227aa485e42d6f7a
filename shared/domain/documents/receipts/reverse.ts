import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import type { ReversedAnyReceipt } from '../../../schemas/receipts.ts'
import { bookReversal } from '../../ledgers/costs/book.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { requireNoReturn, reverseReceipt } from './reverse-receipt.ts'

const Document = Type.Object({
  purchaseOrderId: Nullable(Id),
  locationId: Id,
  reversedAt: Nullable(Timestamp),
  isImported: Type.Boolean(),
})
const DirectLine = Type.Object({ variantId: Id, quantity: Type.Integer(), isStocked: Type.Boolean() })

/**
 * Reverses a receipt: one of an order as `reverseReceipt` does, and goods without an order by taking them out of stock and
 * their costs out of the averages; an imported one moved no stock, so its reversal moves none. A second call changes nothing and returns `alreadyApplied`. Throws not_found, conflict for a
 * draft and while its goods are on a return, and insufficient_stock unless `allowNegative` is set.
 */
export function reverseAnyReceipt(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { allowNegative = false }: { allowNegative?: boolean } = {},
): Promise<ReversedAnyReceipt> {
  return db.transaction(async (tx) => {
    const document = await tx.maybeOne(sql.type(row(Document))`
      select purchase_order_id, location_id, reversed_at, is_imported from receipt where shop_id = ${shopId} and id = ${id}
    `)
    if (!document) throw notFound('Receipt')
    const { purchaseOrderId, locationId, isImported } = document
    if (purchaseOrderId !== null)
      return reverseReceipt(tx, shopId, purchaseOrderId, id, actor, { allowNegative })
    const reversedAt = await tx.maybeOneFirst(sql.type(row(Type.Object({ reversedAt: Timestamp })))`
      update receipt
      set reversed_at = now(), reversed_by = ${actor}
      where shop_id = ${shopId} and id = ${id} and reversed_at is null
      returning reversed_at
    `)
    const answer = { id, purchaseOrderId: null, status: null }
    if (reversedAt === null) return { ...answer, ...(await findReversed(tx, shopId, id)) }
    await requireNoReturn(tx, shopId, id)
    const lines = await tx.any(sql.type(row(DirectLine))`
      select x.variant_id, x.quantity, v.is_tracked and v.deleted_at is null as is_stocked
      from direct_receipt_line x
      join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
      where x.shop_id = ${shopId} and x.receipt_id = ${id}
      order by x.position
    `)
    const stocked = lines.flatMap(({ variantId, quantity, isStocked }, index) =>
      isStocked && !isImported ? [{ variantId, locationId, delta: -quantity, path: `/lines/${index}` }] : [],
    )
    await bookReversal(tx, shopId, id, { variantIds: stocked.map(({ variantId }) => variantId), actor })
    const change = { kind: 'reversal', form: 'adjust', platformReason: 'correction' } as const
    await moveStock(tx, shopId, { ...change, reference: `receipt/${id}`, actor, allowNegative }, stocked)
    return { ...answer, reversedAt, alreadyApplied: false }
  })
}

/** Another request may have reversed it while this one waited for the row. */
const findReversed = (tx: Db, shopId: number, id: number) =>
  tx.one(sql.type(row(Type.Object({ reversedAt: Timestamp, alreadyApplied: Type.Boolean() })))`
    select reversed_at, true as already_applied from receipt where shop_id = ${shopId} and id = ${id}
  `)
