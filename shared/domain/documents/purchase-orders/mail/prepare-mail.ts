import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Db, row, sql } from '../../../../db/db.ts'
import { conflict, notFound } from '../../../../errors.ts'
import { orderCsv } from '../../../../mail/order-csv.ts'
import { writeMail } from '../../../../mail/order-words.ts'
import { senderOf } from '../../../../mail/sender.ts'
import { oneLine } from '../../../../one-line.ts'
import { Email, Nullable } from '../../../../schemas/common.ts'
import { MailKind, MailTemplateText } from '../../../../schemas/mail-templates.ts'
import type { PurchaseOrderDocument } from '../../../../schemas/order-document.ts'
import {
  PurchaseOrderStatus,
  RevisionChange,
  type SendPreview,
  type SendPreviewQuery,
  type SendPurchaseOrder,
} from '../../../../schemas/purchase-orders.ts'
import { getOrderDocument } from './document.ts'

export type MailOptions = Omit<NonNullable<SendPurchaseOrder>, 'resend' | 'version'> & { kind?: MailKind }

export type PreparedMail = {
  order: PurchaseOrderDocument
  version: number
  kind: MailKind
  to: string[]
  cc: string[]
  /** The merchant has typed the addresses, for this mail or an earlier one. */
  isOwnTo: boolean
  isOwnCc: boolean
  subject: string
  body: string
  attachCsv: boolean
}

/** Why an order that has ended is not e-mailed. */
export const notMailed = {
  received: 'This order was received, so it cannot be sent again. Duplicate it instead.',
  cancelled: 'This order is cancelled, so it cannot be sent. Duplicate it instead.',
}

/** A request may name as many. An order with that many of its own has no copy for the shop. */
const maxCopies = 10

const Defaults = Type.Object({
  status: PurchaseOrderStatus,
  version: Type.Integer(),
  recipient: Type.String(),
  cc: Type.Array(Type.String()),
  copyTo: Type.String(),
  lastKind: Nullable(MailKind),
  ownTo: Nullable(Type.Array(Type.String())),
  ownCc: Nullable(Type.Array(Type.String())),
  hadCsv: Type.Boolean(),
  changes: Type.Array(RevisionChange),
  templates: Type.Partial(Type.Object({ purchase_order: MailTemplateText, revision: MailTemplateText })),
})

/**
 * The content and the addresses of a mail of the order, as it is now. Values that `options` do not give are chosen as follows:
 * - `to`: those that the merchant has typed for the newest mail with recipients, else the supplier's address, else that of the
 *   first contact with one, else none
 * - `cc`: those that the merchant has typed for that mail, else those of the order, and the address of the settings that gets
 *   a copy of each mail
 * - `attachCsv`: as in that mail
 * - `kind`: that of the newest mail, so that a resend repeats it; `purchase_order` for the first mail
 * - subject and text: the shop's template, else the standard text in the supplier's language
 * Throws not_found.
 */
export async function prepareMail(
  db: Db,
  shopId: number,
  id: number,
  options: MailOptions = {},
): Promise<PreparedMail> {
  // before the document, so that the version is never newer than the words
  const defaults = await readDefaults(db, shopId, id)
  const order = asSent(await getOrderDocument(db, shopId, id))
  const kind = options.kind ?? defaults.lastKind ?? 'purchase_order'
  const words = writeMail(order, kind, { template: defaults.templates[kind], changes: defaults.changes })
  const ownTo = options.to ?? defaults.ownTo
  const ownCc = options.cc ?? defaults.ownCc
  const to = distinct(ownTo ?? (defaults.recipient ? [defaults.recipient] : []))
  return {
    order,
    version: defaults.version,
    kind,
    to,
    cc: distinct(ownCc ?? withCopy(defaults), to).slice(0, maxCopies),
    isOwnTo: ownTo !== null,
    isOwnCc: ownCc !== null,
    subject: oneLine(options.subject ?? '') || words.subject,
    body: options.body || words.body,
    attachCsv: options.attachCsv ?? defaults.hadCsv,
  }
}

