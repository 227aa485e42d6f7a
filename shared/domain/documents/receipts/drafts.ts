import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import {
  OrderReceipt,
  type ReceiptDraftDeletion,
  type ReceiptDraftInput,
  type ReceiptDraftPatch,
  ReceiptState,
} from '../../../schemas/receipts.ts'
import { cleared } from '../../kit/patch.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { knownCost } from '../purchase-orders/lines/lines.ts'
import { type Count, draftCounts, requireDistinct, requireKnown } from './counts.ts'
import { lockOrderToReceive, requireLocation, requireSent } from './locked-order.ts'
import { receiptColumns } from './of-order.ts'

/*
 * A draft is a receipt that is still being counted. It moves nothing and reserves nothing: several people may have drafts of
 * one order, and each posting takes what is still outstanding then (`post-draft.ts`).
 */

export type ReceiptKey = { id: number; receiptId: number }

/** Creates a draft. Throws not_found, conflict unless goods of the order can be received, unknown_location, and the errors of the lines. */
export function createDraft(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  actor: string,
  input: ReceiptDraftInput,
): Promise<OrderReceipt> {
  return db.transaction(async (tx) => {
    const locationGid = input.locationId ?? null
    const order = await lockOrderToReceive(tx, shopId, purchaseOrderId, { locationGid, lock: 'share' })
    requireSent(order)
    const locationId = requireLocation(order, locationGid !== null)
    const counts = await requireLinesOf(tx, shopId, purchaseOrderId, input.lines ?? [])
    const receiptId = await tx.oneFirst(sql.typeAlias('id')`
      insert into receipt (shop_id, purchase_order_id, location_id, state, notes, delivery_note, fingerprint, created_by)
      values (
        ${shopId}, ${purchaseOrderId}, ${locationId}, 'draft', ${input.notes ?? ''}, ${input.deliveryNote ?? ''},
        ${sql.binary(Buffer.alloc(0))}, ${actor}
      )
      returning id
    `)
    await storeCounts(tx, shopId, receiptId, counts)
    return getOrderReceipt(tx, shopId, { id: purchaseOrderId, receiptId })
  })
}

/**
 * Changes the given fields of a draft. Fields that repeat the draft's are no change and keep its version. Throws not_found,
 * conflict for a posted receipt, stale_version when `version` is not the current one, unknown_location, and the errors of the
 * lines.
 */
export function updateDraft(
  db: Db,
  shopId: number,
  key: ReceiptKey,
  { lines, locationId: locationGid, deliveryNote, notes, version }: ReceiptDraftPatch,
): Promise<OrderReceipt> {
  return db.transaction(async (tx) => {
    const order = await lockOrderToReceive(tx, shopId, key.id, {
      locationGid: locationGid ?? null,
      lock: 'share',
    })
    const draft = await lockDraft(tx, shopId, key)
    requireVersion(draft, version)
    const before = await getOrderReceipt(tx, shopId, key)
    const counts = lines && (await requireLinesOf(tx, shopId, key.id, lines))
    const isSame = {
      lines: counts === undefined || isDeepStrictEqual(countsOf(counts), countsOf(before.lines)),
      location: locationGid === undefined || locationGid === before.locationId,
      words: [before.deliveryNote, before.notes].every(
        (words, at) => words === ([cleared(deliveryNote), cleared(notes)][at] ?? words),
      ),
    }
    if (isSame.lines && isSame.location && isSame.words) return before
    // null is the default location of the order
    const locationId = isSame.location ? null : requireLocation(order, locationGid !== null)
    if (counts && !isSame.lines) {
      await tx.query(sql.typeAlias('void')`
        delete from receipt_line where shop_id = ${shopId} and receipt_id = ${key.receiptId}
      `)
      await storeCounts(tx, shopId, key.receiptId, counts)
    }
    await tx.query(sql.typeAlias('void')`
      update receipt
      set location_id = coalesce(${locationId}, location_id),
        delivery_note = coalesce(${cleared(deliveryNote)}, delivery_note),
        notes = coalesce(${cleared(notes)}, notes),
        version = version + 1
      where shop_id = ${shopId} and id = ${key.receiptId} and state = 'draft'
    `)
    return getOrderReceipt(tx, shopId, key)
  })
}

/** Deletes a draft. Throws not_found, conflict for a posted receipt, stale_version when `version` is not the current one. */
export function deleteDraft(
  db: Db,
  shopId: number,
  key: ReceiptKey,
  { version }: ReceiptDraftDeletion,
): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await lockOrderToReceive(tx, shopId, key.id, { locationGid: null, lock: 'share' })
    const receipt = await lockReceipt(tx, shopId, key)
    if (receipt.state === 'posted') throw conflict('This receipt was posted. Undo it instead.')
    requireVersion(receipt, version, 'delete it')
    await tx.query(sql.typeAlias('void')`
      delete from receipt_line where shop_id = ${shopId} and receipt_id = ${key.receiptId}
    `)
    await tx.query(sql.typeAlias('void')`
      delete from receipt where shop_id = ${shopId} and id = ${key.receiptId} and state = 'draft'
    `)
    return { message: 'Draft deleted.' }
  })
}

