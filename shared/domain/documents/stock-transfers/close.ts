import type { Db } from '../../../db/db.ts'
import { conflict } from '../../../errors.ts'
import type { TransferClosing, TransferStep } from '../../../schemas/stock-transfers.ts'
import { applyEvent, type LockedTransfer, lockTransfer, requireVersion } from './apply-event.ts'
import { changesOf, type Entry, inTransit, noCounts, spreadPieces } from './lines.ts'

/**
 * Ends a transfer: `items` says what became of some pieces in transit; all others go back to the source, or are lost
 * with `rest: 'lost'`. Pieces that were not shipped stay at the source. Throws not_found, unknown_line, over_transit,
 * stale_version when `version` is not the current one, and conflict when the transfer was not shipped or has ended, so also for
 * a repeated request.
 */
export function closeTransfer(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { items = [], rest = 'returned', version }: NonNullable<TransferClosing>,
): Promise<TransferStep> {
  return db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, shopId, id)
    requireShipped(transfer)
    requireVersion(transfer, { version })
    const entries = items.map(
      ({ variantId, returned = 0, lost = 0, damaged = 0 }): Entry => ({
        variantId,
        pieces: [
          { name: 'returned', field: 'returned', count: returned },
          { name: 'lost', field: 'lost', count: lost },
          { name: 'damaged', field: 'damaged', count: damaged },
        ],
      }),
    )
    const named = new Map(
      spreadPieces(transfer.lines, entries, inTransit).map((change) => [change.position, change]),
    )
    const changes = changesOf(transfer.lines, (line) => {
      const { lost, damaged, returned } = named.get(line.position) ?? noCounts
      const left = line.inTransit - lost - damaged - returned
      return rest === 'lost'
        ? { lost: lost + left, damaged, returned }
        : { lost, damaged, returned: returned + left }
    })
    return applyEvent(tx, shopId, transfer, {
      kind: 'close',
      changes,
      actor,
      isEnding: true,
      platformReason: 'movement_canceled',
    })
  })
}

function requireShipped({ status }: LockedTransfer): void {
  if (status === 'pending') throw conflict('This transfer was not shipped yet. Cancel it instead.')
  if (status === 'completed') throw conflict('This transfer is completed already.')
  if (status === 'cancelled') throw conflict('This transfer is cancelled already.')
}
