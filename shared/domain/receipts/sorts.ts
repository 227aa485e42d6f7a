import { sql } from '../../db/db.ts'
import type { ReceiptSort } from '../../schemas/receipts.ts'
import { type DocumentSort, nameColumns, sortById, sortByLocation, sortByStatus } from '../grouped-pages.ts'
import { listedState } from './receipts.ts'

/** The order in which a receipt goes through them. */
const states = ['draft', 'posted', 'reversed']

const id = sql.fragment`r.id`

/** The sort of receipts `r`. */
export function sortOf(shopId: number, sort: ReceiptSort): DocumentSort {
  const isDescending = sort.startsWith('-')
  if (sort === 'newest' || sort === 'oldest') return sortById(id, sort === 'newest')
  if (sort.endsWith('state')) return sortByStatus({ id, status: listedState('r') }, states, isDescending)
  if (sort.endsWith('order')) return sortByOrder(shopId, isDescending)
  return sort.endsWith('supplier')
    ? sortBySupplier(shopId, isDescending)
    : sortByLocation(shopId, { id, locationId: sql.fragment`r.location_id` }, isDescending)
}

/** By the number of the order. */
const sortByOrder = (shopId: number, isDescending: boolean): DocumentSort => ({
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
const sortBySupplier = (shopId: number, isDescending: boolean): DocumentSort => ({
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
