import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import {
  StockTransferStatus,
  type TransferEvent,
  type TransferStep,
} from '../../../schemas/stock-transfers.ts'
import { bookLosses } from '../../ledgers/costs/losses.ts'
import { lockVariants, moveStock } from '../../ledgers/stock/move.ts'
import type { PlatformReason } from '../../ledgers/stock/reasons.ts'
import { type LineChange, statusOf, type TransferLine, withChanges } from './lines.ts'
import { isPlanEnded } from './plan-end.ts'
import type { RequestMark } from './repeats.ts'

const Transfer = Type.Object({
  id: Id,
  status: StockTransferStatus,
  version: Type.Integer(),
  sourceId: Id,
  destinationId: Id,
  sourceLocationId: Type.String(),
  destinationLocationId: Type.String(),
})

const Line = Type.Object({
  position: Type.Integer(),
  variantId: Id,
  variantGid: Type.String(),
  quantity: Type.Integer(),
  shipped: Type.Integer(),
  received: Type.Integer(),
  lost: Type.Integer(),
  damaged: Type.Integer(),
  returned: Type.Integer(),
  inTransit: Type.Integer(),
})

const PlanEnd = Type.Object({ isEnded: Type.Boolean() })

/** A transfer whose row is locked until the end of the transaction. */
export type LockedTransfer = Static<typeof Transfer> & {
  lines: readonly TransferLine[]
  /** Pieces that were not shipped stay at the source. */
  isPlanEnded: boolean
}

/** Of two concurrent requests, the second waits here and then sees what the first has done. Throws not_found. */
export async function lockTransfer(tx: Db, shopId: number, id: number): Promise<LockedTransfer> {
  const transfer = await tx.maybeOne(sql.type(row(Transfer))`
    select t.id, t.status, t.version, t.source_location_id as source_id, t.destination_location_id as destination_id,
      s.gid as source_location_id, d.gid as destination_location_id
    from stock_transfer t
    join location s on s.shop_id = ${shopId} and s.id = t.source_location_id
    join location d on d.shop_id = ${shopId} and d.id = t.destination_location_id
    where t.shop_id = ${shopId} and t.id = ${id}
    for update of t
  `)
  if (!transfer) throw notFound('Stock transfer')
  const lines = await readLines(tx, shopId, id)
  // a separate statement, for the same reason as the lines
  const { isEnded } = await tx.one(sql.type(row(PlanEnd))`
    select ${isPlanEnded(shopId, sql.fragment`${id}::bigint`)} as is_ended
  `)
  return { ...transfer, lines, isPlanEnded: isEnded }
}

/** A separate statement, which sees what was committed before the lock. */
export function readLines(tx: Db, shopId: number, id: number): Promise<readonly TransferLine[]> {
  return tx.any(sql.type(row(Line))`
    select i.position, i.variant_id, v.gid as variant_gid, i.quantity, i.shipped, i.received, i.lost, i.damaged,
      i.returned, i.in_transit
    from stock_transfer_item i
    join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
    where i.shop_id = ${shopId} and i.transfer_id = ${id}
    order by i.position
  `)
}

type Event = {
  kind: TransferEvent['kind']
  changes: readonly LineChange[]
  actor: string
  platformReason: PlatformReason
  /** The transfer ends: pieces that were not shipped stay at the source. */
  isEnding?: boolean
  allowNegative?: boolean
  /** Of the request, to recognise it when it is repeated. */
  mark?: RequestMark
  /** The path of a line's pieces in the request; without it, that of the transfer's item. */
  pathOf?: (change: LineChange) => string
}

/**
 * Applies an event to a transfer that the caller has locked: the pieces of its lines, its status, its history, the book
 * cost of lost and damaged pieces, and the stock. What is shipped leaves the source, what is received arrives at the
 * destination, what is returned arrives at the source; lost and damaged pieces arrive nowhere. Throws insufficient_stock.
 */
export async function applyEvent(
  tx: Db,
  shopId: number,
  transfer: LockedTransfer,
  { kind, changes, actor, isEnding = false, mark, ...event }: Event,
): Promise<TransferStep> {
  const losses = lossesOf(changes)
  if (losses.size > 0) await lockVariantsOf(tx, shopId, changes)
  // before the pieces change: the book cost counts what is in transit
  const costs = await bookLosses(tx, shopId, losses, { reference: referenceOf(transfer), actor })
  const status = statusOf(withChanges(transfer.lines, changes), isEnding || transfer.isPlanEnded)
  const written = await tx.maybeOne(sql.typeAlias('id')`
    with ${countedLines(shopId, transfer, { status, changes, costs })},
    event as (
      insert into stock_transfer_event (shop_id, transfer_id, kind, actor, occurred_at, fingerprint, idempotency_key)
      select ${shopId}::bigint, moved.id, ${kind}, ${actor}, now(), ${mark ? sql.binary(mark.fingerprint) : null}::bytea,
        ${mark?.key ?? null}::text
      from moved
      returning id
    ),
    items as (
      insert into stock_transfer_event_item (
        shop_id, event_id, position, variant_id, shipped, received, lost, damaged, returned, loss_cost
      )
      select ${shopId}::bigint, event.id, c.position, c.variant_id, c.shipped, c.received, c.lost, c.damaged, c.returned,
        c.loss_cost
      from event, change c
    )
    select id from event
  `)
  if (!written) throw changedMeanwhile()
  await moveLines(tx, shopId, transfer, changes, { actor, ...event })
  return { id: transfer.id, status, eventId: written.id }
}

