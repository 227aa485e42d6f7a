import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { ReceiptDetail } from '../../../schemas/receipts.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { receiptColumns } from './of-order.ts'

/*
 * The steps of a receipt of an order, all in one transaction. `direct.ts` receives goods without an order: it locks the supplier, then takes steps 3,
 * 2, 5, 6, 8 and 9.
 *
 *      what                                                     where
 *   1  the order is locked, for a draft its receipt, too        `lockOrderToReceive` (locked-order.ts), `lockReceipt` (drafts.ts)
 *   2  a repeated request ends here with the first result       `findRepeated` (receive.ts), `alreadyApplied` (post-draft.ts)
 *   3  the order is sent, the location is in use                `requireSent`, `requireLocation` (locked-order.ts)
 *   4  the lines are of the order, and no more than allowed     `requireLines` (counts.ts)
 *   5  the lines of the order take the pieces, the order gets   `receivePurchaseOrder` (receive.ts), `writePosted` (post-draft.ts); the
 *      its status, its alerts end, and the receipt is written   functions `insert_receipt`, `receive_lines` and `settle_order`
 *   6  the variants are locked, and the landed costs booked     `bookReceipt` (costs/book.ts)
 *   7  a variant without stock takes the new cost               `followUnstocked` (post.ts)
 *   8  the levels are locked, and the pieces move into stock    `moveStock` (stock/move.ts), which enqueues the push to the platform and
 *                                                               refreshes the reorder rules
 *   9  what follows: costs are written back, and margins are    `requestCostPushes` (cost-pushes/request.ts), `requestMargins`
 *      computed anew after a first cost                         (costs/first-costs.ts), both within 6 and 7
 *
 * A draft (`drafts.ts`) holds counts before they are posted, a scan (`scan.ts`) finds the line of a code. A reversal
 * (`reverse-receipt.ts`) takes the pieces back in the same order: lines and status, costs, stock, charges.
 */

/** SQL: the state of a receipt in lists, from the alias of its table; the index `receipt_listed_state` has this expression. */
export function listedState(receipt: string) {
  const r = sql.identifier([receipt])
  return sql.fragment`case when ${r}.reversed_at is not null then 'reversed' else ${r}.state end`
}

/** SQL columns of a receipt `r` with its order `o`, supplier `s` and location `w`, as `receiptJoins` joins them. */
export const receiptFields = (shopId: number) => sql.fragment`
  r.id, ${listedState('r')} as state, r.purchase_order_id, o.po_number,
  s.id as supplier_id, s.name as supplier_name, w.gid as location_id, w.name as location_name,
  counted.accepted, counted.rejected, ${receiptColumns('r')},
  coalesce(o.currency, ${currencyOf(shopId)}) as currency
`

export const receiptJoins = (shopId: number) => sql.fragment`
  left join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
  left join supplier s on s.shop_id = ${shopId} and s.id = coalesce(r.supplier_id, o.supplier_id)
  join location w on w.shop_id = ${shopId} and w.id = r.location_id
  cross join lateral (
    select coalesce(sum(x.accepted), 0) as accepted, coalesce(sum(x.rejected), 0) as rejected
    from (
      select quantity as accepted, rejected from receipt_line where shop_id = ${shopId} and receipt_id = r.id
      union all
      select quantity, 0 from direct_receipt_line where shop_id = ${shopId} and receipt_id = r.id
    ) x
  ) counted
`

/** A receipt with what was counted. Throws not_found. */
export async function getReceipt(db: Db, shopId: number, id: number): Promise<ReceiptDetail> {
  const receipt = await db.maybeOne(sql.type(row(ReceiptDetail))`
    select ${receiptFields(shopId)}, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'lineItemId', x.line_id, 'variantId', v.gid, 'sku', x.sku, 'title', x.title, 'accepted', x.accepted,
        'rejected', x.rejected, 'rejectReason', x.reject_reason, 'rejectOutcome', x.reject_outcome, 'unitCost', x.unit_cost
      ) order by x.position), '[]')
      from (
        select l.id as line_id, l.variant_id, l.sku, l.title, c.quantity as accepted, c.rejected, c.reject_reason,
          c.reject_outcome, c.unit_cost, l.position
        from receipt_line c
        join purchase_order_line l on l.shop_id = ${shopId} and l.id = c.purchase_order_line_id
        where c.shop_id = ${shopId} and c.receipt_id = r.id
        union all
        select null, d.variant_id, d.sku, d.title, d.quantity, 0, '', null, d.unit_cost, d.position
        from direct_receipt_line d
        where d.shop_id = ${shopId} and d.receipt_id = r.id
      ) x
      join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
    ) as lines
    from receipt r
    ${receiptJoins(shopId)}
    where r.shop_id = ${shopId} and r.id = ${id}
  `)
  if (!receipt) throw notFound('Receipt')
  return receipt
}
