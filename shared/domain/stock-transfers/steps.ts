import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import type {
  StockTransfer,
  StockTransferItemInput,
  StockTransferPatch,
  StockTransferStatus,
  UpdatedStockTransfer,
} from '../../schemas/stock-transfers.ts'
import { cleared } from '../patch.ts'
import type { StockLine } from '../stock/changes.ts'
import { moveStock } from '../stock/move.ts'
import type { PlatformReason } from '../stock/reasons.ts'
import { getStockTransfer, resolveTransfer, transferItems } from './stock-transfers.ts'

/*
 * Transitions of a transfer, and the stock that each one moves:
 *
 *   pending    -> in_transit  stock leaves the source
 *   pending    -> completed   stock leaves the source and arrives at the destination
 *   pending    -> cancelled   nothing moves
 *   in_transit -> completed   stock arrives at the destination
 *   in_transit -> cancelled   stock goes back to the source
 */
type Step = { source: -1 | 0 | 1; destination: 0 | 1; platformReason: PlatformReason }
const steps: Partial<Record<`${StockTransferStatus} -> ${StockTransferStatus}`, Step>> = {
  'pending -> in_transit': { source: -1, destination: 0, platformReason: 'movement_created' },
  'pending -> completed': { source: -1, destination: 1, platformReason: 'movement_received' },
  'pending -> cancelled': { source: 0, destination: 0, platformReason: 'movement_canceled' },
  'in_transit -> completed': { source: 0, destination: 1, platformReason: 'movement_received' },
  'in_transit -> cancelled': { source: 1, destination: 0, platformReason: 'movement_canceled' },
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
    await lockTransfer(tx, shopId, id)
    const transfer = await getStockTransfer(tx, shopId, id)
    const alreadyApplied = patch.status === transfer.status && transfer.status !== 'pending'
    const changes = changesOf(transfer, patch)
    if (alreadyApplied && !changes.any) return { ...transfer, alreadyApplied }
    requireVersion(transfer, patch)
    requireAllowed(transfer, patch, changes)
    if (!changes.any) return { ...transfer, alreadyApplied }
    await applyChanges(tx, shopId, transfer, actor, patch, changes)
    return { ...(await getStockTransfer(tx, shopId, id)), alreadyApplied }
  })
}

/** Of two concurrent requests for the same transition, the second waits here and then finds it applied. */
async function lockTransfer(tx: Db, shopId: number, id: number): Promise<void> {
  const transfer = await tx.maybeOne(sql.typeAlias('id')`
    select id from stock_transfer where shop_id = ${shopId} and id = ${id} for update
  `)
  if (!transfer) throw notFound('Stock transfer')
}

type Changes = { status: boolean; notes: boolean; items: boolean; any: boolean }

/** Only the differences to the stored transfer count as changes, so a repeated request changes nothing. */
function changesOf(transfer: StockTransfer, patch: StockTransferPatch): Changes {
  const asText = (items: readonly StockTransferItemInput[]) =>
    items.map(({ variantId, quantity }) => `${variantId} ${quantity}`).join()
  const status = patch.status !== undefined && patch.status !== transfer.status
  const notes = patch.notes !== undefined && (patch.notes ?? '') !== transfer.notes
  const items = patch.items !== undefined && asText(patch.items) !== asText(transfer.items)
  return { status, notes, items, any: status || notes || items }
}

function requireVersion({ version }: StockTransfer, patch: StockTransferPatch): void {
  if (patch.version === undefined || patch.version === version) return
  throw conflict('This transfer was changed in the meantime. Reload it before you save.', 'stale_version')
}

function requireAllowed({ status }: StockTransfer, patch: StockTransferPatch, changes: Changes): void {
  if (status === 'completed') {
    throw conflict('This transfer is completed. To move the stock back, create a transfer the other way.')
  }
  if (status === 'cancelled') throw conflict('This transfer is cancelled. Create a new one instead.')
  if (changes.items && status !== 'pending') {
    throw conflict(
      'The goods are in transit, so the item list cannot change. Cancel the transfer to return them.',
    )
  }
  if (changes.status && !stepOf(status, patch)) {
    throw conflict('The goods are in transit. Complete the transfer, or cancel it to return them.')
  }
}

const stepOf = (status: StockTransferStatus, patch: StockTransferPatch): Step | undefined =>
  patch.status && steps[`${status} -> ${patch.status}`]

async function applyChanges(
  tx: Db,
  shopId: number,
  transfer: StockTransfer,
  actor: string,
  patch: StockTransferPatch,
  changes: Changes,
): Promise<void> {
  const items = patch.items ?? transfer.items
  const step = stepOf(transfer.status, patch)
  // not checked for goods in transit: they can arrive or return even if a location or product has become inactive
  if (changes.items || (step && step.source < 0)) {
    const { variants } = await resolveTransfer(tx, shopId, { ...transfer, items })
    if (changes.items) await replaceItems(tx, shopId, transfer.id, items, variants)
  }
  const status = patch.status ?? transfer.status
  await tx.one(sql.typeAlias('id')`
    update stock_transfer
    set status = ${status},
      notes = coalesce(${cleared(patch.notes)}, notes),
      item_count = ${items.length},
      shipped_at = case when ${status} in ('in_transit', 'completed') then coalesce(shipped_at, now()) else shipped_at end,
      completed_at = case when ${status} = 'completed' then now() end,
      cancelled_at = case when ${status} = 'cancelled' then now() end,
      updated_at = now(),
      version = version + 1
    where shop_id = ${shopId} and id = ${transfer.id} and status = ${transfer.status}
    returning id
  `)
  if (!step) return
  const { platformReason } = step
  const { allowNegative = false } = patch
  const reference = `stock_transfer/${transfer.id}`
  await moveStock(
    tx,
    shopId,
    { kind: 'transfer', form: 'adjust', reference, actor, platformReason, allowNegative },
    await stockLines(tx, shopId, transfer.id, step),
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

const Item = Type.Object({ variantId: Id, sourceId: Id, destinationId: Id, quantity: Type.Integer() })

/** Lists both sides of each item next to each other, so that one request to the platform contains both. */
async function stockLines(tx: Db, shopId: number, id: number, step: Step): Promise<StockLine[]> {
  const items = await tx.any(sql.type(row(Item))`
    select i.variant_id, t.source_location_id as source_id, t.destination_location_id as destination_id, i.quantity
    from stock_transfer_item i
    join stock_transfer t on t.shop_id = i.shop_id and t.id = i.transfer_id
    where i.shop_id = ${shopId} and i.transfer_id = ${id}
    order by i.position
  `)
  return items.flatMap(({ variantId, sourceId, destinationId, quantity }, at) => {
    const path = `/items/${at}/quantity`
    return [
      { variantId, locationId: sourceId, delta: step.source * quantity, path },
      { variantId, locationId: destinationId, delta: step.destination * quantity, path },
    ]
  })
}
