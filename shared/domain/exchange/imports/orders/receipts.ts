import { createHash } from 'node:crypto'
import { type Db, sql } from '../../../../db/db.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'
import type { Terms } from '../load.ts'
import type { Places } from '../locations.ts'
import { receiptsOf } from './read/receipts.ts'
import type { PlannedLine } from './types.ts'
import type { WrittenOrder } from './written.ts'

/** Receipts of what came before. Their lines are not stocked: the pieces are in the stock that was read. */
export async function insertReceipts(
  tx: Db,
  { shopId, importId, actor }: Terms,
  places: Places,
  orders: readonly WrittenOrder[],
  lineIds: ReadonlyMap<PlannedLine, number>,
): Promise<void> {
  const receipts: object[] = []
  const received: (string | number | null)[][] = []
  for (const { each, id, lines } of orders) {
    const own = receiptsOf(each.plan, lines)
    for (const [at, receipt] of own.entries()) {
      const fingerprint = createHash('sha256')
        .update(`import/${importId}/${id}/${receipt.at}/${at}`)
        .digest('hex')
      const isLast = at === own.length - 1
      receipts.push({
        at,
        order_id: id,
        location_id:
          (receipt.location ? places.find(receipt.location) : null) ?? each.locationId ?? places.fallback,
        received: receipt.at,
        delivery_note: receipt.deliveryNote,
        notes: receipt.notes,
        status: each.plan.status === 'partial' || !isLast ? 'partial' : 'received',
        fingerprint,
      })
      for (const { line, quantity, rejected, rejectReason, rejectOutcome, unitCost } of receipt.lines)
        received.push([
          fingerprint,
          lineIds.get(line) ?? 0,
          quantity,
          rejected,
          rejectReason,
          rejectOutcome,
          unitCost,
        ])
    }
  }
  if (receipts.length === 0) return
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
