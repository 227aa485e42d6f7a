import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'
import { lastRateOf } from '../../../records/exchange-rates/exchange-rates.ts'
import { followDueDates } from '../overdue.ts'

/** A new order, by the names that the statement reads. Instants are texts as `noonOrInstant` reads them. */
export type ImportedOrder = {
  number: number
  supplier_id: number
  location_id: number | null
  status: 'draft' | 'sent' | 'partial' | 'received' | 'cancelled'
  /** Null: the shop's. */
  currency: string | null
  /** Of an order in another currency; null: the last one. */
  rate: number | null
  is_foreign: boolean
  /** Of an order without lines. */
  total: number
  source_number: string
  created: string | null
  sent: string | null
  expected: string | null
  ordered: string | null
  paid: string | null
  invoice_number: string
  invoice_date: string | null
  payment_due_on: string | null
  notes: string
  supplier_notes: string
  reference: string
  supplier_reference: string
  cc: readonly string[]
  revision: number
  is_own_tax: boolean
  is_arrival_known: boolean
  closed: string | null
  closed_by: string | null
  cancelled: string | null
  cancelled_by: string | null
}

const NewOrder = Type.Object({ id: Id, at: Type.Integer() })

/** Inserts orders without lines, with their due dates; `settleImportedOrders` computes their totals. Returns the ids in order. */
export async function insertImportedOrders(
  tx: Db,
  shopId: number,
  actor: string,
  orders: readonly ImportedOrder[],
): Promise<number[]> {
  if (orders.length === 0) return []
  const records = orders.map((order, at) => ({ at, ...order }))
  const instantOf = (column: string) => noonOrInstant(shopId, sql.fragment`${sql.identifier(['n', column])}`)
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
        coalesce(${instantOf('created')}, clock_timestamp()), clock_timestamp(), ${instantOf('sent')},
        ${instantOf('expected')}, case when n.status in ('partial', 'received') then ${instantOf('sent')} end,
        n.currency, case when n.is_foreign then coalesce(n.rate, ${lastRateOf(shopId, sql.fragment`n.currency`)}) end,
        n.total, n.is_own_tax, n.source_number, true, ${instantOf('ordered')}, n.invoice_number, n.invoice_date,
        n.payment_due_on, ${instantOf('paid')}, n.is_arrival_known, n.supplier_notes, n.reference, n.cc,
        n.revision, ${instantOf('closed')}, n.closed_by, case when n.status = 'cancelled' then
          coalesce(${instantOf('cancelled')}, case when n.closed is null then clock_timestamp() end)
        end, n.cancelled_by
      from n
      order by n.at
      returning id, number
    )
    select created.id, n.at from created join n on n.number = created.number order by n.at
  `)
  const ids = rows.map(({ id }) => id)
  await followDueDates(tx, shopId, sql.fragment`o.id = any(${sql.array(ids, 'int8')})`)
  return ids
}
