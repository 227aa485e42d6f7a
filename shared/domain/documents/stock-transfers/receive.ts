import type { Db } from '../../../db/db.ts'
import { conflict, unprocessable } from '../../../errors.ts'
import type { TransferReceipt, TransferStep } from '../../../schemas/stock-transfers.ts'
import { applyEvent, type LockedTransfer, lockTransfer } from './apply-event.ts'
import { type Entry, inTransit, pathsOf, spreadPieces } from './lines.ts'
import { findRepeated, fingerprintOf } from './repeats.ts'

/**
 * Records what became of goods in transit: what was received arrives at the destination; what was lost or damaged
 * arrives nowhere and leaves the book cost. The rest stays in transit. Deleted products and locations that are not in use
 * are no error: the goods have left the source. A repeated request changes nothing (`repeats.ts`); `key` is its idempotency key.
 * Throws not_found, conflict when nothing is in transit, unknown_line, over_transit, and nothing_received when all numbers are 0.
 */
export function receiveTransfer(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { items }: TransferReceipt,
  { key }: { key?: string | undefined } = {},
): Promise<TransferStep> {
  return db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, shopId, id)
    const mark = { fingerprint: fingerprintOf('receive', numbersOf(items)), key }
    const repeated = await findRepeated(tx, shopId, transfer, actor, mark)
    if (repeated) return repeated
    requireInTransit(transfer)
    const entries = items.map(
      ({ variantId, received, lost = 0, damaged = 0 }): Entry => ({
        variantId,
        pieces: [
          { name: 'received', field: 'received', count: received },
          { name: 'lost', field: 'lost', count: lost },
          { name: 'damaged', field: 'damaged', count: damaged },
        ],
      }),
    )
    const changes = spreadPieces(transfer.lines, entries, inTransit)
    if (changes.length === 0) {
      throw unprocessable(
        'nothing_received',
        'Enter what was received, lost or damaged.',
        items.map((_, at) => ({
          path: `/items/${at}/received`,
          message: 'must be above 0 when nothing was lost or damaged',
        })),
      )
    }
    return applyEvent(tx, shopId, transfer, {
      kind: 'receive',
      changes,
      actor,
      mark,
      platformReason: 'movement_received',
      pathOf: pathsOf(transfer.lines, entries, 'received'),
    })
  })
}

const numbersOf = (items: TransferReceipt['items']) =>
  items.map(({ variantId, received, lost = 0, damaged = 0 }) => [variantId, received, lost, damaged])

function requireInTransit({ status, lines }: LockedTransfer): void {
  if (lines.some((line) => line.inTransit > 0)) return
  const reasons = {
    pending: 'This transfer was not shipped yet. Ship it first.',
    in_transit: 'Nothing of this transfer is in transit.',
    partial: 'Nothing of this transfer is in transit. Ship the rest, or close the transfer.',
    completed: 'This transfer is completed. Undo a receipt that was wrong.',
    cancelled: 'This transfer is cancelled. Create a new one instead.',
  }
  throw conflict(reasons[status])
}
