import { type Static, Type } from '@sinclair/typebox'
import {
  Amount,
  choices,
  EmailList,
  Gid,
  Id,
  LongText,
  Money,
  Nullable,
  pageFields,
  Quantity,
  Strict,
  Text,
  Timestamp,
} from './common.ts'
import { MailKind } from './mail-templates.ts'

export const PurchaseOrderStatus = choices('draft', 'sent', 'partial', 'received', 'cancelled')
export type PurchaseOrderStatus = Static<typeof PurchaseOrderStatus>

/** The state of the order's newest e-mail; `none` before the first one. */
export const EmailStatus = choices('none', 'no_recipient', 'queued', 'sent', 'failed', 'unknown')
export type EmailStatus = Static<typeof EmailStatus>

const lineFields = {
  productId: Gid('Product'),
  variantId: Gid('ProductVariant'),
  sku: Text(255),
  title: Text(500, 1),
  quantity: Quantity,
  costPrice: Money(4),
}

/** Without `sku` and `title`, and with those of the catalogue, a draft shows the current ones until it is sent. */
const PurchaseOrderLineInput = Strict({
  ...lineFields,
  sku: Type.Optional(lineFields.sku),
  title: Type.Optional(lineFields.title),
})

/** A line of an update. It matches a line of the order by `id`, else by `sku`, and keeps that line's other fields. */
export const PurchaseOrderLinePatch = Type.Partial(Strict({ id: Id, ...lineFields }))
export type PurchaseOrderLinePatch = Static<typeof PurchaseOrderLinePatch>

const lineRule = 'must be a list of at most 500 lines'

const orderFields = {
  supplierId: Id,
  notes: Type.Optional(Nullable(LongText(5000))),
  supplierNotes: Type.Optional(Nullable(LongText(5000))),
  expectedAt: Type.Optional(Nullable(Timestamp)),
  destinationLocationId: Type.Optional(Nullable(Gid('Location'))),
  tax: Type.Optional(Nullable(Money(2))),
}

export const PurchaseOrderInput = Strict({
  ...orderFields,
  lineItems: Type.Array(PurchaseOrderLineInput, { maxItems: 500, rule: lineRule }),
})
export type PurchaseOrderInput = Static<typeof PurchaseOrderInput>

/** With `version`, the update fails with `stale_version` when another request has changed the order since. */
export const PurchaseOrderPatch = Type.Partial(
  Strict({
    ...orderFields,
    lineItems: Type.Array(PurchaseOrderLinePatch, { maxItems: 500, rule: lineRule }),
    version: Type.Integer({ minimum: 1, rule: 'must be the version that was read' }),
  }),
)
export type PurchaseOrderPatch = Static<typeof PurchaseOrderPatch>

/**
 * A group of orders:
 * - `open`: drafts and `incoming`
 * - `incoming`: sent or partly received
 * - `due`: incoming, and expected by the end of the shop's day
 * - `overdue`: incoming, and the expected date has passed
 */
export const PurchaseOrderStage = choices('open', 'incoming', 'due', 'overdue')
export type PurchaseOrderStage = Static<typeof PurchaseOrderStage>

export const PurchaseOrderFilter = Strict({
  status: Type.Optional(PurchaseOrderStatus),
  stage: Type.Optional(PurchaseOrderStage),
  supplierId: Type.Optional(Id),
  search: Type.Optional(Text(200)),
  ...pageFields,
})
export type PurchaseOrderFilter = Static<typeof PurchaseOrderFilter>

/** `cancelled`: no piece of the line has arrived, and none is expected. */
const PurchaseOrderLineStatus = choices('open', 'partial', 'received', 'cancelled')

export const PurchaseOrderLineItem = Type.Object({
  id: Id,
  productId: Type.String(),
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  barcode: Type.String({ description: 'Of the product: the current one, or that of the moment of sending' }),
  quantity: Type.Integer(),
  costPrice: Amount,
  receivedQuantity: Type.Integer(),
  cancelledQuantity: Type.Integer(),
  outstandingQuantity: Type.Integer({ description: 'Pieces still expected; never below 0' }),
  status: PurchaseOrderLineStatus,
  lineTotal: Amount,
})
export type PurchaseOrderLineItem = Static<typeof PurchaseOrderLineItem>

const RevisedFigures = Type.Object({ quantity: Type.Integer(), costPrice: Amount })

/** What a revision of a sent order changed in one line: `before` is null for an added line, `after` for a removed one. */
export const RevisionChange = Type.Object({
  lineItemId: Id,
  sku: Type.String(),
  supplierSku: Type.String(),
  title: Type.String(),
  before: Nullable(RevisedFigures),
  after: Nullable(RevisedFigures),
})
export type RevisionChange = Static<typeof RevisionChange>

