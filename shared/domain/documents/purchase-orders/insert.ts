import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { CreatedPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import { matchVariants } from '../../records/catalogue/variants.ts'
import { unknownSupplier } from '../../records/suppliers/unknown-supplier.ts'
import { completeLines, fillLines, type OpenLine } from './lines/complete-lines.ts'
import { linesJson } from './lines/lines.ts'
import type { KnownOrder, OrderToCreate } from './look-up.ts'

const CreatedOrder = Type.Omit(CreatedPurchaseOrder, ['warnings'])

/**
 * Inserts the order and its lines in one statement (`functions/insert_order.sql` explains its
 * locks). Asks for prices only when a line has no cost. Throws unknown_supplier, unknown_variant and the errors of `completeLines`.
 */
export async function insertOrder(
  db: Db,
  shopId: number,
  actor: string,
  input: OrderToCreate,
  known: KnownOrder,
): Promise<CreatedPurchaseOrder> {
  const ownCurrency = input.currency ?? known.currency
  const currency = ownCurrency ?? known.shopCurrency
  const terms = { supplierId: input.supplierId, currency, taxRate: known.taxRate }
  const open = openLines(input, known)
  const hasCosts = open.every(({ costPrice }) => costPrice !== undefined)
  const { lines, warnings } = hasCosts
    ? fillLines(terms, open, known.lines)
    : await completeLines(db, shopId, terms, open)
  const order = {
    supplier_id: input.supplierId,
    notes: input.notes ?? '',
    supplier_notes: input.supplierNotes ?? '',
    expected_at: input.expectedAt ?? null,
    destination_id: known.destinationId,
    actor,
    currency: ownCurrency,
    rate_currency: currency === known.shopCurrency ? null : currency,
    rate: input.rate ?? null,
    reference: input.reference ?? '',
    supplier_reference: input.supplierReference ?? '',
    cc: input.cc ?? [],
    discount: input.discount ?? 0,
    tax: input.tax ?? null,
  }
  const created = await db.maybeOne(sql.type(row(CreatedOrder))`
    select id, po_number, status, supplier_id, total, created_at, ${currency} as currency
    from insert_order(${shopId}, ${JSON.stringify(order)}, ${linesJson(lines, currency)})
  `)
  if (!created) throw unknownSupplier()
  return { ...created, warnings }
}

function openLines({ lineItems }: OrderToCreate, known: KnownOrder): OpenLine[] {
  const byGid = new Map(known.lines.map(({ variant }) => [variant.gid, variant]))
  const variants = matchVariants(byGid, lineItems, (index) => `/lineItems/${index}`)
  return lineItems.flatMap(({ roundedUpBy, ...line }, index) => {
    const variant = variants[index]
    const rounded = roundedUpBy !== undefined && { by: roundedUpBy, ofQuantity: line.quantity ?? 0 }
    return variant ? [{ ...line, id: null, variant, ...(rounded && { rounded }) }] : []
  })
}
