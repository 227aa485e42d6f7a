import type { Db } from '../../db/db.ts'
import { conflict } from '../../errors.ts'
import type { TransferShipment, TransferStep } from '../../schemas/stock-transfers.ts'
import { applyEvent, type LockedTransfer, lockTransfer } from './apply-event.ts'
import { changesOf, type Entry, pathsOf, spreadPieces, toShip } from './lines.ts'
import { resolveTransfer } from './stock-transfers.ts'

/**
 * Ships some goods of a transfer, or all that is left to ship; stock leaves the source. May be called again for the rest,
 * also after a part has arrived. Throws not_found, conflict when nothing is left to ship, unknown_line, over_shipment,
 * insufficient_stock without `allowNegative`, and the errors of `resolveLevelKeys`.
 */
export function shipTransfer(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { items, allowNegative = false }: NonNullable<TransferShipment>,
): Promise<TransferStep> {
  return db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, shopId, id)
    requireShippable(transfer)
    const entries = items?.map(
      ({ variantId, quantity }): Entry => ({
        variantId,
        pieces: [{ name: 'shipped', field: 'quantity', count: quantity }],
      }),
    )
    const changes = entries
      ? spreadPieces(transfer.lines, entries, toShip)
      : changesOf(transfer.lines, (line) => ({ shipped: toShip.of(line) }))
    const shipped =
      items ?? transfer.lines.map(({ variantGid: variantId, quantity }) => ({ variantId, quantity }))
    await resolveTransfer(tx, shopId, { ...transfer, items: shipped })
    return applyEvent(tx, shopId, transfer, {
      kind: 'ship',
      changes,
      actor,
      platformReason: 'movement_created',
      allowNegative,
      ...(entries && { pathOf: pathsOf(transfer.lines, entries, 'quantity') }),
    })
  })
}

function requireShippable({ status, lines }: LockedTransfer): void {
  if (status === 'completed')
    throw conflict('This transfer is completed. Create a new one for goods that still have to move.')
  if (status === 'cancelled') throw conflict('This transfer is cancelled. Create a new one instead.')
  if (lines.every((line) => toShip.of(line) === 0))
    throw conflict('All goods of this transfer were shipped. Receive them, or create another transfer.')
}
