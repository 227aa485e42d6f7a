import { minorDigitsOf } from '../../../../currency.ts'
import type { OrderToFill } from '../../../documents/purchase-orders/imported/fill.ts'
import type { ImportedLine } from '../../../documents/purchase-orders/imported/insert-lines.ts'
import type { ImportedOrder } from '../../../documents/purchase-orders/imported/insert-orders.ts'
import type { OrderToSettle } from '../../../documents/purchase-orders/imported/settle.ts'
import type { PlannedLine } from './types.ts'
import { currencyOfOrder, type Planned, type WrittenOrder } from './written.ts'

/*
 * The plans of an import as the rows that `documents/purchase-orders/imported` writes.
 */

export function newOrder(each: Planned, number: number, shopCurrency: string): ImportedOrder {
  const { plan, supplier, locationId } = each
  const currency = currencyOfOrder(each)
  const isForeign = currency !== null && currency !== shopCurrency
  return {
    number,
    supplier_id: supplier.id,
    location_id: locationId,
    status: plan.status,
    currency,
    rate: isForeign ? plan.rate : null,
    is_foreign: isForeign,
    total: plan.lines.length === 0 ? roundTo(plan.total, minorDigitsOf(currency ?? shopCurrency)) : 0,
    source_number: plan.sourceNumber,
    created: plan.createdAt,
    sent: plan.sentAt,
    expected: plan.expectedAt,
    ordered: plan.orderedAt,
    paid: plan.paidAt,
    invoice_number: plan.invoiceNumber,
    invoice_date: plan.invoiceDate,
    payment_due_on: plan.paymentDueOn,
    notes: plan.notes,
    supplier_notes: plan.supplierNotes,
    reference: plan.reference,
    supplier_reference: plan.supplierReference,
    cc: plan.copies,
    revision: plan.revision,
    is_own_tax: plan.tax !== null,
    is_arrival_known: plan.isArrivalKnown,
    closed: plan.closedAt,
    closed_by: plan.closedAt && plan.closedBy,
    cancelled: plan.cancelledAt,
    cancelled_by: plan.status === 'cancelled' ? plan.cancelledAt && plan.cancelledBy : null,
  }
}

const roundTo = (amount: number, digits: number) => Number(amount.toFixed(digits))

export type LineToWrite = { orderId: number; currency: string; line: PlannedLine; position: number }

export const newLine = ({ orderId, currency, line, position }: LineToWrite): ImportedLine => ({
  order_id: orderId,
  position,
  variant_id: line.variant.id,
  sku: line.sku ?? line.variant.sku.slice(0, 255),
  title: line.title ?? (line.variant.title || line.variant.sku || 'Product').slice(0, 500),
  is_own_sku: line.sku !== null && line.sku !== line.variant.sku,
  is_own_title: line.title !== null && line.title !== line.variant.title,
  barcode: line.variant.barcode,
  quantity: line.quantity,
  accepted: line.accepted,
  cancelled: line.cancelled,
  cost: line.cost ?? 0,
  is_cost_known: line.cost !== null,
  supplier_sku: line.supplierSku,
  discount: line.discountPercent,
  tax: line.taxRate,
  digits: minorDigitsOf(currency),
  pack_size: line.packSize,
  credited: line.credited,
  rounded_up_by: line.roundedUpBy,
})

export const orderToSettle = ({ each: { plan }, id, known }: WrittenOrder): OrderToSettle => ({
  id,
  isNew: known === null,
  isArrivalKnown: plan.isArrivalKnown,
  tax: plan.tax,
  discount: plan.discount,
  arrivedAt: known === null ? plan.arrivedAt : null,
  cancelledAt: plan.cancelledAt,
  cancelledBy: plan.cancelledAt && plan.cancelledBy,
})

/** Existing orders that an import has created. `charged` are those with new charges. */
export const ordersToFill = (orders: readonly WrittenOrder[], charged: ReadonlyMap<number, unknown>) =>
  orders.flatMap(({ id, known, each: { plan, locationId } }): OrderToFill[] =>
    known && known.isUnchanged !== null
      ? [
          {
            id,
            is_unchanged: known.isUnchanged,
            is_charged: charged.has(id),
            location_id: plan.location === '' ? null : locationId,
            expected: plan.expectedAt,
            invoice_number: plan.invoiceNumber,
            invoice_date: plan.invoiceDate,
            payment_due_on: plan.paymentDueOn,
            paid: plan.paidAt,
            reference: plan.reference,
            supplier_reference: plan.supplierReference,
            notes: plan.notes,
            supplier_notes: plan.supplierNotes,
            discount: plan.discount,
          },
        ]
      : [],
  )
