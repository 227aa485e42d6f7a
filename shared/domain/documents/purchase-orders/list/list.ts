import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../../db/db.ts'
import { badRequest } from '../../../../errors.ts'
import {
  type PurchaseOrderFilter,
  PurchaseOrderListItem,
  type PurchaseOrderStage,
} from '../../../../schemas/purchase-orders.ts'
import { endOfToday, resolveDates, within } from '../../../kit/date-range.ts'
import { readDocumentCursor, toDocumentPage } from '../../../kit/pages/grouped-pages.ts'
import { isOneOf, type Page, pageSize, withCount } from '../../../kit/pages/pages.ts'
import { SortedKey, sortKeys, sortOrder } from '../../../kit/pages/sorted-pages.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { dueAt } from '../../../records/supplier-prices/due-at.ts'
import { isOverdue } from '../overdue.ts'
import { arrivalLocation, emailStatus, isClosedShort, receivedValue } from '../purchase-orders.ts'
import { hasPayment, isPaymentOverdue } from './payment.ts'
import { matchesOrderSearch } from './search.ts'
import { columnsOfSort, isAfterCursor, isBySupplier, isSupplierAfterCursor } from './sorts.ts'

const ListRow = Type.Composite([PurchaseOrderListItem, SortedKey])

/**
 * Lists orders by one of the sorts. The search covers order number, notes, supplier name and the SKUs of the lines. One
 * statement finds the ids of a page in the order of an index, and reads the columns of those orders alone. Throws
 * invalid_request for a cursor of another sort.
 */
export async function listPurchaseOrders(
  db: Db,
  shopId: number,
  filter: PurchaseOrderFilter,
): Promise<Page<PurchaseOrderListItem>> {
  const { sort = 'newest' } = filter
  const columns = columnsOfSort(sort)
  const after = readDocumentCursor(sort, columns, filter.cursor)
  const conditions = await conditionsOf(db, shopId, filter)
  const page = readPage(db, shopId, filter, pageRows(shopId, filter, conditions, after), sortOrder(columns))
  const counted = sql.fragment`from purchase_order o ${supplierFor(shopId, filter)} where o.shop_id = ${shopId} and ${sql.and(conditions)}`
  return withCount(db, filter, counted, page)
}

type Condition = FragmentSqlToken | false

/** Conditions on orders `o` and, for a stage with dates, on their suppliers `s`. */
async function conditionsOf(db: Db, shopId: number, filter: PurchaseOrderFilter): Promise<Condition[]> {
  const { status, stage, payment, supplierId, locationId, expectedFrom, expectedTo, ids, search } = filter
  if (expectedFrom !== undefined && expectedTo !== undefined && expectedFrom > expectedTo) {
    throw badRequest([{ path: '/expectedFrom', message: 'must not be after expectedTo' }])
  }
  const expected = await resolveDates(db, shopId, {
    ...(expectedFrom && { startDate: expectedFrom }),
    ...(expectedTo && { endDate: expectedTo }),
  })
  return [
    status !== undefined && sql.fragment`o.status = ${status}`,
    stage !== undefined && isInStage(shopId, stage),
    payment !== undefined && hasPayment(shopId, payment),
    supplierId !== undefined && sql.fragment`o.supplier_id = ${supplierId}`,
    locationId !== undefined && (await arrivesAt(db, shopId, locationId)),
    ...within(sql.fragment`o.due_at`, expected),
    isOneOf(sql.fragment`o.id`, ids),
    matchesOrderSearch(shopId, search),
  ]
}

const PlainLocation = Type.Object({ id: Type.Integer(), isPrimary: Type.Boolean() })

/** An order without a destination arrives at the default location; only there its condition cannot use the index. */
async function arrivesAt(db: Db, shopId: number, locationId: string): Promise<FragmentSqlToken> {
  const location = await db.maybeOne(sql.type(row(PlainLocation))`
    select id, is_primary from location where shop_id = ${shopId} and gid = ${locationId}
  `)
  const isDestination = sql.fragment`o.destination_location_id = ${location?.id ?? 0}`
  return location?.isPrimary
    ? sql.fragment`(${isDestination} or o.destination_location_id is null)`
    : isDestination
}

function isInStage(shopId: number, stage: PurchaseOrderStage): FragmentSqlToken {
  if (stage === 'open') return sql.fragment`o.status in ('draft', 'sent', 'partial')`
  const isIncoming = sql.fragment`o.status in ('sent', 'partial')`
  if (stage === 'incoming') return isIncoming
  if (stage === 'undelivered') return sql.fragment`${isIncoming} and ${isUndelivered(shopId)}`
  return stage === 'overdue'
    ? isOverdue('o', 's')
    : sql.fragment`${isIncoming} and ${dueAt('o', 's')} < ${endOfToday(shopId)}`
}

