import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { conflict, notFound } from '../../../../errors.ts'
import { Nullable } from '../../../../schemas/common.ts'
import { PurchaseOrderDocument } from '../../../../schemas/order-document.ts'
import { MailedWords } from '../../../../schemas/purchase-orders.ts'
import { isoInstant } from '../../../kit/date-range.ts'
import { getOrderDocument } from './document.ts'
import type { OutgoingMail } from './mail.ts'

/*
 * The snapshot of a mail: `content` is the order document of the moment when the merchant sent it, and `pdf_sha256` is
 * that of the attachment in the last request to the mail service. The service accepts at most one of the requests, and
 * that is the last one, so the two say what the supplier got.
 */

/** More mails of one order are not listed. */
const maxListed = 50

const recipients = sql.fragment`coalesce(m.recipients, array_remove(array[m.recipient], ''))`
const status = sql.fragment`case when m.state = 'sending' then 'queued' else m.state end`

/** The mails of the order with this alias as a JSON array, newest first. */
export function mailsOf(shopId: number, order: string) {
  return sql.fragment`(
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'kind', m.kind, 'recipients', ${recipients}, 'cc', m.cc, 'subject', m.subject, 'hasCsv', m.attach_csv,
      'status', ${status},
      'sentAt', case
        when m.state = 'sent' then ${isoInstant(sql.fragment`m.requested_at`)}
      end,
      'createdAt', ${isoInstant(sql.fragment`m.created_at`)}, 'createdBy', m.created_by, 'pdfSha256', m.pdf_sha256
    ) order by m.send_no desc), '[]')
    from (
      select id, send_no, kind, recipient, recipients, cc, subject, attach_csv, state, requested_at, pdf_sha256, created_at,
        created_by
      from outgoing_mail
      where shop_id = ${shopId} and purchase_order_id = ${sql.identifier([order, 'id'])}
      order by send_no desc
      limit ${maxListed}
    ) m
  )`
}

const Content = Type.Object({ content: Nullable(PurchaseOrderDocument) })

/**
 * The order document of a mail, the same in every attempt. A mail that the previous release queued has no snapshot: its first
 * attempt stores one, with its logo.
 */
export async function readSnapshot(
  db: Db,
  shopId: number,
  { id, purchaseOrderId }: Pick<OutgoingMail, 'id' | 'purchaseOrderId'>,
): Promise<PurchaseOrderDocument> {
  const mail = await db.one(sql.type(row(Content))`
    select content from outgoing_mail where shop_id = ${shopId} and id = ${id}
  `)
  if (mail.content) return mail.content
  const order = await getOrderDocument(db, shopId, purchaseOrderId)
  const { content } = await db.one(sql.type(row(Content))`
    update outgoing_mail
    set content = coalesce(content, ${JSON.stringify(order)}::jsonb),
      logo_id = case
        when content is not null then logo_id
        else (
          select id from shop_logo where shop_id = ${shopId} and id = ${order.shop.logoId ?? null}::bigint for key share
        )
      end
    where shop_id = ${shopId} and id = ${id}
    returning content
  `)
  return content ?? order
}

/** A mail of an order with its words. Throws not_found. */
export async function getMail(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  mailId: number,
): Promise<MailedWords> {
  const mail = await db.maybeOne(sql.type(row(MailedWords))`
    select m.id, m.kind, ${recipients} as recipients, m.cc, m.subject, m.body, m.attach_csv as has_csv, ${status} as status,
      case m.state when 'sent' then m.requested_at end as sent_at, m.created_at, m.created_by, m.pdf_sha256
    from outgoing_mail m
    where m.shop_id = ${shopId} and m.purchase_order_id = ${purchaseOrderId} and m.id = ${mailId}
  `)
  if (!mail) throw notFound('E-mail')
  return mail
}

const MailedOrder = Type.Object({
  ...Content.properties,
  state: Type.String(),
  isRendered: Type.Boolean(),
})
type MailedOrder = Static<typeof MailedOrder>

/** The order as a mail of it said. Throws not_found, and no_snapshot when the mail had no PDF or it was not kept. */
export async function getMailedOrder(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  mailId: number,
): Promise<PurchaseOrderDocument> {
  const mail = await db.maybeOne(sql.type(row(MailedOrder))`
    select content, state, pdf_sha256 is not null as is_rendered
    from outgoing_mail
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and id = ${mailId}
  `)
  if (!mail) throw notFound('E-mail')
  // content alone is no proof: during a deployment the previous release may have mailed another document
  if (mail.content && mail.isRendered) return mail.content
  throw conflict(whyNoPdf(mail), 'no_snapshot')
}

function whyNoPdf({ state }: MailedOrder): string {
  if (state === 'no_recipient')
    return 'The order was not e-mailed, because there was no address. Open the PDF of the order instead.'
  if (state === 'queued') return 'This e-mail has not been sent yet. Open its PDF when it has been.'
  return 'The PDF of this e-mail was not kept. Open the PDF of the order instead.'
}
