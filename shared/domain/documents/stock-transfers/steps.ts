import { type Db, sql } from '../../../db/db.ts'
import { conflict } from '../../../errors.ts'
import type {
  StockTransfer,
  StockTransferItemInput,
  StockTransferPatch,
  StockTransferStatus,
  UpdatedStockTransfer,
} from '../../../schemas/stock-transfers.ts'
import { cleared } from '../../kit/patch.ts'
import { applyEvent, type LockedTransfer, lockTransfer, readLines, requireVersion } from './apply-event.ts'
import { type Counts, changesOf, type TransferLine } from './lines.ts'
import { getStockTransfer, resolveTransfer, transferItems } from './stock-transfers.ts'

/*
 * Transitions by `PUT`, of a whole transfer, and the stock that each one moves. `ship.ts`, `receive.ts` and `close.ts` move parts.
 *
 *   pending              -> in_transit  all stock leaves the source
 *   pending              -> completed   all stock leaves the source and arrives at the destination
 *   pending              -> cancelled   nothing moves
 *   in_transit, partial  -> completed   what is in transit arrives at the destination; the rest stays at the source
 *   in_transit           -> cancelled   what is in transit goes back to the source
 */
type Step = Pick<Parameters<typeof applyEvent>[3], 'kind' | 'isEnding' | 'platformReason'> & {
  pieces: (line: TransferLine) => Partial<Counts>
}
const receiveRest: Step = {
  kind: 'complete',
  isEnding: true,
  platformReason: 'movement_received',
  pieces: ({ inTransit }) => ({ received: inTransit }),
}
const steps: Partial<Record<`${StockTransferStatus} -> ${StockTransferStatus}`, Step>> = {
  'pending -> in_transit': {
    kind: 'ship',
    platformReason: 'movement_created',
    pieces: ({ quantity }) => ({ shipped: quantity }),
  },
  'pending -> completed': {
    ...receiveRest,
    pieces: ({ quantity }) => ({ shipped: quantity, received: quantity }),
  },
  'pending -> cancelled': {
    kind: 'cancel',
    isEnding: true,
    platformReason: 'movement_canceled',
    pieces: () => ({}),
  },
  'in_transit -> completed': receiveRest,
  'partial -> completed': receiveRest,
  'in_transit -> cancelled': {
    kind: 'cancel',
    isEnding: true,
    platformReason: 'movement_canceled',
    pieces: ({ inTransit }) => ({ returned: inTransit }),
  },
}

/**
 * Applies a status transition with its stock movements, and changes to notes and (while pending) items, in one
 * transaction. Repeating a transition moves nothing and returns `alreadyApplied`. Throws conflict when the status does
 * not allow the change, stale_version when `version` is not the current one, insufficient_stock when the source would
 * become negative without `allowNegative`, and the errors of `resolveLevelKeys`.
 */
export function updateStockTransfer(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  patch: StockTransferPatch,
): Promise<UpdatedStockTransfer> {
  return db.transaction(async (tx) => {
    const locked = await lockTransfer(tx, shopId, id)
    const transfer = await getStockTransfer(tx, shopId, id)
    const alreadyApplied = patch.status === transfer.status && transfer.status !== 'pending'
    const changes = differencesOf(transfer, patch)
    if (alreadyApplied && !changes.any) return { ...transfer, alreadyApplied }
    requireVersion(transfer, patch)
    requireAllowed(transfer, patch, changes)
    if (!changes.any) return { ...transfer, alreadyApplied }
    await applyChanges(tx, shopId, { transfer, locked }, actor, patch, changes)
    return { ...(await getStockTransfer(tx, shopId, id)), alreadyApplied }
  })
}

type Changes = { status: boolean; notes: boolean; items: boolean; any: boolean }

/** Only the differences to the stored transfer count as changes, so a repeated request changes nothing. */
function differencesOf(transfer: StockTransfer, patch: StockTransferPatch): Changes {
  const asText = (items: readonly StockTransferItemInput[]) =>
    items.map(({ variantId, quantity }) => `${variantId} ${quantity}`).join()
  const status = patch.status !== undefined && patch.status !== transfer.status
  const notes = patch.notes !== undefined && (patch.notes ?? '') !== transfer.notes
  const items = patch.items !== undefined && asText(patch.items) !== asText(transfer.items)
  return { status, notes, items, any: status || notes || items }
}

function requireAllowed({ status }: StockTransfer, patch: StockTransferPatch, changes: Changes): void {
  if (status === 'completed') {
    throw conflict('This transfer is completed. To move the stock back, create a transfer the other way.')
  }
  if (status === 'cancelled') throw conflict('This transfer is cancelled. Create a new one instead.')
  if (changes.items && status !== 'pending') {
    throw conflict(
      status === 'partial'
        ? 'Goods of this transfer have arrived, so the item list cannot change. Close the transfer, and create another one.'
        : 'The goods are in transit, so the item list cannot change. Cancel the transfer to return them.',
    )
  }
  if (changes.status && !stepOf(status, patch)) {
    if (status === 'pending') throw conflict('A transfer becomes partial when a part of its goods arrives.')
    if (status === 'partial')
      throw conflict(
        'A part of the goods has arrived. Complete the transfer, or close it to return the rest.',
      )
    throw conflict('The goods are in transit. Complete the transfer, or cancel it to return them.')
  }
}

const stepOf = (status: StockTransferStatus, patch: StockTransferPatch): Step | undefined =>
  patch.status && steps[`${status} -> ${patch.status}`]

async function applyChanges(
  tx: Db,
  shopId: number,
  { transfer, locked }: { transfer: StockTransfer; locked: LockedTransfer },
  actor: string,
  patch: StockTransferPatch,
  changes: Changes,
): Promise<void> {
  const { id, status } = locked
  const items = patch.items ?? transfer.items
  const step = stepOf(status, patch)
  // not checked for goods in transit: they can arrive or return even if a location or product has become inactive
  if (changes.items || (step && status === 'pending' && patch.status !== 'cancelled')) {
    const { variants } = await resolveTransfer(tx, shopId, { ...transfer, items })
    if (changes.items) await replaceItems(tx, shopId, id, items, variants)
  }
  if (changes.items || changes.notes) {
    await tx.one(sql.typeAlias('id')`
      update stock_transfer
      set notes = coalesce(${cleared(patch.notes)}, notes),
        item_count = ${items.length},
        updated_at = now(),
        version = version + ${step ? 0 : 1}
      where shop_id = ${shopId} and id = ${id} and status = ${status} and version = ${locked.version}
      returning id
    `)
  }
  if (!step) return
  const lines = changes.items ? await readLines(tx, shopId, id) : locked.lines
  const { pieces, ...event } = step
  const { allowNegative = false } = patch
  await applyEvent(
    tx,
    shopId,
    { ...locked, lines },
    { ...event, changes: changesOf(lines, pieces), actor, allowNegative },
  )
}

async function replaceItems(
  tx: Db,
  shopId: number,
  id: number,
  items: readonly StockTransferItemInput[],
  variants: readonly number[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with removed as (
      delete from stock_transfer_item
      where shop_id = ${shopId} and transfer_id = ${id} and position >= ${items.length}
    )
    insert into stock_transfer_item (shop_id, transfer_id, position, variant_id, quantity)
    select ${shopId}, ${id}, item.position, item.variant_id, item.quantity
    from ${transferItems(items, variants)}
    on conflict (shop_id, transfer_id, position) do update
    set variant_id = excluded.variant_id, quantity = excluded.quantity
  `)
}