/** The newest e-mail of order `o` failed or is not confirmed. */
const isUndelivered = (shopId: number) => sql.fragment`
  o.id in (
    select m.purchase_order_id
    from outgoing_mail m
    where m.shop_id = ${shopId} and m.state in ('failed', 'unknown') and not exists (
      select
      from outgoing_mail n
      where n.shop_id = ${shopId} and n.purchase_order_id = m.purchase_order_id and n.send_no > m.send_no
    )
  )
`

const joinSupplier = (shopId: number) =>
  sql.fragment`join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id`

const needsSupplier = ({ stage }: PurchaseOrderFilter) => stage === 'due' || stage === 'overdue'

const supplierFor = (shopId: number, filter: PurchaseOrderFilter) =>
  needsSupplier(filter) ? joinSupplier(shopId) : sql.fragment``

/** SQL: the ids of a page, and one more. */
function pageRows(
  shopId: number,
  filter: PurchaseOrderFilter,
  conditions: readonly Condition[],
  after: readonly string[] | null,
): FragmentSqlToken {
  const { sort = 'newest' } = filter
  const limit = pageSize(filter) + 1
  const isNext = after !== null && isAfterCursor(sort, after)
  const order = sortOrder(columnsOfSort(sort))
  // a search, or the orders of one supplier, are fewer than those of all suppliers
  if (!isBySupplier(sort) || filter.search || filter.supplierId !== undefined || filter.ids) {
    const join = isBySupplier(sort) ? joinSupplier(shopId) : supplierFor(shopId, filter)
    return sql.fragment`
      select o.id from purchase_order o ${join}
      where o.shop_id = ${shopId} and ${sql.and([...conditions, isNext])}
      order by ${order}
      limit ${limit}
    `
  }
  // the suppliers in the order of their names, and of each at most a page of orders: an index for both
  return sql.fragment`
    select o.id
    from supplier s
    cross join lateral (
      select o.id
      from purchase_order o
      where o.shop_id = ${shopId} and o.supplier_id = s.id and ${sql.and([...conditions, isNext])}
      order by o.id desc
      limit ${limit}
    ) o
    where ${sql.and([
      sql.fragment`s.shop_id = ${shopId}`,
      after !== null && isSupplierAfterCursor(sort, after),
    ])}
    order by ${order}
    limit ${limit}
  `
}

async function readPage(
  db: Db,
  shopId: number,
  filter: PurchaseOrderFilter,
  page: FragmentSqlToken,
  order: ReturnType<typeof sortOrder>,
): Promise<Page<PurchaseOrderListItem>> {
  const { sort = 'newest' } = filter
  const records = await db.any(sql.type(row(ListRow))`
    with page as materialized (${page})
    select o.id, o.po_number, o.supplier_id, s.name as supplier_name, o.status, o.subtotal, o.discount, o.tax, o.total,
      o.line_item_count, o.created_at, o.sent_at, o.source_number, coalesce(o.currency, ${currencyOf(shopId)}) as currency,
      ${isClosedShort(shopId, 'o')} as is_closed_short, ${receivedValue(shopId, 'o')} as received_value, ${emailStatus(shopId, 'o')} as email_status,
      o.due_at, coalesce(${isOverdue('o', 's')}, false) as is_overdue,
      (select w.name from location w where w.shop_id = ${shopId} and w.id = ${arrivalLocation(shopId, 'o')}) as location_name,
      pieces.ordered as ordered_quantity, pieces.received as received_quantity, pieces.unknown_costs,
      o.payment_due_on::text as payment_due_on, o.paid_at, ${isPaymentOverdue(shopId)} as is_payment_overdue,
      ${sortKeys(columnsOfSort(sort))} as sort_keys
    from page
    join purchase_order o on o.shop_id = ${shopId} and o.id = page.id
    ${joinSupplier(shopId)}
    cross join lateral (${piecesOfOrder(shopId, 'o')}) pieces
    order by ${order}
  `)
  return toDocumentPage(sort, records, filter)
}

/** SQL: the ordered and received pieces of an order and its lines without a known cost, from its alias. */
export const piecesOfOrder = (shopId: number, order: string) => sql.fragment`
  select coalesce(sum(l.quantity), 0) as ordered, coalesce(sum(l.accepted), 0) as received,
    count(*) filter (where not l.is_cost_known) as unknown_costs
  from purchase_order_line l
  where l.shop_id = ${shopId} and l.purchase_order_id = ${sql.identifier([order, 'id'])}
`
