import { CheckIntegrityConstraintViolationError } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { type AppError, conflict, notFound, unprocessable } from '../../errors.ts'
import {
  CancelledPurchaseOrder,
  CreatedPurchaseOrder,
  PurchaseOrder,
  type PurchaseOrderFilter,
  type PurchaseOrderInput,
  PurchaseOrderListItem,
  type PurchaseOrderStage,
} from '../../schemas/purchase-orders.ts'
import { resolveVariants } from '../catalogue/variants.ts'
import { endOfToday } from '../date-range.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { resolveLevelKeys } from '../stock/resolve.ts'
import { requireSuppliers } from '../suppliers/suppliers.ts'
import { namedLines, shownSku, shownTitle } from './lines.ts'
import { mailsOf } from './mails.ts'
import { dueAt, isOverdue } from './overdue.ts'
import { matchesOrderSearch } from './search.ts'

/*
 * States of a purchase order. A line has an ordered, an accepted and a cancelled quantity; the rest is outstanding, at
 * least 0 for each line. Example: of two lines with 10 ordered, 12 and 8 were accepted; 2 are outstanding.
 *   draft          -> sent       send (at least one line)
 *   draft, sent    -> cancelled  cancel
 *   sent, partial  -> partial    receive, and some pieces are outstanding
 *   sent, partial  -> received   receive, and no piece is outstanding
 *   sent           -> cancelled  close: cancels the outstanding pieces
 *   partial        -> received   close: cancels the outstanding pieces
 *   partial        -> partial, sent            reverse a receipt; sent when no accepted piece is left
 *   received       -> received, partial, sent  reverse a receipt; received when no piece is outstanding
 *   draft, cancelled             may be deleted, unless there are receipts
 * Invariant: partial and received orders have accepted pieces; all other orders have none.
 */

