import type { Db } from '../../../db/db.ts'
import { conflict } from '../../../errors.ts'
import type { TransferShipment, TransferStep } from '../../../schemas/stock-transfers.ts'
import { applyEvent, type LockedTransfer, lockTransfer } from './apply-event.ts'
import { changesOf, type Entry, pathsOf, spreadPieces, toShip } from './lines.ts'
import { findRepeated, fingerprintOf } from './repeats.ts'
import { resolveTransfer } from './stock-transfers.ts'

/**
 * Ships some goods of a transfer, or all that is left to ship; stock leaves the source. May be called again for the rest,
 * also after a part has arrived. Throws not_found, conflict when nothing is left to ship, unknown_line, over_shipment,
 * insufficient_stock without `allowNegative`, and the errors of `resolveLevelKeys`. A repeated request
 * changes nothing (`repeats.ts`); `key` is its idempotency key.
 */
export function shipTransfer(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { items, allowNegative = false }: NonNullable<TransferShipment>,
  { key }: { key?: string | undefined } = {},
): Promise<TransferStep> {
  return db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, shopId, id)
    const numbers = items?.map(({ variantId, quantity }) => [variantId, quantity]) ?? 'rest'
    const mark = { fingerprint: fingerprintOf('ship', numbers), key }
    const repeated = await findRepeated(tx, shopId, transfer, actor, mark)
    if (repeated) return repeated
    requireOpen(transfer)
    requireRest(transfer)
    const entries = items?.map(
      ({ variantId, quantity }): Entry => ({
        variantId,
        pieces: [{ name: 'shipped', field: 'quantity', count: quantity }],
      }),
    )
    const changes = entries
      ? spreadPieces(transfer.lines, entries, toShip)
      : changesOf(transfer.lines, (line) => ({ shipped: toShip.of(line) }))
    await resolveTransfer(tx, shopId, { ...transfer, items: items ?? restOf(transfer) })
    return applyEvent(tx, shopId, transfer, {
      kind: 'ship',
      changes,
      actor,
      mark,
      platformReason: 'movement_created',
      allowNegative,
      ...(entries && { pathOf: pathsOf(transfer.lines, entries, 'quantity') }),
    })
  })
}

/** Lines that were shipped are left out: their products may be deleted since. */
const restOf = ({ lines }: LockedTransfer) =>
  lines
    .map((line) => ({ variantId: line.variantGid, quantity: toShip.of(line) }))
    .filter(({ quantity }) => quantity > 0)

function requireOpen({ status }: LockedTransfer): void {
  if (status === 'completed')
    throw conflict('This transfer is completed. Create a new one for goods that still have to move.')
  if (status === 'cancelled') throw conflict('This transfer is cancelled. Create a new one instead.')
}

function requireRest({ lines, isPlanEnded }: LockedTransfer): void {
  if (lines.every((line) => toShip.of(line) === 0))
    throw conflict('All goods of this transfer were shipped. Receive them, or create another transfer.')
  if (isPlanEnded)
    throw conflict(
      'This transfer was closed or completed, so its other goods stay at the source. Create a new one for them.',
    )
}
