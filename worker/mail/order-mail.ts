import { Value } from '@sinclair/typebox/value'
import { createFormats } from '../../shared/format.ts'
import { html } from '../../shared/html.ts'
import { oneLine } from '../../shared/pdf/text.ts'
import { Email as EmailAddress } from '../../shared/schemas/common.ts'
import type { PurchaseOrderDocument } from '../../shared/schemas/order-document.ts'
import type { Email } from './mailer.ts'

export function orderMail(
  order: PurchaseOrderDocument,
): Pick<Email, 'subject' | 'text' | 'html' | 'replyTo'> {
  const { date, money } = createFormats(order.locale, order.currency, order.timeZone)
  const shop = oneLine(order.shop.name)
  const greeting = `Dear ${oneLine(order.supplier.contactName || order.supplier.name)},`
  const sentence = `Please find attached our purchase order ${order.poNumber} of ${date(order.orderedAt)}.`
  const facts = [
    `Lines: ${order.lines.length}`,
    `Total: ${money(order.total)}`,
    ...(order.expectedAt ? [`Expected by: ${date(order.expectedAt)}`] : []),
  ]
  const { supplierNotes } = order
  const sender = [shop, order.shop.address, order.shop.phone, order.shop.email].filter(Boolean).join('\n')
  return {
    // the address comes from the platform: an invalid one is left out rather than failing the mail
    replyTo: Value.Check(EmailAddress, order.shop.email) ? order.shop.email : '',
    subject: `Purchase order ${order.poNumber} from ${shop}`,
    text: [greeting, sentence, facts.join('\n'), supplierNotes, 'Kind regards', sender]
      .filter(Boolean)
      .join('\n\n'),
    html: html`<!doctype html>
<html lang="en"><body style="font-family: sans-serif; font-size: 15px; line-height: 1.5; color: #1f2933">
<p dir="auto">${greeting}</p>
<p dir="auto">${sentence}</p>
<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
${supplierNotes ? html`<p dir="auto" style="white-space: pre-wrap">${supplierNotes}</p>` : undefined}
<p>Kind regards</p>
<p dir="auto" style="white-space: pre-wrap">${sender}</p>
</body></html>`.html,
  }
}
