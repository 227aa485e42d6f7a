import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type ReceiptFilter, ReceiptListItem } from '../../schemas/receipts.ts'
import { joinGroup, listedColumns, pageIds, readDocumentCursor, toDocumentPage } from '../grouped-pages.ts'
import { isOneOf, type Page, pageSize, withCount } from '../pages.ts'
import { contains } from '../search.ts'
import { SortedKey, sortKeys, sortOrder } from '../sorted-pages.ts'
import { listedState, receiptFields, receiptJoins } from './receipts.ts'
import { sortOf } from './sorts.ts'

const ListRow = Type.Composite([ReceiptListItem, SortedKey])

/**
 * Lists receipts with and without an order by one of the sorts. The search covers the delivery note. Throws invalid_request for
 * a cursor of another sort.
 */
export async function listAllReceipts(
  db: Db,
  shopId: number,
  filter: ReceiptFilter,
): Promise<Page<ReceiptListItem>> {
  const { state, supplierId, purchaseOrderId, ids, search, sort: name = 'newest' } = filter
  const sort = sortOf(shopId, name)
  const columns = listedColumns(sort)
  const limit = pageSize(filter) + 1
  const inNote = contains(sql.fragment`lower(r.delivery_note)`, search)
  const conditions = [
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
  ]
  const page = pageIds({
    from: sql.fragment`receipt r`,
    alias: 'r',
    conditions: [sql.fragment`r.shop_id = ${shopId}`, ...conditions],
    isNarrow: Boolean(search || ids || supplierId || purchaseOrderId),
    sort,
    after: readDocumentCursor(name, columns, filter.cursor),
    limit,
  })
  const records = db.any(sql.type(row(ListRow))`
    with page as materialized (${page})
    select ${receiptFields(shopId)}, ${sortKeys(columns)} as sort_keys
    from page
    join receipt r on r.shop_id = ${shopId} and r.id = page.id
    ${receiptJoins(shopId)}
    ${joinGroup(sort)}
    order by ${sortOrder(columns)}
    limit ${limit}
  `)
  return withCount(
    db,
    filter,
    sql.fragment`from receipt r where r.shop_id = ${shopId} and ${sql.and(conditions)}`,
    records.then((rows) => toDocumentPage(name, rows, filter)),
  )
}