/** An e-mail of an order to its supplier. */
export const PurchaseOrderMail = Type.Object({
  id: Id,
  kind: MailKind,
  recipients: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  subject: Nullable(Type.String({ description: 'Null in mails of earlier releases' })),
  hasCsv: Type.Boolean({ description: 'The lines are attached as CSV, too' }),
  status: choices('no_recipient', 'queued', 'sent', 'failed', 'unknown'),
  sentAt: Nullable(
    Type.String({ format: 'date-time', description: 'Time of the request that the mail service accepted' }),
  ),
  pdfSha256: Nullable(
    Type.String({
      description: 'SHA-256 of the attached PDF; null while it is not rendered, and when it was not kept',
    }),
  ),
})
export type PurchaseOrderMail = Static<typeof PurchaseOrderMail>

export const PurchaseOrder = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  status: PurchaseOrderStatus,
  notes: Type.String(),
  supplierNotes: Type.String(),
  subtotal: Amount,
  tax: Amount,
  total: Amount,
  lineItems: Type.Array(PurchaseOrderLineItem),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expectedAt: Nullable(Timestamp),
  sentAt: Nullable(Timestamp),
  receivedAt: Nullable(Timestamp),
  destinationLocationId: Nullable(Type.String()),
  destinationLocationName: Nullable(Type.String()),
  emailStatus: EmailStatus,
  emailReason: Type.String({ description: 'A sentence that says why the e-mail was not sent; else empty' }),
  emailRecipient: Type.String({ description: 'Recipient of the newest e-mail; empty when there is none' }),
  mails: Type.Array(PurchaseOrderMail, { description: 'The newest 50, newest first' }),
  version: Type.Integer(),
})
export type PurchaseOrder = Static<typeof PurchaseOrder>

export const PurchaseOrderListItem = Type.Object({
  ...Type.Pick(PurchaseOrder, ['id', 'poNumber', 'supplierId', 'supplierName', 'status']).properties,
  ...Type.Pick(PurchaseOrder, ['subtotal', 'tax', 'total']).properties,
  lineItemCount: Type.Integer(),
  ...Type.Pick(PurchaseOrder, ['createdAt', 'sentAt']).properties,
})
export type PurchaseOrderListItem = Static<typeof PurchaseOrderListItem>

export const CreatedPurchaseOrder = Type.Pick(PurchaseOrder, [
  'id',
  'poNumber',
  'status',
  'supplierId',
  'total',
  'createdAt',
])
export type CreatedPurchaseOrder = Static<typeof CreatedPurchaseOrder>

/**
 * `resend` e-mails an order again that was sent before. The other fields replace what `GET …/send-preview` shows; `null`
 * and an empty text mean "not given". Subject and text are sent as they are, without placeholders.
 */
export const SendPurchaseOrder = Nullable(
  Strict(
    {
      resend: Type.Optional(Type.Boolean()),
      to: Type.Optional(Nullable(EmailList(1, 10))),
      cc: Type.Optional(Nullable(EmailList(0, 10))),
      subject: Type.Optional(Nullable(Text(300))),
      body: Type.Optional(Nullable(LongText(10_000))),
      attachCsv: Type.Optional(Type.Boolean()),
    },
    { rule: 'must be an object' },
  ),
)
export type SendPurchaseOrder = Static<typeof SendPurchaseOrder>

export const SendPreviewQuery = Strict({
  attachCsv: Type.Optional(Type.Boolean({ rule: 'must be true or false' })),
})
export type SendPreviewQuery = Static<typeof SendPreviewQuery>

/** The mail that `POST …/send` would send now. */
export const SendPreview = Type.Object({
  kind: MailKind,
  from: Type.String({
    description: 'The sender of this service; empty when web does not know it (MAIL_FROM)',
  }),
  to: Type.Array(Type.String(), { description: 'Empty: neither the supplier nor a contact has an address' }),
  cc: Type.Array(Type.String()),
  replyTo: Type.String({ description: "The shop's address; empty when it has none" }),
  subject: Type.String(),
  body: Type.String(),
  attachments: Type.Array(Type.Object({ name: Type.String(), size: Type.Integer({ description: 'Bytes' }) })),
})
export type SendPreview = Static<typeof SendPreview>

/** An e-mail of an order with its words. */
export const MailedWords = Type.Object({
  ...PurchaseOrderMail.properties,
  body: Nullable(Type.String({ description: 'Null in mails of earlier releases' })),
})
export type MailedWords = Static<typeof MailedWords>

export const SentPurchaseOrder = Type.Pick(PurchaseOrder, ['id', 'status', 'sentAt'])
export type SentPurchaseOrder = Static<typeof SentPurchaseOrder>

export const CancelledPurchaseOrder = Type.Pick(PurchaseOrder, ['id', 'status'])
export type CancelledPurchaseOrder = Static<typeof CancelledPurchaseOrder>

export const ClosedPurchaseOrder = Type.Pick(PurchaseOrder, ['id', 'status'])
export type ClosedPurchaseOrder = Static<typeof ClosedPurchaseOrder>

export const ReceivedPurchaseOrder = Type.Pick(PurchaseOrder, ['id', 'status', 'receivedAt'])
export type ReceivedPurchaseOrder = Static<typeof ReceivedPurchaseOrder>

export const PurchaseOrderMailParams = Strict({ id: Id, mailId: Id })