/** The search covers order number, notes, supplier name and the SKUs of the lines. */
export async function listPurchaseOrders(
  db: Db,
  shopId: number,
  filter: PurchaseOrderFilter,
): Promise<Page<PurchaseOrderListItem>> {
  const records = await db.any(sql.type(row(PurchaseOrderListItem))`
    select o.id, o.po_number, o.supplier_id, s.name as supplier_name, o.status, o.subtotal, o.tax, o.total,
      o.line_item_count, o.created_at, o.sent_at
    from purchase_order o
    join supplier s on s.shop_id = o.shop_id and s.id = o.supplier_id
    where ${sql.and([
      sql.fragment`o.shop_id = ${shopId}`,
      filter.status !== undefined && sql.fragment`o.status = ${filter.status}`,
      filter.stage !== undefined && isInStage(shopId, filter.stage),
      filter.supplierId !== undefined && sql.fragment`o.supplier_id = ${filter.supplierId}`,
      matchesOrderSearch(shopId, filter.search),
      filter.cursor !== undefined && sql.fragment`o.id < ${filter.cursor}`,
    ])}
    order by o.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

function isInStage(shopId: number, stage: PurchaseOrderStage) {
  if (stage === 'open') return sql.fragment`o.status in ('draft', 'sent', 'partial')`
  const isIncoming = sql.fragment`o.status in ('sent', 'partial')`
  if (stage === 'incoming') return isIncoming
  return stage === 'overdue'
    ? isOverdue('o', 's')
    : sql.fragment`${isIncoming} and ${dueAt('o', 's')} < ${endOfToday(shopId)}`
}

/**
 * Creates a draft. Its number is the shop's last number plus one. The statement that inserts the order also locks the
 * counter row, so that numbers have no gaps under concurrency. Throws unknown_supplier, unknown_location,
 * unknown_variant, total_too_large.
 */
export function createPurchaseOrder(
  db: Db,
  shopId: number,
  actor: string,
  input: PurchaseOrderInput,
): Promise<CreatedPurchaseOrder> {
  return withExactTotal(async () => {
    const created = await insertPurchaseOrder(db, shopId, actor, input)
    if (created) return created
    // Looks up the ids once more, for the errors, and adds the variants that only a line describes.
    return db.transaction(async (tx) => {
      await requireSuppliers(tx, shopId, [{ id: input.supplierId, path: '/supplierId' }])
      await resolveDestination(tx, shopId, input.destinationLocationId)
      await resolveVariants(tx, shopId, input.lineItems, (index) => `/lineItems/${index}`)
      const order = await insertPurchaseOrder(tx, shopId, actor, input)
      if (!order) throw conflict('The products or the location of this order were just changed. Try again.')
      return order
    })
  })
}

/**
 * Inserts an order in one statement. Returns null and inserts nothing when the shop does not have the supplier, the
 * destination, or the variant of a line. Locks the supplier (`for share`), so that it is not archived meanwhile.
 */
function insertPurchaseOrder(
  db: Db,
  shopId: number,
  actor: string,
  input: PurchaseOrderInput,
): Promise<CreatedPurchaseOrder | null> {
  const destination = input.destinationLocationId || null
  return db.maybeOne(sql.type(row(CreatedPurchaseOrder))`
    with line as (${namedLines(shopId, input.lineItems)}),
    destination as (
      select id from location where shop_id = ${shopId} and gid = ${destination} and is_active
    ),
    counter as (
      insert into purchase_order_counter as c (shop_id, last_number)
      select ${shopId}::bigint, 1
      from supplier s
      where s.shop_id = ${shopId} and s.id = ${input.supplierId} and s.archived_at is null
        and (select count(*) from line) = ${input.lineItems.length}
        and (${destination}::text is null or exists (select from destination))
      for share of s
      on conflict (shop_id) do update set last_number = c.last_number + 1
      returning last_number
    ),
    created as (
      insert into purchase_order (
        shop_id, number, supplier_id, notes, supplier_notes, expected_at, destination_location_id, tax, created_by,
        line_item_count, subtotal
      )
      select ${shopId}, last_number, ${input.supplierId}, ${input.notes ?? ''}, ${input.supplierNotes ?? ''},
        ${input.expectedAt ?? null}::timestamptz, (select id from destination), ${input.tax ?? 0}::numeric, ${actor},
        (select count(*) from line), (select coalesce(sum(round(quantity * cost_price, 2)), 0) from line)
      from counter
      returning id, po_number, status, supplier_id, total, created_at
    ),
    lines as (
      insert into purchase_order_line (
        shop_id, purchase_order_id, position, variant_id, sku, title, is_own_sku, is_own_title, quantity, cost_price
      )
      select ${shopId}, created.id, position, variant_id, sku, title, is_own_sku, is_own_title, quantity, cost_price
      from created, line
    )
    select id, po_number, status, supplier_id, total, created_at from created
  `)
}

/** An order with its lines, its e-mails and the state of the newest one. A draft shows current products. Throws not_found. */
export async function getPurchaseOrder(db: Db, shopId: number, id: number): Promise<PurchaseOrder> {
  const order = await db.maybeOne(sql.type(row(PurchaseOrder))`
    select o.id, o.po_number, o.supplier_id, s.name as supplier_name, o.status, o.notes, o.supplier_notes,
      o.subtotal, o.tax, o.total, o.created_at, o.updated_at, o.expected_at, o.sent_at, o.received_at, o.version,
      w.gid as destination_location_id, w.name as destination_location_name,
      case m.state when 'sending' then 'queued' else coalesce(m.state, 'none') end as email_status,
      coalesce(m.reason, '') as email_reason,
      coalesce(m.recipient, '') as email_recipient, ${mailsOf('o')} as mails,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', l.id, 'productId', p.gid, 'variantId', v.gid, 'sku', ${shownSku}, 'title', ${shownTitle},
          'barcode', coalesce(l.barcode, v.barcode),
          'quantity', l.quantity, 'costPrice', l.cost_price, 'lineTotal', l.line_total,
          'receivedQuantity', l.accepted, 'cancelledQuantity', c.cancelled, 'outstandingQuantity', rest.outstanding,
          'status', case
            when rest.outstanding > 0 and l.accepted > 0 then 'partial'
            when rest.outstanding > 0 then 'open'
            when l.accepted > 0 then 'received'
            else 'cancelled'
          end
        ) order by l.position), '[]')
        from purchase_order_line l
        join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
        join product p on p.shop_id = v.shop_id and p.id = v.product_id
        cross join lateral (
          select case o.status when 'cancelled' then l.quantity - l.accepted else l.cancelled end as cancelled
        ) c
        cross join lateral (select greatest(l.quantity - l.accepted - c.cancelled, 0) as outstanding) rest
        where l.shop_id = o.shop_id and l.purchase_order_id = o.id
      ) as line_items
    from purchase_order o
    join supplier s on s.shop_id = o.shop_id and s.id = o.supplier_id
    left join location w on w.shop_id = o.shop_id and w.id = o.destination_location_id
    left join lateral (
      select state, reason, recipient
      from outgoing_mail
      where shop_id = o.shop_id and purchase_order_id = o.id
      order by send_no desc
      limit 1
    ) m on true
    where o.shop_id = ${shopId} and o.id = ${id}
  `)
  if (!order) throw notFound('Purchase order')
  return order
}

/** The error for a guarded statement that changed no row: not_found, or conflict with the reason for its status. */
export async function transitionRefused(
  db: Db,
  shopId: number,
  id: number,
  reasons: Partial<Record<PurchaseOrder['status'], string>>,
): Promise<AppError> {
  const order = await db.maybeOne(sql.type(row(CancelledPurchaseOrder))`
    select id, status from purchase_order where shop_id = ${shopId} and id = ${id}
  `)
  if (!order) return notFound('Purchase order')
  return conflict(reasons[order.status] ?? 'This order was just changed by another user. Reload it.')
}

/** The id of an order's destination; null when the order has none. Throws unknown_location. */
export async function resolveDestination(
  tx: Db,
  shopId: number,
  locationId: string | null | undefined,
): Promise<number | null> {
  if (!locationId) return null
  const given = [{ id: locationId, path: '/destinationLocationId' }]
  const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
  return locations[0] ?? null
}

/** Throws total_too_large when a constraint refuses a total that a JSON number does not hold exactly. */
export async function withExactTotal<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (
      error instanceof CheckIntegrityConstraintViolationError &&
      error.constraint === 'purchase_order_total_is_exact'
    ) {
      throw unprocessable('total_too_large', 'The total of an order must be less than 10 000 000 000 000.')
    }
    throw error
  }
}
