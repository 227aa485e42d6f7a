import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type Fault, notFound, unprocessable } from '../../../errors.ts'
import { type SendPurchaseOrder, SentPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import { draftSku, draftTitle } from './lines/lines.ts'
import { queueMail } from './mail/mail.ts'
import { notMailed } from './mail/prepare-mail.ts'
import { transitionRefused } from './purchase-orders.ts'
import { requireVersion } from './version.ts'

/**
 * Sends a draft to its supplier: stores the words of its lines, sets status and `sentAt`, and enqueues the e-mail, in
 * one transaction. With `resend`, an order that was sent before is e-mailed again; its status and `sentAt` do not change. The
 * other fields replace the recipients and words that `prepareMail` chooses. Throws not_found, stale_version when `version` is
 * not the current one, conflict, incomplete_lines when a line has no quantity, and unknown_cost when one has no cost, unless
 * `allowUnknownCosts`.
 */
export function sendPurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { resend = false, allowUnknownCosts = false, version, ...mail }: NonNullable<SendPurchaseOrder> = {},
): Promise<SentPurchaseOrder> {
  return db.transaction(async (tx) => {
    if (version !== undefined) requireVersion(await lockVersion(tx, shopId, id), { version })
    const sent = await sendDraft(tx, shopId, id, allowUnknownCosts)
    if (sent) await storeWords(tx, shopId, id)
    const order = sent ?? (resend ? await touchSent(tx, shopId, id) : null)
    if (!order) {
      await refuseIncomplete(tx, shopId, id)
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

const Locked = Type.Object({ version: Type.Integer() })

/** Locks the order, so that it is sent as this version. Throws not_found. */
async function lockVersion(tx: Db, shopId: number, id: number): Promise<{ version: number }> {
  const locked = await tx.maybeOne(sql.type(row(Locked))`
    select version from purchase_order where shop_id = ${shopId} and id = ${id} for update
  `)
  if (!locked) throw notFound('Purchase order')
  return locked
}

const IncompleteLine = Type.Object({ position: Type.Integer(), hasQuantity: Type.Boolean() })

/** Throws with every line that keeps a draft from being sent: without a quantity, else without a cost. */
async function refuseIncomplete(tx: Db, shopId: number, id: number): Promise<void> {
  const lines = await tx.any(sql.type(row(IncompleteLine))`
    select l.position, l.quantity > 0 as has_quantity
    from purchase_order o
    join purchase_order_line l on l.shop_id = ${shopId} and l.purchase_order_id = o.id
    where o.shop_id = ${shopId} and o.id = ${id} and o.status = 'draft' and (l.quantity = 0 or not l.is_cost_known)
    order by l.position
  `)
  const faultsAt = (field: string, faulty: typeof lines): Fault[] =>
    faulty.map(({ position }) => ({
      path: `/lineItems/${position}/${field}`,
      message: 'is needed to send the order',
    }))
  const empty = lines.filter(({ hasQuantity }) => !hasQuantity)
  if (empty.length > 0) {
    const message = 'Some lines have no quantity. Enter their quantities before you send the order.'
    throw unprocessable('incomplete_lines', message, faultsAt('quantity', empty))
  }
  if (lines.length > 0) {
    const message = 'Some lines have no cost. Enter their costs, or send the order with prices to be agreed.'
    throw unprocessable('unknown_cost', message, faultsAt('costPrice', lines))
  }
}

/** Stores the words that the draft shows, so that the sent order keeps them. */
async function storeWords(tx: Db, shopId: number, id: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order_line l
    set sku = ${draftSku({ line: 'l', variant: 'v' })}, title = ${draftTitle({ line: 'l', variant: 'v', product: 'p' })}, barcode = v.barcode
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and v.shop_id = ${shopId} and v.id = l.variant_id
      and (l.sku, l.title, l.barcode) is distinct from (${draftSku({ line: 'l', variant: 'v' })}, ${draftTitle({ line: 'l', variant: 'v', product: 'p' })}, v.barcode)
  `)
}

function sendDraft(
  tx: Db,
  shopId: number,
  id: number,
  allowUnknownCosts: boolean,
): Promise<SentPurchaseOrder | null> {
  const at = sql.fragment`${new Date().toISOString()}::timestamptz`
  return tx.maybeOne(sql.type(row(SentPurchaseOrder))`
    update purchase_order
    set status = 'sent', sent_at = ${at}, updated_at = ${at}, version = version + 1,
      due_at = coalesce(expected_at, ${at} + make_interval(days => (
        select s.lead_time_days from supplier s where s.shop_id = ${shopId} and s.id = purchase_order.supplier_id
      )))
    where shop_id = ${shopId} and id = ${id} and status = 'draft' and line_item_count > 0 and not exists (
      select
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = ${id}
        and (l.quantity = 0 or (not l.is_cost_known and not ${allowUnknownCosts}))
    )
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
