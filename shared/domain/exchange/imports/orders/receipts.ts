import { createHash } from 'node:crypto'
import type { Db } from '../../../../db/db.ts'
import {
  type ImportedReceipt,
  type ImportedReceiptLine,
  insertImportedReceipts,
} from '../../../documents/receipts/imported/of-orders.ts'
import type { Terms } from '../load.ts'
import type { Places } from '../locations.ts'
import { receiptsOf } from './read/receipts.ts'
import type { PlannedLine } from './types.ts'
import type { WrittenOrder } from './written.ts'

/** Inserts the receipts of what came before. */
export async function insertReceipts(
  tx: Db,
  { shopId, importId, actor }: Terms,
  places: Places,
  orders: readonly WrittenOrder[],
  lineIds: ReadonlyMap<PlannedLine, number>,
): Promise<void> {
  const receipts: ImportedReceipt[] = []
  const received: ImportedReceiptLine[] = []
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
      for (const { line, ...counted } of receipt.lines)
        received.push({ fingerprint, lineId: lineIds.get(line) ?? 0, ...counted })
    }
  }
  await insertImportedReceipts(tx, shopId, actor, { receipts, lines: received })
}
