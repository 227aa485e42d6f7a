import { sql } from '../../../db/db.ts'
import type { ReceiptSort } from '../../../schemas/receipts.ts'
import { byName, byStatus, nameColumns, type Sorting, type Sorts } from '../../kit/pages/grouped-pages.ts'
import { listedState } from './receipts.ts'

/** The order in which a receipt goes through them. */
const states = ['draft', 'posted', 'reversed']

/** The sorts of receipts `r`. */
export const receiptSorts = (shopId: number): Sorts<ReceiptSort> => ({
  state: byStatus(listedState('r'), states),
  order: byOrder(shopId),
  supplier: bySupplier(shopId),
  location: byName(shopId, sql.fragment`location g`, sql.fragment`r.location_id`),
})

/** By the number of the order. */
const byOrder =
  (shopId: number): Sorting =>
  (id, isDescending) => ({
    columns: [
      { sql: sql.fragment`g.number`, type: 'int8', isDescending },
      { sql: id, type: 'int8', isDescending: true },
    ],
    grouping: {
      from: sql.fragment`purchase_order g`,
      isListed: sql.fragment`g.shop_id = ${shopId}`,
      isOf: sql.fragment`g.id = r.purchase_order_id`,
      rest: { isOf: sql.fragment`r.purchase_order_id is null`, keys: ['0'] },
    },
  })

/**
 * By the name of the supplier, which of a receipt of an order is that of the order. A page reads the ids of all receipts of its
 * suppliers.
 */
const bySupplier =
  (shopId: number): Sorting =>
  (id, isDescending) => ({
    columns: nameColumns(id, isDescending),
    grouping: {
      from: sql.fragment`supplier g`,
      isListed: sql.fragment`g.shop_id = ${shopId}`,
      isOf: sql.fragment`g.id = coalesce(r.supplier_id, (
        select o.supplier_id from purchase_order o where o.shop_id = ${shopId} and o.id = r.purchase_order_id
      ))`,
      documents: sql.fragment`(
        select * from receipt where shop_id = ${shopId} and supplier_id = g.id
        union all
        select x.*
        from purchase_order o
        join receipt x on x.shop_id = ${shopId} and x.purchase_order_id = o.id
        where o.shop_id = ${shopId} and o.supplier_id = g.id
      ) r`,
      rest: { isOf: sql.fragment`r.purchase_order_id is null and r.supplier_id is null`, keys: ['', '0'] },
    },
  })
