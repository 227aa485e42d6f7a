import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { ReversedTransferEvent } from '../../../schemas/stock-transfers.ts'
import { bookFound } from '../../ledgers/costs/losses.ts'
import {
  changedMeanwhile,
  countedLines,
  type LockedTransfer,
  lockTransfer,
  lockVariantsOf,
  moveLines,
  referenceOf,
} from './apply-event.ts'
import { type LineChange, statusOf, withChanges } from './lines.ts'
import { isPlanEnded } from './plan-end.ts'

const ReversedItem = Type.Object({
  position: Type.Integer(),
  variantId: Id,
  shipped: Type.Integer(),
  received: Type.Integer(),
  lost: Type.Integer(),
  damaged: Type.Integer(),
  returned: Type.Integer(),
  lossCost: Nullable(Type.String()),
})
const PlanEnd = Type.Object({ staysEnded: Type.Boolean() })

/**
 * Reverses an event of a transfer: its pieces are where they were before it, in stock and in transit, and lost pieces come
 * back into the book cost with what was taken out. The status follows from the lines, so a completed transfer may be in
 * transit again; what was not shipped stays dropped unless the event is the one that dropped it. A second call changes nothing and returns
 * `alreadyApplied`. Throws not_found; conflict when later events need its pieces, or when it moved none; insufficient_stock unless
 * `allowNegative` is set.
 */
export function reverseTransferEvent(
  db: Db,
  shopId: number,
  transferId: number,
  eventId: number,
  actor: string,
  { allowNegative = false }: { allowNegative?: boolean } = {},
): Promise<ReversedTransferEvent> {
  return db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, shopId, transferId)
    const reversed = await findReversed(tx, shopId, transferId, eventId)
    if (reversed) return reversed
    const items = await tx.any(sql.type(row(ReversedItem))`
      select x.position, x.variant_id, x.shipped, x.received, x.lost, x.damaged, x.returned, x.loss_cost::text
      from stock_transfer_event e
      join stock_transfer_event_item x on x.shop_id = ${shopId} and x.event_id = e.id
      where e.shop_id = ${shopId} and e.id = ${eventId} and e.transfer_id = ${transferId}
      order by x.position
    `)
    const changes = items.map(negated)
    requireReversible(transfer, changes)
    const found = items.flatMap(({ variantId, lost, damaged, lossCost }) =>
      lossCost === null ? [] : [{ variantId, quantity: lost + damaged, unitCost: lossCost }],
    )
    if (found.length > 0) await lockVariantsOf(tx, shopId, changes)
    await bookFound(tx, shopId, found, { reference: referenceOf(transfer), actor })
    const { staysEnded } = await tx.one(sql.type(row(PlanEnd))`
      select ${isPlanEnded(shopId, sql.fragment`${transferId}::bigint`, eventId)} as stays_ended
    `)
    const status = statusOf(withChanges(transfer.lines, changes), staysEnded)
    const written = await tx.maybeOne(sql.type(row(ReversedTransferEvent))`
      with ${countedLines(shopId, transfer, { status, changes })}
      update stock_transfer_event e
      set reversed_at = now(), reversed_by = ${actor}
      from moved
      where e.shop_id = ${shopId} and e.id = ${eventId} and e.transfer_id = moved.id and e.reversed_at is null
      returning e.id, e.transfer_id, ${status} as status, e.reversed_at, false as already_applied
    `)
    if (!written) throw changedMeanwhile()
    await moveLines(tx, shopId, transfer, changes, {
      actor,
      platformReason: 'movement_updated',
      allowNegative,
      reason: 'Reversed',
      pathOf: ({ position }) => `/items/${items.findIndex((item) => item.position === position)}`,
    })
    return written
  })
}

/** The event when it is reversed already; null when it is not. Throws not_found. */
async function findReversed(
  tx: Db,
  shopId: number,
  transferId: number,
  eventId: number,
): Promise<ReversedTransferEvent | null> {
  const event = await tx.maybeOne(sql.type(
    row(
      Type.Object({
        ...ReversedTransferEvent.properties,
        reversedAt: Nullable(ReversedTransferEvent.properties.reversedAt),
      }),
    ),
  )`
    select e.id, e.transfer_id, t.status, e.reversed_at, true as already_applied
    from stock_transfer_event e
    join stock_transfer t on t.shop_id = ${shopId} and t.id = e.transfer_id
    where e.shop_id = ${shopId} and e.id = ${eventId} and e.transfer_id = ${transferId}
  `)
  if (!event) throw notFound('Event of this transfer')
  const { reversedAt } = event
  return reversedAt === null ? null : { ...event, reversedAt }
}

function requireReversible({ lines }: LockedTransfer, changes: readonly LineChange[]): void {
  if (changes.length === 0)
    throw conflict('This event moved no goods, so there is nothing to undo. Create a new transfer instead.')
  if (withChanges(lines, changes).some(({ inTransit }) => inTransit < 0)) {
    throw conflict('Some of these goods have arrived, or were returned. Undo the later events first.')
  }
}

const negated = ({ position, variantId, ...pieces }: LineChange): LineChange => ({
  position,
  variantId,
  shipped: -pieces.shipped,
  received: -pieces.received,
  lost: -pieces.lost,
  damaged: -pieces.damaged,
  returned: -pieces.returned,
})
