import { type Db, sql } from '../../../../db/db.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'

/** A receipt of an order, by the names that the statement reads. `received` is a text as `noonOrInstant` reads it. */
export type ImportedReceipt = {
  order_id: number
  /** Its place among the receipts of the order. */
  at: number
  location_id: number | null
  received: string
  delivery_note: string
  notes: string
  /** Of the order after the receipt. */
  status: 'partial' | 'received'
  /** In hex; names the receipt in its lines. */
  fingerprint: string
}

export type ImportedReceiptLine = {
  fingerprint: string
  /** Of the order. */
  lineId: number
  quantity: number
  rejected: number
  rejectReason: string
  rejectOutcome: string | null
  unitCost: number | null
}

/** Inserts receipts of what came before. Their lines are not stocked: the pieces are in the stock that was read. */
export async function insertImportedReceipts(
  tx: Db,
  shopId: number,
  actor: string,
  { receipts, lines }: { receipts: readonly ImportedReceipt[]; lines: readonly ImportedReceiptLine[] },
): Promise<void> {
  if (receipts.length === 0) return
  const received = lines.map((line) => [
    line.fingerprint,
    line.lineId,
    line.quantity,
    line.rejected,
    line.rejectReason,
    line.rejectOutcome,
    line.unitCost,
  ])
  await tx.query(sql.typeAlias('void')`
    with written as (
      insert into receipt (
        shop_id, purchase_order_id, location_id, delivery_note, notes, fingerprint, status_after, created_by, created_at,
        is_imported
      )
      select ${shopId}, n.order_id, n.location_id, n.delivery_note, n.notes, decode(n.fingerprint, 'hex'), n.status, ${actor},
        ${noonOrInstant(shopId, sql.fragment`n.received`)}, true
      from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as n (
        at int, order_id bigint, location_id bigint, received text, delivery_note text, notes text, status text,
        fingerprint text
      )
      order by n.order_id, n.at
      returning id, encode(fingerprint, 'hex') as fingerprint
    )
    insert into receipt_line (
      shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked, rejected, reject_reason, reject_outcome, unit_cost
    )
    select ${shopId}, w.id, given.line_id, given.quantity, false, given.rejected, given.reason, given.outcome, given.unit_cost
    from written w
    join ${sql.unnest(received, ['text', 'int8', 'int4', 'int4', 'text', 'text', 'numeric'])}
      as given (fingerprint, line_id, quantity, rejected, reason, outcome, unit_cost)
      on given.fingerprint = w.fingerprint
  `)
}