const LockedReceipt = Type.Object({ id: Id, state: ReceiptState, version: Type.Integer() })

/** Locks a receipt after its order. Throws not_found. */
export async function lockReceipt(tx: Db, shopId: number, { id, receiptId }: ReceiptKey) {
  const receipt = await tx.maybeOne(sql.type(row(LockedReceipt))`
    select id, state, version from receipt
    where shop_id = ${shopId} and id = ${receiptId} and purchase_order_id = ${id}
    for update
  `)
  if (!receipt) throw notFound('Receipt')
  return receipt
}

async function lockDraft(tx: Db, shopId: number, key: ReceiptKey) {
  const receipt = await lockReceipt(tx, shopId, key)
  if (receipt.state === 'draft') return receipt
  throw conflict('This receipt was posted, so it cannot be changed. Undo it if it was wrong.')
}

/** Throws stale_version. */
export function requireVersion(
  receipt: { version: number },
  version: number | undefined,
  verb: 'save' | 'delete it' = 'save',
): void {
  if (version === undefined || version === receipt.version) return
  throw conflict(`This receipt has changed in the meantime. Reload it before you ${verb}.`, 'stale_version')
}

async function requireLinesOf(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  lines: NonNullable<ReceiptDraftInput['lines']>,
): Promise<readonly Count[]> {
  const counts = draftCounts(lines)
  requireDistinct(counts)
  const known = await tx.anyFirst(sql.typeAlias('id')`
    select id from purchase_order_line where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
  `)
  requireKnown(counts, new Set(known))
  return counts
}

type StoredCount = Omit<Count, 'path'>

/** The lines that a draft stores, as they are compared: counted ones, and those with a corrected cost. */
const countsOf = (counts: readonly StoredCount[]) =>
  counts
    .filter(({ accepted, rejected, unitCost }) => accepted > 0 || rejected > 0 || unitCost !== null)
    .map((count) => [
      count.lineItemId,
      count.accepted,
      count.rejected,
      count.rejectReason,
      count.rejectOutcome,
      count.unitCost,
    ])
    .toSorted(([a], [b]) => Number(a) - Number(b))

/** Posting decides which lines move stock. */
async function storeCounts(
  tx: Db,
  shopId: number,
  receiptId: number,
  counts: readonly Count[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into receipt_line (
      shop_id, receipt_id, purchase_order_line_id, quantity, rejected, reject_reason, reject_outcome, unit_cost, is_stocked
    )
    select ${shopId}, ${receiptId}, line.*, false
    from ${sql.unnest(countsOf(counts), ['int8', 'int4', 'int4', 'text', 'text', 'numeric'])} as line
  `)
}

/** A receipt with every line of its order. Throws not_found. */
export async function getOrderReceipt(
  db: Db,
  shopId: number,
  { id, receiptId }: ReceiptKey,
): Promise<OrderReceipt> {
  const receipt = await db.maybeOne(sql.type(row(OrderReceipt))`
    select r.id, r.purchase_order_id, r.state, w.gid as location_id, w.name as location_name, ${receiptColumns('r')},
      coalesce(o.currency, ${currencyOf(shopId)}) as currency,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'lineItemId', l.id, 'variantId', v.gid, 'sku', l.sku, 'title', l.title, 'ordered', l.quantity,
          'outstanding', case o.status
            when 'cancelled' then 0
            else greatest(l.quantity - l.accepted - l.cancelled, 0)
          end,
          'costPrice', ${knownCost('l')}, 'accepted', coalesce(x.quantity, 0), 'rejected', coalesce(x.rejected, 0),
          'rejectReason', coalesce(x.reject_reason, ''), 'rejectOutcome', x.reject_outcome, 'unitCost', x.unit_cost
        ) order by l.position), '[]')
        from purchase_order_line l
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        left join receipt_line x on x.shop_id = ${shopId} and x.receipt_id = r.id and x.purchase_order_line_id = l.id
        where l.shop_id = ${shopId} and l.purchase_order_id = o.id
      ) as lines
    from receipt r
    join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
    join location w on w.shop_id = ${shopId} and w.id = r.location_id
    where r.shop_id = ${shopId} and r.id = ${receiptId} and r.purchase_order_id = ${id}
  `)
  if (!receipt) throw notFound('Receipt')
  return receipt
}
