import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { ReceivedPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import type { PostedReceipt, PostReceipt } from '../../../schemas/receipts.ts'
import { type Count, type CountSheet, type LineToReceive, requireLines } from './counts.ts'
import { getOrderReceipt, lockReceipt, type ReceiptKey, requireVersion } from './drafts.ts'
import { lockOrderToReceive, requireLocation, requireSent } from './locked-order.ts'
import { postReceipt, receiveLines } from './post.ts'

/**
 * Posts a draft: its accepted pieces go into stock (`post.ts`). A second call changes nothing and returns `alreadyApplied`.
 * Throws not_found, stale_version, nothing_counted, conflict when the order's state does not allow it or the receipt was
 * reversed, unknown_location, and the errors of `requireLines`; the faults of a line name what is still outstanding.
 */
export function postDraft(
  db: Db,
  shopId: number,
  key: ReceiptKey,
  actor: string,
  { version, allowOverReceipt }: PostReceipt,
): Promise<PostedReceipt> {
  return db.transaction(async (tx) => {
    const { id: purchaseOrderId, receiptId } = key
    const order = await lockOrderToReceive(tx, shopId, purchaseOrderId, { locationGid: null, lock: 'update' })
    const locked = await lockReceipt(tx, shopId, key)
    const receipt = await getOrderReceipt(tx, shopId, key)
    if (receipt.reversedAt !== null) {
      throw conflict('This receipt was posted and reversed. Create a new one instead.')
    }
    if (receipt.postedAt !== null) {
      const { status } = order
      return { id: receiptId, state: 'posted', status, receivedAt: receipt.postedAt, alreadyApplied: true }
    }
    requireVersion(locked, version)
    const sheet = sheetOf(receipt.lines)
    if (sheet.counts.length === 0)
      throw unprocessable('nothing_counted', 'Nothing was counted. Enter what was accepted or rejected.')
    requireSent(
      order,
      sheet.counts.map(({ path, lineItemId }) => ({
        ...{ path: `${path}/accepted`, message: 'is more than the 0 still expected' },
        ...{ lineItemId, outstanding: 0 },
      })),
    )
    const place = await readPlace(tx, shopId, receiptId)
    const locationId = requireLocation(place, true)
    const lines = await requireLines(tx, shopId, purchaseOrderId, sheet, { allowOverReceipt })
    const { status, receivedAt } = await writePosted(tx, shopId, key, { actor, sheet, lines })
    await postReceipt(tx, shopId, { id: receiptId, purchaseOrderId, locationId, sheet, lines }, actor)
    return { id: receiptId, state: 'posted', status, receivedAt, alreadyApplied: false }
  })
}

type Posting = { actor: string; sheet: CountSheet; lines: ReadonlyMap<number, LineToReceive> }

/** The lines of the order take the pieces, the order gets its status, and the draft becomes a posted receipt. */
async function writePosted(
  tx: Db,
  shopId: number,
  { id: purchaseOrderId, receiptId }: ReceiptKey,
  { actor, sheet, lines }: Posting,
): Promise<ReceivedPurchaseOrder> {
  const stocked = [...lines.values()].flatMap(({ id, isStocked }) => (isStocked ? [id] : []))
  const { id: postingNo } = await tx.one(sql.typeAlias('id')`
    select nextval(pg_get_serial_sequence('receipt', 'id')) as id
  `)
  return tx.one(sql.type(row(ReceivedPurchaseOrder))`
    with received as materialized (
      select id, status, received_at from ${receiveLines(shopId, purchaseOrderId, sheet)}
    ),
    written as (
      update receipt r
      set state = 'posted', posted_at = now(), posted_by = ${actor}, status_after = received.status,
        posting_no = ${postingNo}, version = r.version + 1
      from received
      where r.shop_id = ${shopId} and r.id = ${receiptId} and r.state = 'draft'
      returning r.id
    ),
    -- a line with only a cost was not counted
    uncounted as (
      delete from receipt_line
      where shop_id = ${shopId} and receipt_id = ${receiptId} and quantity = 0 and rejected = 0
    ),
    stocked as (
      update receipt_line
      set is_stocked = true
      where shop_id = ${shopId} and receipt_id = ${receiptId}
        and purchase_order_line_id = any(${sql.array(stocked, 'int8')})
    )
    select received.id, received.status, received.received_at from received, written
  `)
}

/** The counted lines; the path of each is its place among the lines that the draft shows. */
function sheetOf(lines: readonly Omit<Count, 'path'>[]): CountSheet {
  const counts = lines.map((line, index) => ({ ...line, path: `/lines/${index}` }))
  return {
    field: 'accepted',
    namesLines: true,
    counts: counts.filter(({ accepted, rejected }) => accepted > 0 || rejected > 0),
  }
}

const Place = Type.Object({ locationId: Nullable(Id), isInUse: Type.Boolean() })

const readPlace = (tx: Db, shopId: number, receiptId: number) =>
  tx.one(sql.type(row(Place))`
    select w.id as location_id, w.is_active as is_in_use
    from receipt r
    join location w on w.shop_id = ${shopId} and w.id = r.location_id
    where r.shop_id = ${shopId} and r.id = ${receiptId}
  `)
