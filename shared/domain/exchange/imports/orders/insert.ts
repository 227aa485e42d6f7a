import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../../currency.ts'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { lastRateOf } from '../../../records/exchange-rates/exchange-rates.ts'
import type { Terms } from '../load.ts'
import { takeNumbers } from './numbers.ts'
import { currencyOfOrder, instantOf, type Planned } from './written.ts'

const NewOrder = Type.Object({ id: Id, at: Type.Integer() })

/** Returns the new ids by order. */
export async function insertOrders(
  tx: Db,
  terms: Terms,
  created: readonly Planned[],
): Promise<Map<Planned, number>> {
  if (created.length === 0) return new Map()
  const { shopId, actor } = terms
  const numbers = await takeNumbers(tx, terms, created)
  const records = created.map((each, at) => {
    const { plan, supplier, locationId } = each
    const currency = currencyOfOrder(each)
    return {
      at,
      number: numbers[at],
      supplier_id: supplier.id,
      location_id: locationId,
      status: plan.status,
      currency: plan.currency ?? supplier.currency,
      rate: currency === null || currency === terms.currency ? null : plan.rate,
      is_foreign: currency !== null && currency !== terms.currency,
      total: plan.lines.length === 0 ? roundTo(plan.total, minorDigitsOf(currency ?? terms.currency)) : 0,
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
  })
  const rows = await tx.any(sql.type(row(NewOrder))`
    with n as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
        at int, number int, supplier_id bigint, location_id bigint, status text, currency text, rate numeric,
        is_foreign boolean, total numeric, source_number text, created text, sent text, expected text, ordered text,
        paid text, invoice_number text, invoice_date date, payment_due_on date, notes text, supplier_reference text,
        is_arrival_known boolean, supplier_notes text, reference text, cc text[], revision int, is_own_tax boolean,
        closed text, closed_by text, cancelled text, cancelled_by text
      )
    ),
    created as (
      insert into purchase_order (
        shop_id, number, supplier_id, status, notes, supplier_reference, destination_location_id, created_by, created_at,
        updated_at, sent_at, expected_at, received_at, currency, rate, subtotal, is_own_tax, source_number, is_imported,
        ordered_at, invoice_number, invoice_date, payment_due_on, paid_at, is_arrival_known, supplier_notes, reference, cc,
        revision, closed_at, closed_by, cancelled_at, cancelled_by
      )
      select ${shopId}, n.number, n.supplier_id, n.status, n.notes, n.supplier_reference, n.location_id, ${actor},
        coalesce(${instantOf(shopId, 'created')}, clock_timestamp()), clock_timestamp(), ${instantOf(shopId, 'sent')},
        ${instantOf(shopId, 'expected')}, case when n.status in ('partial', 'received') then ${instantOf(shopId, 'sent')} end,
        n.currency, case when n.is_foreign then coalesce(n.rate, ${lastRateOf(shopId, sql.fragment`n.currency`)}) end,
        n.total, n.is_own_tax, n.source_number, true, ${instantOf(shopId, 'ordered')}, n.invoice_number, n.invoice_date,
        n.payment_due_on, ${instantOf(shopId, 'paid')}, n.is_arrival_known, n.supplier_notes, n.reference, n.cc,
        n.revision, ${instantOf(shopId, 'closed')}, n.closed_by, case when n.status = 'cancelled' then
          coalesce(${instantOf(shopId, 'cancelled')}, case when n.closed is null then clock_timestamp() end)
        end, n.cancelled_by
      from n
      order by n.at
      returning id, number
    )
    select created.id, n.at from created join n on n.number = created.number
  `)
  return new Map(rows.flatMap(({ id, at }) => (created[at] ? [[created[at], id] as const] : [])))
}

const roundTo = (amount: number, digits: number) => Number(amount.toFixed(digits))
