import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import {
  type SupplierReturnFilter,
  SupplierReturnListItem,
  type SupplierReturnSort,
} from '../../schemas/supplier-returns.ts'
import {
  type DocumentSort,
  joinGroup,
  pageIds,
  readDocumentCursor,
  sortById,
  sortByStatus,
  sortBySupplier,
  toDocumentPage,
} from '../grouped-pages.ts'
import { isOneOf, type Page, pageSize, withCount } from '../pages.ts'
import { contains } from '../search.ts'
import { SortedKey, sortKeys, sortOrder } from '../sorted-pages.ts'
import { returnFields, returnJoins } from './supplier-returns.ts'

const ListRow = Type.Composite([SupplierReturnListItem, SortedKey])

/** The order in which a return goes through them. */
const states = ['draft', 'shipped', 'credited', 'cancelled']

function sortOf(shopId: number, sort: SupplierReturnSort): DocumentSort {
  const id = sql.fragment`b.id`
  const isDescending = sort.startsWith('-')
  if (sort === 'newest' || sort === 'oldest') return sortById(id, sort === 'newest')
  return sort.endsWith('state')
    ? sortByStatus({ id, status: sql.fragment`b.state` }, states, isDescending)
    : sortBySupplier(shopId, { id, supplierId: sql.fragment`b.supplier_id` }, isDescending)
}

/**
 * The shop's returns by one of the sorts. The search covers the number, both references and the supplier's name. Throws
 * invalid_request for a cursor of another sort.
 */
export async function listSupplierReturns(
  db: Db,
  shopId: number,
  filter: SupplierReturnFilter,
): Promise<Page<SupplierReturnListItem>> {
  const { supplierId, state, purchaseOrderId, receiptId, ids, search, sort: name = 'newest' } = filter
  const sort = sortOf(shopId, name)
  const conditions = [
    supplierId !== undefined && sql.fragment`b.supplier_id = ${supplierId}`,
    state !== undefined && sql.fragment`b.state = ${state}`,
    receiptId !== undefined && sql.fragment`b.receipt_id = ${receiptId}`,
    purchaseOrderId !== undefined &&
      sql.fragment`b.receipt_id in (
        select id from receipt where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
      )`,
    isOneOf(sql.fragment`b.id`, ids),
    isFound(shopId, search),
  ]
  const page = pageIds({
    from: sql.fragment`supplier_return b`,
    alias: 'b',
    conditions: [sql.fragment`b.shop_id = ${shopId}`, ...conditions],
    isNarrow: Boolean(search || ids || supplierId || purchaseOrderId || receiptId),
    sort,
    after: readDocumentCursor(name, sort.columns, filter.cursor),
    limit: pageSize(filter) + 1,
  })
  const records = db.any(sql.type(row(ListRow))`
    with page as materialized (${page})
    select ${returnFields(shopId)}, ${sortKeys(sort.columns)} as sort_keys
    from page
    join supplier_return b on b.shop_id = ${shopId} and b.id = page.id
    ${returnJoins(shopId)}
    ${joinGroup(sort)}
    order by ${sortOrder(sort.columns)}
  `)
  return withCount(
    db,
    filter,
    sql.fragment`from supplier_return b where b.shop_id = ${shopId} and ${sql.and(conditions)}`,
    records.then((rows) => toDocumentPage(name, rows, filter)),
  )
}

/** Each part of the union finds its rows in a trigram index. */
function isFound(shopId: number, search: string | undefined): FragmentSqlToken | false {
  const ofReturn = contains(
    sql.fragment`lower(number || ' ' || supplier_reference || ' ' || credit_reference)`,
    search,
  )
  const ofSupplier = contains(sql.fragment`lower(name)`, search)
  if (!ofReturn || !ofSupplier) return false
  return sql.fragment`b.id in (
    select id from supplier_return where shop_id = ${shopId} and ${ofReturn}
    union
    select id
    from supplier_return
    where shop_id = ${shopId} and supplier_id in (select id from supplier where shop_id = ${shopId} and ${ofSupplier})
  )`
}