/** Names and sizes of the attachments are those of the mail that would be sent now. Throws not_found, conflict. */
export async function previewMail(
  db: Db,
  shopId: number,
  id: number,
  { attachCsv: withCsv, attachments: withAttachments = true }: SendPreviewQuery,
  { from, render }: { from: string; render: Render },
): Promise<SendPreview> {
  const { order, ...mail } = await prepareMail(
    db,
    shopId,
    id,
    withCsv === undefined ? {} : { attachCsv: withCsv },
  )
  if (order.status === 'received' || order.status === 'cancelled') throw conflict(notMailed[order.status])
  const { version, kind, to, cc, subject, body, attachCsv } = mail
  return {
    version,
    kind,
    from: from && senderOf(from, order.shop.name),
    to,
    cc,
    replyTo: replyAddressOf(order),
    subject,
    body,
    attachCsv,
    attachments: withAttachments ? await attachmentsOf(order, attachCsv, render) : [],
  }
}

type Render = (order: PurchaseOrderDocument) => Promise<Buffer>

async function attachmentsOf(
  order: PurchaseOrderDocument,
  attachCsv: boolean,
  render: Render,
): Promise<SendPreview['attachments']> {
  const pdf = { name: `${order.poNumber}.pdf`, size: (await render(order)).byteLength }
  if (!attachCsv) return [pdf]
  return [pdf, { name: `${order.poNumber}.csv`, size: Buffer.byteLength(orderCsv(order)) }]
}

/** The shop's address; the platform may report any text as such, and an invalid one would fail the mail. */
export const replyAddressOf = ({ shop: { email } }: PurchaseOrderDocument): string =>
  Value.Check(Email, email) ? email : ''

/** A draft as it is once it is sent: without the mark, and with today's date. */
const asSent = (order: PurchaseOrderDocument): PurchaseOrderDocument =>
  order.status === 'draft' ? { ...order, status: 'sent', orderedAt: order.asOf } : order

const withCopy = ({ cc, copyTo }: Static<typeof Defaults>): string[] => (copyTo ? [...cc, copyTo] : cc)

async function readDefaults(db: Db, shopId: number, id: number): Promise<Static<typeof Defaults>> {
  const defaults = await db.maybeOne(sql.type(row(Defaults))`
    select o.status, o.version, o.cc,
      coalesce((select mail_copy_to from shop_setting where shop_id = ${shopId}), '') as copy_to,
      coalesce(nullif(s.email, ''), (
        select c.email from supplier_contact c
        where c.shop_id = ${shopId} and c.supplier_id = s.id and c.email <> ''
        order by c.id
        limit 1
      ), '') as recipient,
      (
        select m.kind from outgoing_mail m
        where m.shop_id = ${shopId} and m.purchase_order_id = o.id
        order by m.send_no desc
        limit 1
      ) as last_kind,
      earlier.own_to, earlier.own_cc, coalesce(earlier.attach_csv, false) as had_csv,
      coalesce((
        select r.changes from purchase_order_revision r
        where r.shop_id = ${shopId} and r.purchase_order_id = o.id and r.revision = o.revision
      ), '[]') as changes,
      coalesce((
        select jsonb_object_agg(t.kind, jsonb_build_object('subject', t.subject, 'body', t.body))
        from mail_template t
        where t.shop_id = ${shopId}
      ), '{}') as templates
    from purchase_order o
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    left join lateral (
      select case when coalesce(m.is_own_to, true) then coalesce(m.recipients, array[m.recipient]) end as own_to,
        case when coalesce(m.is_own_cc, true) then m.cc end as own_cc, m.attach_csv
      from outgoing_mail m
      where m.shop_id = ${shopId} and m.purchase_order_id = o.id and m.recipient <> ''
      order by m.send_no desc
      limit 1
    ) earlier on true
    where o.shop_id = ${shopId} and o.id = ${id}
  `)
  if (!defaults) throw notFound('Purchase order')
  return defaults
}

/** Each address once, in any spelling, and without those of `others`. */
function distinct(addresses: readonly string[], others: readonly string[] = []): string[] {
  const seen = new Set(others.map((address) => address.toLowerCase()))
  return addresses.filter((address) => {
    const key = address.toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}
