import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { CreatedPurchaseOrder } from '../../schemas/purchase-orders.ts'
import { matchVariants } from '../catalogue/variants.ts'
import { unknownSupplier } from '../suppliers/unknown-supplier.ts'
import { completeLines, fillLines, type OpenLine } from './complete-lines.ts'
import { rateOf } from './currency.ts'
import { lineNames, orderLines, subtotalOfLines, taxOfLines } from './lines.ts'
import type { KnownOrder, OrderToCreate } from './look-up.ts'

const CreatedOrder = Type.Omit(CreatedPurchaseOrder, ['warnings'])

/**
 * Inserts the order and its lines in one statement. It locks the supplier, so that an archived one gets no order, and the
 * row with the shop's last number, so that numbers have no gaps under concurrency. Asks for prices only when a line has
 * no cost. Throws unknown_supplier, unknown_variant and the errors of `completeLines`.
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
  const created = await db.maybeOne(sql.type(row(CreatedOrder))`
    with line as (${orderLines(lines, currency)}),
    counter as (
      insert into purchase_order_counter as c (shop_id, last_number)
      select ${shopId}::bigint, 1
      from supplier s
      where s.shop_id = ${shopId} and s.id = ${input.supplierId} and s.archived_at is null
      for share of s
      on conflict (shop_id) do update set last_number = c.last_number + 1
      returning last_number
    ),
    created as (
      insert into purchase_order (
        shop_id, number, supplier_id, notes, supplier_notes, expected_at, due_at, destination_location_id, created_by,
        currency, rate, reference, supplier_reference, cc, discount, is_own_tax, tax, line_item_count, subtotal
      )
      select ${shopId}, last_number, ${input.supplierId}, ${input.notes ?? ''}, ${input.supplierNotes ?? ''},
        ${input.expectedAt ?? null}::timestamptz, ${input.expectedAt ?? null}::timestamptz, ${known.destinationId}::bigint, ${actor}, ${ownCurrency}::text,
        ${rateOf(shopId, currency, known.shopCurrency, input.rate ?? null)}, ${input.reference ?? ''},
        ${input.supplierReference ?? ''}, ${sql.array(input.cc ?? [], 'text')}, ${input.discount ?? 0}::numeric,
        ${typeof input.tax === 'number'}, coalesce(${input.tax ?? null}::numeric, ${taxOfLines}),
        (select count(*) from line), ${subtotalOfLines}
      from counter
      returning id, po_number, status, supplier_id, total, created_at
    ),
    lines as (
      insert into purchase_order_line (shop_id, purchase_order_id, ${lineNames})
      select ${shopId}, created.id, ${lineNames}
      from created, line
    )
    select id, po_number, status, supplier_id, total, created_at, ${currency} as currency from created
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
