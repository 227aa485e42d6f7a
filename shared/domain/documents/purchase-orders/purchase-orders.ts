import { Type } from '@sinclair/typebox'
import { CheckIntegrityConstraintViolationError, type FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { type AppError, conflict, type Fault, notFound, unprocessable } from '../../../errors.ts'
import {
  CancelledPurchaseOrder,
  type CreatedPurchaseOrder,
  PurchaseOrder,
} from '../../../schemas/purchase-orders.ts'
import { binAt } from '../../ledgers/stock/bins/bins.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { resolveVariants } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { chargesOf } from './charges/charges.ts'
import { keepOrderRate, rateToShop, requireAmounts } from './currency.ts'
import { insertOrder } from './insert.ts'
import { warningsOf } from './lines/complete-lines.ts'
import { afterDiscount, withTax } from './lines/discount.ts'
import { knownCost, shownSku, shownTitle } from './lines/lines.ts'
import { lookUpOrder, type OrderToCreate } from './look-up.ts'
import { mailsOf } from './mail/mails.ts'

/** The aliases of the tables in the SQL of this file. */
const aliases = { order: 'o', line: 'l', variant: 'v', product: 'p' }

/*
 * States of a purchase order. A line has an ordered, an accepted and a cancelled quantity; the rest is outstanding, at
 * least 0 for each line. Example: of two lines with 10 ordered, 12 and 8 were accepted; 2 are outstanding. Rejected pieces
 * that the supplier credits are `credited`, and also in the column `cancelled`; those that it replaces stay outstanding.
 *   draft          -> sent       send (at least one line, and each has a quantity)
 *   draft, sent    -> cancelled  cancel
 *   sent, partial  -> partial    receive, and some pieces are outstanding
 *   sent, partial  -> received   receive, and no piece is outstanding
 *   sent           -> cancelled  close: cancels the outstanding pieces
 *   partial        -> received   close: cancels the outstanding pieces
 *   partial        -> partial, sent            reverse a receipt; sent when no accepted piece is left
 *   received       -> received, partial, sent  reverse a receipt; received when no piece is outstanding
 *   cancelled      -> cancelled                reverse a receipt, which had rejected pieces only
 *   draft, cancelled             may be deleted, unless there are receipts
 * Invariant: partial and received orders have accepted or credited pieces; all other orders have none. An imported order without lines may
 * be received: its file says only the total.
 */

/**
 * Creates a draft in two round trips, or in three when a line has no cost. Variants that only a line describes are added
 * in the same transaction as the order. Throws unknown_supplier, unknown_location, unknown_variant, total_too_large,
 * discount_too_large and the errors of `completeLines`.
 */
export function createPurchaseOrder(
  db: Db,
  shopId: number,
  actor: string,
  input: OrderToCreate,
): Promise<CreatedPurchaseOrder> {
  return withExactTotal(async () => {
    const found = await lookUpOrder(db, shopId, input)
    requireAmounts(input.currency ?? found.currency ?? found.shopCurrency, found.shopCurrency, input)
    // only a destination that was not found needs a statement of its own, for the error
    const destinationId =
      found.destinationId ?? (await resolveDestination(db, shopId, input.destinationLocationId))
    const known = { ...found, destinationId }
    const isKnown = known.lines.length === input.lineItems.length
    if (isKnown && typeof input.rate !== 'number') return insertOrder(db, shopId, actor, input, known)
    return db.transaction(async (tx) => {
      const currency = input.currency ?? found.currency ?? found.shopCurrency
      await keepOrderRate(tx, shopId, { currency, shopCurrency: found.shopCurrency }, input.rate)
      if (isKnown) return insertOrder(tx, shopId, actor, input, known)
      await resolveVariants(tx, shopId, input.lineItems, (index) => `/lineItems/${index}`)
      const { lines } = await lookUpOrder(tx, shopId, input)
      return insertOrder(tx, shopId, actor, input, { ...known, lines })
    })
  })
}

const StoredOrder = Type.Omit(PurchaseOrder, ['warnings'])

/** An order with its lines, its e-mails and the state of the newest one. A draft shows current products. Throws not_found. */
export async function getPurchaseOrder(db: Db, shopId: number, id: number): Promise<PurchaseOrder> {
  const order = await db.maybeOne(sql.type(row(StoredOrder))`
    select o.id, o.po_number, o.supplier_id, s.name as supplier_name, o.status, o.notes, o.supplier_notes,
      money.currency, ${rateToShop(shopId, 'o')} as rate, o.discount, o.is_own_tax,
      o.reference, o.supplier_reference, o.cc, o.revision, o.is_imported, o.source_number, o.invoice_number,
      o.invoice_date::text as invoice_date, o.payment_due_on::text as payment_due_on, o.paid_at, o.ordered_at,
      ${minimumValue(sql.fragment`s.minimum_order_value`)} as supplier_minimum,
      ${minimumValue(sql.fragment`s.free_freight_value`)} as free_freight,
      case when s.minimum_order_quantity is not null then jsonb_build_object(
        'quantity', s.minimum_order_quantity, 'shortBy', greatest(s.minimum_order_quantity - (
          select coalesce(sum(quantity), 0) from purchase_order_line where shop_id = ${shopId} and purchase_order_id = o.id
        ), 0)
      ) end as supplier_minimum_quantity,
      o.subtotal, o.tax, o.total, o.closed_at, coalesce(o.closed_by, '') as closed_by,
      o.cancelled_at, coalesce(o.cancelled_by, '') as cancelled_by,
      ${isClosedShort(shopId, 'o')} as is_closed_short, ${receivedValue(shopId, 'o')} as received_value,
      ${unknownCosts(shopId, 'o')} as unknown_costs, o.created_at, o.created_by, o.updated_at, o.expected_at, o.sent_at, o.received_at, o.version,
      w.gid as destination_location_id, w.name as destination_location_name,
      case m.state when 'sending' then 'queued' else coalesce(m.state, 'none') end as email_status,
      coalesce(m.reason, '') as email_reason,
      coalesce(m.recipient, '') as email_recipient, ${mailsOf(shopId, 'o')} as mails, ${chargesOf(shopId, id)} as charges,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', l.id, 'productId', p.gid, 'variantId', v.gid, 'sku', ${shownSku(aliases)}, 'title', ${shownTitle(aliases)},
          'barcode', coalesce(l.barcode, v.barcode),
          'bin', ${binAt(shopId, sql.fragment`l.variant_id`, arrivalLocation(shopId, 'o'))},
          'supplierSku', l.supplier_sku, 'quantity', l.quantity, 'packSize', l.pack_size,
          'packs', case when l.quantity > 0 and l.quantity % l.pack_size = 0 then l.quantity / l.pack_size end,
          'roundedUpBy', l.rounded_up_by, 'minimumQuantity', sold.minimum_quantity,
          'quantityMultiple', coalesce(sold.quantity_multiple, 1), 'costPrice', ${knownCost('l')}, 'discountPercent', l.discount_percent,
          'taxRate', l.tax_rate, 'lineTotal', case when l.is_cost_known then l.line_total end,
          'receivedQuantity', l.accepted, 'cancelledQuantity', greatest(c.cancelled - l.credited, 0),
          'rejectedQuantity', coalesce(refused.pieces, 0),
          'creditedQuantity', l.credited, 'outstandingQuantity', rest.outstanding,
          'status', case
            when rest.outstanding > 0 and (l.accepted > 0 or l.credited > 0) then 'partial'
            when rest.outstanding > 0 then 'open'
            when l.accepted > 0 or l.credited > 0 then 'received'
            else 'cancelled'
          end
        ) order by l.position), '[]')
        from purchase_order_line l
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        left join lateral packaging_of(${shopId}, l.variant_id, o.supplier_id, nullif(l.supplier_sku, '')) sold on true
        left join (
          select x.purchase_order_line_id as line_id, sum(x.rejected) as pieces
          from receipt r
          join receipt_line x on x.shop_id = ${shopId} and x.receipt_id = r.id
          where r.shop_id = ${shopId} and r.purchase_order_id = ${id} and r.state = 'posted' and r.reversed_at is null
            and x.rejected > 0
          group by x.purchase_order_line_id
        ) refused on refused.line_id = l.id
        cross join lateral (
          select case o.status when 'cancelled' then l.quantity - l.accepted else l.cancelled end as cancelled
        ) c
        cross join lateral (select greatest(l.quantity - l.accepted - c.cancelled, 0) as outstanding) rest
        where l.shop_id = ${shopId} and l.purchase_order_id = o.id
      ) as line_items
    from purchase_order o
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    cross join lateral (
      select coalesce(o.currency, shop.currency) as currency,
        coalesce(o.currency, shop.currency) = coalesce(s.currency, shop.currency) as is_suppliers
      from (select ${currencyOf(shopId)} as currency) shop
    ) money
    left join location w on w.shop_id = ${shopId} and w.id = o.destination_location_id
    left join lateral (
      select state, reason, recipient
      from outgoing_mail
      where shop_id = ${shopId} and purchase_order_id = o.id
      order by send_no desc
      limit 1
    ) m on true
    where o.shop_id = ${shopId} and o.id = ${id}
  `)
  if (!order) throw notFound('Purchase order')
  return { ...order, warnings: order.status === 'draft' ? warningsOf(order.lineItems) : [] }
}

/** SQL, from the alias of an order: it is received, but not all of it: the merchant closed it. Credited pieces are not cancelled ones. */
export function isClosedShort(shopId: number, order: string) {
  const o = sql.identifier([order])
  return sql.fragment`
    (${o}.status = 'received' and exists (
      select
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = ${o}.id and l.cancelled > l.credited
    ))
  `
}

/**
 * SQL: the value of what arrived, for rows grouped by order: receipt lines at their costs, else at the price after discounts, with
 * their share of the tax. Takes the aliases of order, order line and receipt line.
 * Example: 4 of 10 pieces at 25.00 arrived of an order of 250.00 with a typed tax of 50.00: 100.00 x 300 / 250 = 120.00.
 */
export function arrivedValue(
  shopId: number,
  aliases: { order: string; orderLine: string; receiptLine: string },
) {
  const l = sql.identifier([aliases.orderLine])
  const x = sql.identifier([aliases.receiptLine])
  const value = sql.fragment`
    ${x}.quantity * coalesce(
      ${x}.unit_cost,
      ${l}.cost_price * (1 - ${l}.discount_percent / 100) * ${afterDiscount(aliases.order)}
    )
  `
  const taxed = withTax(shopId, value, { order: aliases.order, line: aliases.orderLine })
  return sql.fragment`round(${taxed}, max(${l}.minor_digits)::int)`
}

/** SQL, from the alias of an order: the value of what has arrived, in the order's currency. */
export const receivedValue = (shopId: number, order: string) => sql.fragment`
  coalesce((
    select ${arrivedValue(shopId, { order, orderLine: 'l', receiptLine: 'x' })}
    from receipt r
    join receipt_line x on x.shop_id = ${shopId} and x.receipt_id = r.id
    join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
    where r.shop_id = ${shopId} and r.purchase_order_id = ${sql.identifier([order, 'id'])}
      and r.state = 'posted' and r.reversed_at is null
  ), 0)
`

/** SQL, from the alias of an order: the number of its lines without a cost. */
const unknownCosts = (shopId: number, order: string) => sql.fragment`
  (
    select count(*)
    from purchase_order_line
    where shop_id = ${shopId} and purchase_order_id = ${sql.identifier([order, 'id'])} and not is_cost_known
  )
`

/** SQL, from the alias of an order: the state of its newest e-mail. */
export const emailStatus = (shopId: number, order: string) => sql.fragment`
  coalesce((
    select case m.state when 'sending' then 'queued' else m.state end
    from outgoing_mail m
    where m.shop_id = ${shopId} and m.purchase_order_id = ${sql.identifier([order, 'id'])}
    order by m.send_no desc
    limit 1
  ), 'none')
`

/** SQL, from the alias of an order: where its goods arrive. */
export const arrivalLocation = (shopId: number, order: string) => sql.fragment`
  coalesce(
    ${sql.identifier([order, 'destination_location_id'])},
    (select id from location where shop_id = ${shopId} and is_primary)
  )
`

/** SQL for a value of the supplier that the order may have to reach: compared only in the supplier's currency. */
const minimumValue = (value: FragmentSqlToken) => sql.fragment`
  case when ${value} > 0 and money.is_suppliers then jsonb_build_object(
    'value', ${value}, 'shortBy', greatest(${value} - (o.subtotal - o.discount), 0)
  ) end
`

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

const discountTooLarge = {
  message: 'The discount is larger than the order. Lower it.',
  fault: { path: '/discount', message: 'must be at most the subtotal of the lines' },
}

/**
 * Throws total_too_large when a constraint refuses a total that a JSON number does not hold exactly, and discount_too_large, with
 * the words of `refusal` where the discount itself cannot change.
 */
export async function withExactTotal<T>(
  change: () => Promise<T>,
  refusal: { message: string; fault: Fault } = discountTooLarge,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (
      error instanceof CheckIntegrityConstraintViolationError &&
      error.constraint === 'purchase_order_total_is_exact'
    ) {
      throw unprocessable('total_too_large', 'The total of an order must be less than 10 000 000 000 000.')
    }
    if (
      error instanceof CheckIntegrityConstraintViolationError &&
      error.constraint === 'purchase_order_discount_check'
    ) {
      throw unprocessable('discount_too_large', refusal.message, [refusal.fault])
    }
    throw error
  }
}
