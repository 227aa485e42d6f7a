import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../../db/db.ts'
import { type SupplierReturnFilter, SupplierReturnListItem } from '../../../schemas/supplier-returns.ts'
import { byName, byStatus, listDocuments } from '../../kit/pages/grouped-pages.ts'
import { isOneOf, type Page } from '../../kit/pages/pages.ts'
import { SortedKey } from '../../kit/pages/sorted-pages.ts'
import { contains } from '../../kit/search.ts'
import { returnFields, returnJoins } from './supplier-returns.ts'

const ListRow = Type.Composite([SupplierReturnListItem, SortedKey])

/** The order in which a return goes through them. */
const states = ['draft', 'shipped', 'credited', 'cancelled']

/**
 * The shop's returns by one of the sorts. The search covers the number, both references and the supplier's name. Throws
 * invalid_request for a cursor of another sort.
 */
export function listSupplierReturns(
  db: Db,
  shopId: number,
  filter: SupplierReturnFilter,
): Promise<Page<SupplierReturnListItem>> {
  const { supplierId, state, purchaseOrderId, receiptId, ids, search } = filter
  return listDocuments(db, shopId, filter, {
    row: ListRow,
    from: sql.fragment`supplier_return b`,
    alias: 'b',
    conditions: [
      supplierId !== undefined && sql.fragment`b.supplier_id = ${supplierId}`,
      state !== undefined && sql.fragment`b.state = ${state}`,
      receiptId !== undefined && sql.fragment`b.receipt_id = ${receiptId}`,
      purchaseOrderId !== undefined &&
        sql.fragment`b.receipt_id in (
          select id from receipt where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
        )`,
      isOneOf(sql.fragment`b.id`, ids),
      isFound(shopId, search),
    ],
    isNarrow: Boolean(search || ids || supplierId || purchaseOrderId || receiptId),
    sorts: {
      supplier: byName(shopId, sql.fragment`supplier g`, sql.fragment`b.supplier_id`),
      state: byStatus(sql.fragment`b.state`, states),
    },
    fields: returnFields(shopId),
    joins: returnJoins(shopId),
  })
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
