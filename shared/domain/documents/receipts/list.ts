import { Type } from '@sinclair/typebox'
import { type Db, sql } from '../../../db/db.ts'
import { type ReceiptFilter, ReceiptListItem } from '../../../schemas/receipts.ts'
import { listDocuments } from '../../kit/pages/grouped-pages.ts'
import { isOneOf, type Page } from '../../kit/pages/pages.ts'
import { SortedKey } from '../../kit/pages/sorted-pages.ts'
import { contains } from '../../kit/search.ts'
import { listedState, receiptFields, receiptJoins } from './receipts.ts'
import { receiptSorts } from './sorts.ts'

const ListRow = Type.Composite([ReceiptListItem, SortedKey])

/**
 * Lists receipts with and without an order by one of the sorts. The search covers the delivery note. Throws invalid_request for
 * a cursor of another sort.
 */
export function listAllReceipts(
  db: Db,
  shopId: number,
  filter: ReceiptFilter,
): Promise<Page<ReceiptListItem>> {
  const { state, supplierId, purchaseOrderId, ids, search } = filter
  const inNote = contains(sql.fragment`lower(r.delivery_note)`, search)
  return listDocuments(db, shopId, filter, {
    row: ListRow,
    from: sql.fragment`receipt r`,
    alias: 'r',
    conditions: [
      state !== undefined && sql.fragment`${listedState('r')} = ${state}`,
      purchaseOrderId !== undefined && sql.fragment`r.purchase_order_id = ${purchaseOrderId}`,
      supplierId !== undefined &&
        sql.fragment`r.id in (
          select id from receipt where shop_id = ${shopId} and supplier_id = ${supplierId}
          union all
          select x.id
          from purchase_order o
          join receipt x on x.shop_id = ${shopId} and x.purchase_order_id = o.id
          where o.shop_id = ${shopId} and o.supplier_id = ${supplierId}
        )`,
      isOneOf(sql.fragment`r.id`, ids),
      inNote && sql.fragment`r.delivery_note <> '' and ${inNote}`,
    ],
    isNarrow: Boolean(search || ids || supplierId || purchaseOrderId),
    sorts: receiptSorts(shopId),
    fields: receiptFields(shopId),
    joins: receiptJoins(shopId),
  })
}
