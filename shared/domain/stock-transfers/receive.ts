import { createHash } from 'node:crypto'
import { type Db, sql } from '../../db/db.ts'
import { conflict, unprocessable } from '../../errors.ts'
import type { TransferReceipt, TransferStep } from '../../schemas/stock-transfers.ts'
import { applyEvent, type LockedTransfer, lockTransfer } from './apply-event.ts'
import { type Entry, inTransit, pathsOf, spreadPieces } from './lines.ts'

/**
 * Records what became of goods in transit: what was received arrives at the destination; what was lost or damaged
 * arrives nowhere and leaves the book cost. The rest stays in transit. Deleted products and locations that are not in use
 * are no error: the goods have left the source. A request with the same numbers and person as one in the last 10 seconds
 * counts as a double click: it changes nothing and returns the event of the first. With `hasKey` the request has an
 * idempotency key, and this check is off. Throws not_found, conflict when nothing is in transit, unknown_line,
 * over_transit, and nothing_received when all numbers are 0.
 */
export function receiveTransfer(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { items }: TransferReceipt,
  { hasKey = false }: { hasKey?: boolean } = {},
): Promise<TransferStep> {
  return db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, shopId, id)
    const fingerprint = fingerprintOf(items)
    const repeated = hasKey ? null : await findRepeated(tx, shopId, id, actor, fingerprint)
    if (repeated !== null) return { id, status: transfer.status, eventId: repeated }
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
      fingerprint,
      platformReason: 'movement_received',
      pathOf: pathsOf(transfer.lines, entries, 'received'),
    })
  })
}

function fingerprintOf(items: TransferReceipt['items']): Buffer {
  const numbers = items.map(({ variantId, received, lost = 0, damaged = 0 }) => [
    variantId,
    received,
    lost,
    damaged,
  ])
  return createHash('sha256').update(JSON.stringify(numbers)).digest()
}

/** The event of an equal recent request. Checked before the status, which that request may have changed. */
async function findRepeated(
  tx: Db,
  shopId: number,
  id: number,
  actor: string,
  fingerprint: Buffer,
): Promise<number | null> {
  const event = await tx.maybeOne(sql.typeAlias('id')`
    select id
    from stock_transfer_event
    where shop_id = ${shopId} and transfer_id = ${id} and fingerprint = ${sql.binary(fingerprint)}
      and actor = ${actor} and reversed_at is null and occurred_at > now() - interval '10 seconds'
    order by id desc
    limit 1
  `)
  return event?.id ?? null
}

function requireInTransit({ status, lines }: LockedTransfer): void {
  if (lines.some((line) => line.inTransit > 0)) return
  const reasons = {
    pending: 'This transfer was not shipped yet. Ship it first.',
    in_transit: 'Nothing of this transfer is in transit.',
    partial: 'Nothing of this transfer is in transit. Ship the rest, or close the transfer.',
    completed: 'This transfer is completed. Reverse a receipt that was wrong.',
    cancelled: 'This transfer is cancelled. Create a new one instead.',
  }
  throw conflict(reasons[status])
}
