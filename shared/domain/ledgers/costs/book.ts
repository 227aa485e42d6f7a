import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { requestCostPushes } from '../cost-pushes/request.ts'
import { requestMargins } from './first-costs.ts'
import { followUnitCosts } from './follow.ts'

/*
 * The book cost of a variant is the moving average of what its pieces cost, landed, in the shop's currency. The ledger
 * cost_movement has a row for each change; variant_cost has what the rows lead to. Causes of rows:
 *   opening    the first known cost
 *   platform   the platform's cost changed; the average follows until goods are received
 *   manual     the merchant entered a cost: the average is that from now on
 *   receipt    average' = (max(Q, 0) x average + r x landed) / (max(Q, 0) + r), Q = on hand of the shop and in transit between its locations, r = received
 *   reversal   average' = (Q x average - r x c) / (Q - r) while Q > r, c = the cost that the receipt put in; the last cost is that before it
 *              After a cost that a person or an import has entered since, the pieces leave at the average, which stays; so do those of a return
 *   charge     a cost that came after its receipt: what is left of the pieces takes its part, the rest is a variance. Pieces of which no
 *              cost was known are booked as if they came now
 *   return     pieces go back to their supplier: as a reversal, with c = what each piece of their receipt carries in the average;
 *              without a receipt c = average. An undone return puts back what it took out
 *   loss       pieces that were lost or damaged in transit leave at the average, which stays (`losses.ts`)
 *   repair     `stock:verify --repair`
 * Variants without stock have no average of pieces: their receipts and late costs set the last cost (`book_unstocked`).
 * Goods that leave never change the average. Example: 10 on hand at 2.00, 5 received at 2.60 landed: (20 + 13) / 15 = 2.20.
 * `functions/` has the formulas, in SQL. These lock the variants before they read the stock.
 */

/**
 * Books the landed costs of a receipt that is written, before its stock moves; stores the last cost of each variant. The order is
 * null for goods without one.
 */
export async function bookReceipt(
  tx: Db,
  shopId: number,
  receipt: { id: number; purchaseOrderId: number | null },
  actor: string,
): Promise<void> {
  const isWrittenBack = await book(
    tx,
    shopId,
    sql.fragment`select book_receipt(${shopId}, ${receipt.purchaseOrderId}, ${receipt.id}, ${actor})`,
  )
  if (!isWrittenBack) return
  await requestCostPushes(
    tx,
    shopId,
    sql.fragment`c.variant_id in (
      select m.variant_id from cost_movement m where m.shop_id = ${shopId} and m.receipt_id = ${receipt.id}
    )`,
  )
}

/** Takes the costs of a receipt out of the averages and sets last and unit costs back, before its stock moves. */
export async function bookReversal(
  tx: Db,
  shopId: number,
  receiptId: number,
  { variantIds, actor }: { variantIds: readonly number[]; actor: string },
): Promise<void> {
  if (variantIds.length === 0) return
  const ids = sql.array([...new Set(variantIds)], 'int8')
  const isWrittenBack = await book(
    tx,
    shopId,
    sql.fragment`select false from book_reversal(${shopId}, ${receiptId}, ${ids}, ${actor})`,
  )
  if (!isWrittenBack) return
  await requestCostPushes(tx, shopId, sql.fragment`c.variant_id = any(${ids})`)
}

/** Takes the costs of a return to a supplier out of the averages, before its stock moves. Its lines must say which are stocked. */
export async function bookSupplierReturn(
  tx: Db,
  shopId: number,
  returnId: number,
  actor: string,
): Promise<void> {
  const isWrittenBack = await book(
    tx,
    shopId,
    sql.fragment`select false from book_supplier_return(${shopId}, ${returnId}, ${actor})`,
  )
  if (isWrittenBack) await requestCostPushes(tx, shopId, isOfReturn(shopId, returnId))
}

/** Puts the costs of a shipped return back into the averages, before its stock moves back. */
export async function bookUndoneReturn(
  tx: Db,
  shopId: number,
  returnId: number,
  { variantIds, actor }: { variantIds: readonly number[]; actor: string },
): Promise<void> {
  if (variantIds.length === 0) return
  const ids = sql.array([...new Set(variantIds)], 'int8')
  const isWrittenBack = await book(
    tx,
    shopId,
    sql.fragment`select false from book_undone_return(${shopId}, ${returnId}, ${ids}, ${actor})`,
  )
  if (isWrittenBack) await requestCostPushes(tx, shopId, isOfReturn(shopId, returnId))
}

const isOfReturn = (shopId: number, returnId: number) => sql.fragment`c.variant_id in (
  select m.variant_id from cost_movement m where m.shop_id = ${shopId} and m.supplier_return_id = ${returnId}
)`

/**
 * Books what changed the costs of an order's receipts after they were booked: charges, rate, prices, discount, quantities, a reversed
 * receipt.
 */
export async function bookLateCosts(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  actor: string,
): Promise<void> {
  const isWrittenBack = await book(
    tx,
    shopId,
    sql.fragment`select book_late_costs(${shopId}, ${purchaseOrderId}, ${actor})`,
  )
  const reference = `purchase_order/${purchaseOrderId}`
  await followUnitCosts(tx, shopId, isUnstocked(shopId, purchaseOrderId), actor, { reference })
  if (!isWrittenBack) return
  await requestCostPushes(
    tx,
    shopId,
    // only costs that this transaction has booked, since the platform may have a newer one
    sql.fragment`c.variant_id in (
      select l.variant_id from purchase_order_line l where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
    )
    and exists (
      select
      from cost_movement m
      where m.shop_id = ${shopId} and m.variant_id = c.variant_id and m.reference = ${reference} and m.occurred_at >= now()
    )`,
  )
}

/** Pieces of the variant arrived without stock: the platform did not track it, or had deleted it. */
const isUnstocked = (shopId: number, purchaseOrderId: number) => sql.fragment`v.id in (
  select l.variant_id
  from purchase_order_line l
  join receipt_line x on x.shop_id = ${shopId} and x.purchase_order_line_id = l.id and not x.is_stocked
  where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
)`

const Booked = Type.Object({ isWrittenBack: Type.Boolean(), hasFirst: Type.Boolean() })

/**
 * Runs a select that books and returns whether it marked variants that have sales and had no cost: their margins are computed again.
 * Returns whether the shop's costs are written to the platform. One round trip for most shops.
 */
async function book(tx: Db, shopId: number, select: FragmentSqlToken): Promise<boolean> {
  const { isWrittenBack, hasFirst } = await tx.one(sql.type(row(Booked))`
    select booked.has_first, exists (
      select from shop_setting where shop_id = ${shopId} and cost_write_back <> 'off'
    ) as is_written_back
    from (${select}) as booked (has_first)
  `)
  if (hasFirst) await requestMargins(tx, shopId)
  return isWrittenBack
}
