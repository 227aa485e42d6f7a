import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'
import { type FillableColumns, filledFields } from '../../../kit/filled-fields.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { followDueDates } from '../overdue.ts'

/** The columns of an order that an import fills in where they are empty. */
export const orderColumns = {
  destination_location_id: null,
  expected_at: null,
  invoice_number: '',
  invoice_date: null,
  payment_due_on: null,
  paid_at: null,
  reference: '',
  supplier_reference: '',
  notes: '',
  supplier_notes: '',
  discount: 0,
} as const satisfies FillableColumns

/** The fields of an order in a file, by the names that the statement reads. Instants are texts as `noonOrInstant` reads them. */
export type OrderToFill = {
  id: number
  /** Only imports have changed the order. */
  is_unchanged: boolean
  /** The order has new charges, which count as changed. */
  is_charged: boolean
  location_id: number | null
  expected: string | null
  invoice_number: string
  invoice_date: string | null
  payment_due_on: string | null
  paid: string | null
  reference: string
  supplier_reference: string
  notes: string
  supplier_notes: string
  discount: number
}

const Filled = Type.Object({
  id: Id,
  isFilled: Type.Boolean(),
  fields: Type.Record(Type.String(), Type.Unknown()),
})
type Filled = Static<typeof Filled>

/**
 * Fills in the empty fields of orders that only imports have changed, because the list of all orders and the file of one order
 * have different fields. Runs after the lines are written, because a discount is at most their sum. Returns, by order id, the
 * orders that lack a field of the file, whether this import filled it in, and the values.
 */
export async function fillImportedOrders(
  tx: Db,
  shopId: number,
  orders: readonly OrderToFill[],
): Promise<Map<number, Filled>> {
  if (orders.length === 0) return new Map()
  const filled = (column: string) => {
    const [own, given] = [sql.identifier(['o', column]), sql.identifier(['n', column])]
    return sql.fragment`case when ${own} = '' then ${given} else ${own} end as ${sql.identifier([column])}`
  }
  const rows = await tx.any(sql.type(row(Filled))`
    with v as materialized (
      select o.id, n.is_unchanged, n.is_charged, coalesce(o.destination_location_id, n.location_id) as destination_location_id,
        coalesce(o.expected_at, ${noonOrInstant(shopId, sql.fragment`n.expected`)}) as expected_at,
        coalesce(o.invoice_date, n.invoice_date) as invoice_date,
        coalesce(o.payment_due_on, n.payment_due_on) as payment_due_on,
        coalesce(o.paid_at, ${noonOrInstant(shopId, sql.fragment`n.paid`)}) as paid_at,
        ${filled('invoice_number')}, ${filled('reference')}, ${filled('supplier_reference')}, ${filled('notes')},
        ${filled('supplier_notes')},
        case
          when o.discount = 0 and o.line_item_count > 0
            then least(round(n.discount, minor_digits(coalesce(o.currency, ${currencyOf(shopId)}))), o.subtotal)
          else o.discount
        end as discount
      from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as n (
        id bigint, is_unchanged boolean, is_charged boolean, location_id bigint, expected text, invoice_number text,
        invoice_date date, payment_due_on date, paid text, reference text, supplier_reference text, notes text,
        supplier_notes text, discount numeric
      )
      join purchase_order o on o.shop_id = ${shopId} and o.id = n.id
    ),
    wanted as (
      select v.*, ${filledFields(orderColumns, 'o', 'v')} as fields
      from v
      join purchase_order o on o.shop_id = ${shopId} and o.id = v.id
      where v.is_charged or (
        o.destination_location_id, o.expected_at, o.invoice_number, o.invoice_date, o.payment_due_on, o.paid_at, o.reference,
        o.supplier_reference, o.notes, o.supplier_notes, o.discount
      ) is distinct from (
        v.destination_location_id, v.expected_at, v.invoice_number, v.invoice_date, v.payment_due_on, v.paid_at, v.reference,
        v.supplier_reference, v.notes, v.supplier_notes, v.discount
      )
    ),
    filled as (
      update purchase_order o
      set destination_location_id = w.destination_location_id, expected_at = w.expected_at, invoice_number = w.invoice_number,
        invoice_date = w.invoice_date, payment_due_on = w.payment_due_on, paid_at = w.paid_at, reference = w.reference,
        supplier_reference = w.supplier_reference, notes = w.notes, supplier_notes = w.supplier_notes,
        discount = w.discount,
        tax = case
          when o.is_own_tax or o.discount = w.discount then o.tax
          -- without a discount, the tax is the sum of those of the lines
          else tax_after_discount(o.tax, o.subtotal, w.discount, minor_digits(coalesce(o.currency, ${currencyOf(shopId)})))
        end,
        version = o.version + 1, updated_at = now()
      from wanted w
      where o.shop_id = ${shopId} and o.id = w.id and w.is_unchanged
    )
    select id, is_unchanged as is_filled, fields from wanted
  `)
  const ids = rows.flatMap(({ id, isFilled, fields }) => (isFilled && 'expected_at' in fields ? [id] : []))
  await followDueDates(tx, shopId, sql.fragment`o.id = any(${sql.array([...ids], 'int8')})`)
  return new Map(rows.map((each) => [each.id, each]))
}
