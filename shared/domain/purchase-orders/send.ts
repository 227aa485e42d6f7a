import { type Db, row, sql } from '../../db/db.ts'
import { type SendPurchaseOrder, SentPurchaseOrder } from '../../schemas/purchase-orders.ts'
import { draftSku, draftTitle } from './lines.ts'
import { queueMail } from './mail.ts'
import { notMailed } from './prepare-mail.ts'
import { transitionRefused } from './purchase-orders.ts'

/**
 * Sends a draft to its supplier: stores the words of its lines, sets status and `sentAt`, and enqueues the e-mail, in
 * one transaction. With `resend`, an order that was sent before is e-mailed again; its status and `sentAt` do not change. The
 * other fields replace the recipients and words that `prepareMail` chooses. Throws not_found, conflict.
 */
export function sendPurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { resend = false, ...mail }: NonNullable<SendPurchaseOrder> = {},
): Promise<SentPurchaseOrder> {
  return db.transaction(async (tx) => {
    const sent = await sendDraft(tx, shopId, id)
    if (sent) await storeWords(tx, shopId, id)
    const order = sent ?? (resend ? await touchSent(tx, shopId, id) : null)
    if (!order) {
      throw await transitionRefused(tx, shopId, id, {
        ...notMailed,
        draft: 'An order needs at least one line before it is sent.',
        sent: 'This order was already sent. Resend it to e-mail it again.',
        partial: 'This order was already sent. Resend it to e-mail it again.',
      })
    }
    await queueMail(tx, shopId, id, actor, mail)
    return order
  })
}

/** Stores the words that the draft shows, so that the sent order keeps them. */
async function storeWords(tx: Db, shopId: number, id: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order_line l
    set sku = ${draftSku}, title = ${draftTitle}, barcode = v.barcode
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and v.shop_id = ${shopId} and v.id = l.variant_id
  `)
}

function sendDraft(tx: Db, shopId: number, id: number): Promise<SentPurchaseOrder | null> {
  return tx.maybeOne(sql.type(row(SentPurchaseOrder))`
    update purchase_order
    set status = 'sent', sent_at = now(), updated_at = now(), version = version + 1
    where shop_id = ${shopId} and id = ${id} and status = 'draft' and line_item_count > 0
    returning id, status, sent_at
  `)
}

/** Locks the order, so that two concurrent resends create one mail. */
function touchSent(tx: Db, shopId: number, id: number): Promise<SentPurchaseOrder | null> {
  return tx.maybeOne(sql.type(row(SentPurchaseOrder))`
    update purchase_order
    set updated_at = now()
    where shop_id = ${shopId} and id = ${id} and status in ('sent', 'partial')
    returning id, status, sent_at
  `)
}
