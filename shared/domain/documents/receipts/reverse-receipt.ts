import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import { ReversedReceipt } from '../../../schemas/receipts.ts'
import { bookLateCosts, bookReversal } from '../../ledgers/costs/book.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { lockOrder } from '../purchase-orders/edit.ts'
import { takeBackLines } from '../purchase-orders/lines/take-back-lines.ts'
import { settleOrder } from '../purchase-orders/settle.ts'

const ReceiptToReverse = Type.Object({ id: Id, locationId: Id, reversedAt: Timestamp })
const FoundReceipt = Type.Composite([
  Type.Omit(ReversedReceipt, ['reversedAt']),
  Type.Object({ reversedAt: Nullable(Timestamp) }),
])

/**
 * Reverses a receipt: moves its stock out of its location, makes its pieces outstanding again, and updates the order's
 * status; pieces that it closed for a credit are outstanding again, too. Quantities that closing the order has cancelled stay
 * cancelled, and so does a cancelled order. A variant that the platform no longer tracks moves no stock. A second call changes nothing and
 * returns `alreadyApplied`. Throws not_found, conflict for a draft and while goods of the receipt are on a return to the supplier, and
 * insufficient_stock with the lines whose level is too low, unless `allowNegative` is set.
 */
export function reverseReceipt(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  id: number,
  actor: string,
  { allowNegative = false }: { allowNegative?: boolean } = {},
): Promise<ReversedReceipt> {
  return db.transaction(async (tx) => {
    await lockOrder(tx, shopId, purchaseOrderId)
    const receipt = await tx.maybeOne(sql.type(row(ReceiptToReverse))`
      update receipt
      set reversed_at = now(), reversed_by = ${actor}
      where shop_id = ${shopId} and id = ${id} and purchase_order_id = ${purchaseOrderId} and state = 'posted'
        and reversed_at is null
      returning id, location_id, reversed_at
    `)
    if (!receipt) return findReversed(tx, shopId, purchaseOrderId, id)
    await requireNoReturn(tx, shopId, id)
    const { locationId, reversedAt } = receipt
    const lines = await takeBackLines(tx, shopId, id)
    const { status } = await settleOrder(tx, shopId, purchaseOrderId, newestReceipt(shopId, purchaseOrderId))
    const stocked = lines.flatMap(({ variantId, quantity, isStocked }, index) =>
      isStocked && quantity > 0
        ? [{ variantId, locationId, delta: -quantity, path: `/lineItems/${index}` }]
        : [],
    )
    // all at once and by id, as each change of stock and costs locks them
    await lockVariantsOfOrder(tx, shopId, purchaseOrderId)
    await bookReversal(tx, shopId, id, { variantIds: stocked.map(({ variantId }) => variantId), actor })
    const change = { kind: 'reversal', form: 'adjust', platformReason: 'correction' } as const
    const reference = `purchase_order/${purchaseOrderId}`
    await moveStock(tx, shopId, { ...change, reference, actor, allowNegative }, stocked)
    // the pieces of another receipt may now be among the ordered ones, and take their shares of the charges
    await bookLateCosts(tx, shopId, purchaseOrderId, actor)
    return { id, purchaseOrderId, status, reversedAt, alreadyApplied: false }
  })
}

/** The late costs concern more variants than the receipt had. */
async function lockVariantsOfOrder(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select id
    from variant
    where shop_id = ${shopId} and id in (
      select variant_id from purchase_order_line where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
    )
    order by id
    for no key update
  `)
}

const BlockingReturn = Type.Object({ number: Type.String(), state: Type.String() })

/** The caller has updated the receipt, so no return of it can be created meanwhile. */
export async function requireNoReturn(tx: Db, shopId: number, receiptId: number): Promise<void> {
  const blocking = await tx.maybeOne(sql.type(row(BlockingReturn))`
    select number, state
    from supplier_return
    where shop_id = ${shopId} and receipt_id = ${receiptId} and state <> 'cancelled'
    order by id
    limit 1
  `)
  if (!blocking) return
  const { number, state } = blocking
  if (state === 'draft') {
    throw conflict(
      `Goods of this receipt are on the return ${number}. Cancel it before you undo the receipt.`,
    )
  }
  throw conflict(
    `Goods of this receipt went back to the supplier with the return ${number}, so the receipt cannot be undone.`,
  )
}

async function findReversed(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  id: number,
): Promise<ReversedReceipt> {
  const receipt = await tx.maybeOne(sql.type(row(FoundReceipt))`
    select r.id, r.purchase_order_id, o.status, r.reversed_at, true as already_applied
    from receipt r
    join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
    where r.shop_id = ${shopId} and r.id = ${id} and r.purchase_order_id = ${purchaseOrderId}
  `)
  if (!receipt) throw notFound('Receipt')
  const { reversedAt } = receipt
  if (reversedAt === null) throw conflict('This receipt is a draft. Delete it instead.')
  return { ...receipt, reversedAt }
}

const newestReceipt = (shopId: number, purchaseOrderId: number) => sql.fragment`
  select coalesce(posted_at, created_at)
  from receipt
  where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and state = 'posted' and reversed_at is null
  order by coalesce(posting_no, id) desc
  limit 1
`