/** SQL: the guarded change of a transfer's status and lines, as the queries `moved`, `change` and `counted`. */
export function countedLines(
  shopId: number,
  { id, status: before, version, lines }: LockedTransfer,
  {
    status,
    changes,
    costs = new Map(),
  }: {
    status: StockTransferStatus
    changes: readonly LineChange[]
    costs?: ReadonlyMap<number, string>
  },
) {
  const isShipped = withChanges(lines, changes).some(({ shipped }) => shipped > 0)
  const rows = changes.map(({ position, variantId, shipped, received, lost, damaged, returned }) => [
    ...[position, variantId, shipped, received, lost, damaged, returned],
    lost + damaged > 0 ? (costs.get(variantId) ?? null) : null,
  ])
  return sql.fragment`
    moved as (
      update stock_transfer
      set status = ${status},
        shipped_at = ${isShipped ? sql.fragment`least(shipped_at, now())` : null},
        completed_at = ${status === 'completed' ? sql.fragment`now()` : null},
        cancelled_at = ${status === 'cancelled' ? sql.fragment`now()` : null},
        updated_at = now(),
        version = version + 1
      where shop_id = ${shopId} and id = ${id} and status = ${before} and version = ${version}
      returning id
    ),
    change as (
      select *
      from ${sql.unnest(rows, ['int4', 'int8', 'int4', 'int4', 'int4', 'int4', 'int4', 'numeric'])}
        as c (position, variant_id, shipped, received, lost, damaged, returned, loss_cost)
    ),
    counted as (
      update stock_transfer_item i
      set shipped = i.shipped + c.shipped, received = i.received + c.received, lost = i.lost + c.lost,
        damaged = i.damaged + c.damaged, returned = i.returned + c.returned
      from moved, change c
      where i.shop_id = ${shopId} and i.transfer_id = moved.id and i.position = c.position
    )
  `
}

/** Moves the stock of the lines. Both sides of a line are next to each other, so that one push contains both. */
export async function moveLines(
  tx: Db,
  shopId: number,
  transfer: LockedTransfer,
  changes: readonly LineChange[],
  {
    actor,
    platformReason,
    allowNegative = false,
    reason,
    pathOf = ({ position }) => `/items/${position}/quantity`,
  }: Pick<Event, 'actor' | 'platformReason' | 'allowNegative' | 'pathOf'> & { reason?: string },
): Promise<void> {
  const reference = referenceOf(transfer)
  await moveStock(
    tx,
    shopId,
    { kind: 'transfer', form: 'adjust', reference, actor, platformReason, allowNegative },
    changes.flatMap((change) => {
      const { variantId, shipped, received, returned } = change
      const path = pathOf(change)
      const isReturn = returned > 0 && shipped === 0
      return [
        {
          ...{ variantId, locationId: transfer.sourceId, delta: returned - shipped, path },
          reason: reason ?? (isReturn ? 'Returned to the source' : ''),
        },
        { variantId, locationId: transfer.destinationId, delta: received, path, reason: reason ?? '' },
      ]
    }),
  )
}

/** All at once and by id, since costs and stock lock the variants of their own lines. */
export const lockVariantsOf = (tx: Db, shopId: number, changes: readonly LineChange[]): Promise<void> =>
  lockVariants(
    tx,
    shopId,
    changes.map(({ variantId }) => variantId),
  )

/** Lost and damaged pieces by variant. */
function lossesOf(changes: readonly LineChange[]): ReadonlyMap<number, number> {
  const losses = new Map<number, number>()
  for (const { variantId, lost, damaged } of changes) {
    if (lost + damaged > 0) losses.set(variantId, (losses.get(variantId) ?? 0) + lost + damaged)
  }
  return losses
}

export const referenceOf = ({ id }: { id: number }) => `stock_transfer/${id}`

export const changedMeanwhile = () =>
  conflict('This transfer was changed in the meantime. Check it before you go on.', 'stale_version')

/** Throws stale_version when the caller has read another version than the current one. */
export function requireVersion(
  { version }: Pick<LockedTransfer, 'version'>,
  patch: { version?: number | undefined },
): void {
  if (patch.version !== undefined && patch.version !== version) throw changedMeanwhile()
}
