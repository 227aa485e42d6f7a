import type { OutgoingMail } from '../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { replyAddressOf } from '../../shared/domain/documents/purchase-orders/mail/prepare-mail.ts'
import { type Html, html } from '../../shared/html.ts'
import { orderCsv } from '../../shared/mail/order-csv.ts'
import { writeMail } from '../../shared/mail/order-words.ts'
import type { PurchaseOrderDocument } from '../../shared/schemas/order-document.ts'
import type { Attachment, Email } from './mailer.ts'

/** The mail of an order with its attachments, the same in every attempt. */
export function orderMail(order: PurchaseOrderDocument, mail: OutgoingMail, pdf: Buffer): Email {
  const { kind, recipients, cc, reference, attachCsv } = mail
  // a mail that the previous release has queued has no words yet
  const words = writeMail(order, kind, {})
  const subject = mail.subject ?? words.subject
  const text = mail.body ?? words.body
  const attachments: Attachment[] = [{ name: `${order.poNumber}.pdf`, type: 'application/pdf', content: pdf }]
  if (attachCsv) {
    attachments.push({
      name: `${order.poNumber}.csv`,
      type: 'text/csv',
      content: Buffer.from(orderCsv(order)),
    })
  }
  return {
    ...{ to: recipients, cc, replyTo: replyAddressOf(order), reference, subject, text, attachments },
    shopName: order.shop.name,
    html: toHtml(text, order.language ?? 'en').html,
  }
}

/** Every paragraph chooses its direction, so that a note in a right-to-left language is readable in an English mail. */
const toHtml = (text: string, language: string): Html => html`<!doctype html>
<html lang="${language}"><body style="font-family: sans-serif; font-size: 15px; line-height: 1.5; color: #1f2933">
${text
  .replace(/\r\n?/g, '\n')
  .split(/\n{2,}/)
  .map((paragraph) => html`<p dir="auto" style="white-space: pre-wrap">${paragraph}</p>\n`)}</body></html>`
