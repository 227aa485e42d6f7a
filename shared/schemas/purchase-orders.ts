import { type Static, Type } from '@sinclair/typebox'
import { Charge } from './charges.ts'
import {
  Amount,
  CalendarDay,
  Currency,
  choices,
  Day,
  EmailList,
  Gid,
  Id,
  idsField,
  ListOf,
  LongText,
  Money,
  Nullable,
  Percent,
  Quantity,
  Rate,
  Strict,
  sortedFields,
  sortsBy,
  Text,
  Timestamp,
  VariantGids,
  Version,
  Whole,
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
  quantity: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    rule: 'must be a whole number from 0 to 1 000 000 000; 0 while it is not known',
  }),
  costPrice: Nullable(Money(4)),
  packs: Nullable(Quantity),
  supplierSku: Text(255),
  packSize: Whole(1, 1_000_000),
  discountPercent: Percent,
  taxRate: Percent,
}

/**
 * Without `sku` and `title`, and with those of the catalogue, a draft shows the current ones until it is sent. Without
 * `quantity` and `packs` the quantity is 0, which is not known yet. `costPrice` null: not known. Other fields that it
 * omits come from the supplier's catalogue, also the cost.
 */
const PurchaseOrderLineInput = Strict({
  ...Type.Partial(Type.Object(lineFields)).properties,
  productId: lineFields.productId,
  variantId: lineFields.variantId,
})

/** A line of an update. It matches a line of the order by `id`, else by `sku`, and keeps that line's other fields. */
export const PurchaseOrderLinePatch = Type.Partial(Strict({ id: Id, ...lineFields }))
export type PurchaseOrderLinePatch = Static<typeof PurchaseOrderLinePatch>

/** A draft or revised order has at most this many; an imported order may have more. */
export const maxOrderLines = 500
const lineRule = `must be a list of at most ${maxOrderLines} lines`

const orderFields = {
  supplierId: Id,
  notes: Type.Optional(Nullable(LongText(5000))),
  supplierNotes: Type.Optional(Nullable(LongText(5000))),
  expectedAt: Type.Optional(Nullable(Timestamp)),
  destinationLocationId: Type.Optional(Nullable(Gid('Location'))),
  tax: Type.Optional(Nullable(Money(3))),
  currency: Type.Optional(Currency),
  rate: Type.Optional(Nullable(Rate)),
  discount: Type.Optional(Nullable(Money(3))),
  reference: Type.Optional(Nullable(Text(200))),
  supplierReference: Type.Optional(Nullable(Text(200))),
  cc: Type.Optional(Nullable(EmailList(0, 10))),
}

export const PurchaseOrderInput = Strict({
  ...orderFields,
  lineItems: Type.Array(PurchaseOrderLineInput, { maxItems: maxOrderLines, rule: lineRule }),
})
export type PurchaseOrderInput = Static<typeof PurchaseOrderInput>

const invoiceFields = {
  invoiceNumber: Type.Optional(Nullable(Text(100))),
  invoiceDate: Type.Optional(Nullable(CalendarDay)),
  paymentDueOn: Type.Optional(Nullable(CalendarDay)),
  paidAt: Type.Optional(Nullable(Timestamp)),
}

/** With `version`, the update fails with `stale_version` when another request has changed the order since. */
export const PurchaseOrderPatch = Type.Partial(
  Strict({
    ...orderFields,
    ...invoiceFields,
    lineItems: Type.Array(PurchaseOrderLinePatch, { maxItems: maxOrderLines, rule: lineRule }),
    version: Version,
  }),
)
export type PurchaseOrderPatch = Static<typeof PurchaseOrderPatch>

/**
 * A group of orders:
 * - `open`: drafts and `incoming`
 * - `incoming`: sent or partly received
 * - `due`: incoming, and expected by the end of the shop's day
 * - `overdue`: incoming, and the expected date has passed
 * - `undelivered`: sent or partly received, and the newest e-mail of the order failed or is not confirmed
 */
export const PurchaseOrderStage = choices('open', 'incoming', 'due', 'overdue', 'undelivered')
export type PurchaseOrderStage = Static<typeof PurchaseOrderStage>

/**
 * The payment of an order, in every status:
 * - `unpaid`: its invoice, or the day on which the payment is due, was entered, and it is not paid
 * - `overdue`: unpaid, and the payment was due before the shop's day
 * - `paid`
 */
export const PurchaseOrderPayment = choices('unpaid', 'overdue', 'paid')
export type PurchaseOrderPayment = Static<typeof PurchaseOrderPayment>

/** A minus sorts in descending order. `total` compares in the shop's currency; `expected` puts orders without a date last. */
export const PurchaseOrderSort = sortsBy('number', 'supplier', 'expected', 'total')
export type PurchaseOrderSort = Static<typeof PurchaseOrderSort>

export const PurchaseOrderFilter = Strict({
  status: Type.Optional(PurchaseOrderStatus),
  stage: Type.Optional(PurchaseOrderStage),
  payment: Type.Optional(PurchaseOrderPayment),
  supplierId: Type.Optional(Id),
  locationId: Type.Optional(Gid('Location')),
  expectedFrom: Type.Optional(CalendarDay),
  expectedTo: Type.Optional(CalendarDay),
  ...idsField('orders'),
  search: Type.Optional(Text(200)),
  ...sortedFields(PurchaseOrderSort),
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
  bin: Type.String({
    description: 'Where it lies at the destination, or at the default location; empty: no bin',
  }),
  supplierSku: Type.String(),
  quantity: Type.Integer({ description: '0 in a draft: not known yet' }),
  packSize: Type.Integer({ description: 'Pieces in a pack; a change in the catalogue does not change it' }),
  packs: Nullable(Type.Integer({ description: 'Null when the quantity is not in whole packs' })),
  roundedUpBy: Type.Integer({
    description: 'Pieces that a suggestion added to fill packs, multiple and minimum; 0 for a typed quantity',
  }),
  minimumQuantity: Nullable(Type.Integer({ description: "Of the supplier's catalogue, as it is now" })),
  quantityMultiple: Type.Integer({ description: "Of the supplier's catalogue, as it is now" }),
  costPrice: Nullable(Type.Number({ description: 'Null while no cost is known' })),
  discountPercent: Type.Number(),
  taxRate: Type.Number({ description: 'Percent' }),
  receivedQuantity: Type.Integer(),
  cancelledQuantity: Type.Integer({ description: 'Without credited pieces' }),
  rejectedQuantity: Type.Integer({ description: 'Of all receipts that are not reversed' }),
  creditedQuantity: Type.Integer({ description: 'Rejected pieces that the supplier credits' }),
  outstandingQuantity: Type.Integer({ description: 'Pieces still expected; never below 0' }),
  status: PurchaseOrderLineStatus,
  lineTotal: Nullable(Type.Number({ description: 'Null while no cost is known' })),
})
export type PurchaseOrderLineItem = Static<typeof PurchaseOrderLineItem>

const RevisedFigures = Type.Object({
  quantity: Type.Integer(),
  costPrice: Nullable(Amount),
  packSize: Type.Optional(Type.Integer()),
  discountPercent: Type.Optional(Type.Number()),
  taxRate: Type.Optional(Type.Number()),
})

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
  createdAt: Type.String({ format: 'date-time' }),
  createdBy: Type.String({ description: 'The user who sent it' }),
  pdfSha256: Nullable(
    Type.String({
      description: 'SHA-256 of the attached PDF; null while it is not rendered, and when it was not kept',
    }),
  ),
})
export type PurchaseOrderMail = Static<typeof PurchaseOrderMail>

/** A quantity that is stored as it was typed, although the supplier's packs, multiple or minimum do not allow it. */
const OrderWarning = Type.Object({
  path: Type.String({ description: 'A JSON pointer, as in /lineItems/0/quantity' }),
  message: Type.String(),
})
export type OrderWarning = Static<typeof OrderWarning>

/** Null in an order when the supplier has none, or has it in another currency. `shortBy` is 0 when it is reached. */
const MinimumValue = Type.Object({
  value: Amount,
  shortBy: Type.Number({ description: 'What is missing in the subtotal minus the discount' }),
})

export const PurchaseOrder = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  status: PurchaseOrderStatus,
  notes: Type.String(),
  supplierNotes: Type.String(),
  currency: Type.String({ description: "ISO 4217; the amounts are in this currency's decimals" }),
  rate: Nullable(
    Type.Number({ description: "1 of the order's currency in the shop's; null when it is not known" }),
  ),
  subtotal: Amount,
  discount: Amount,
  tax: Amount,
  isOwnTax: Type.Boolean({
    description:
      'Whether the tax was typed; else it is that of the lines, lowered in proportion to the discount',
  }),
  total: Amount,
  unknownCosts: Type.Integer({ description: 'Lines without a cost, which the sums leave out' }),
  receivedValue: Type.Number({
    description:
      'What has arrived, at the costs of the receipts, with its part of the discount and the tax; comparable with `total`',
  }),
  closedAt: Nullable(Timestamp),
  closedBy: Type.String({ description: 'The person that closed the order; else empty' }),
  cancelledAt: Nullable(Timestamp),
  cancelledBy: Type.String({ description: 'The person that cancelled the order; else empty' }),
  isClosedShort: Type.Boolean({ description: 'The order is received, and pieces of it were cancelled' }),
  reference: Type.String({ description: "The merchant's own reference" }),
  supplierReference: Type.String(),
  isImported: Type.Boolean({ description: 'The order comes from a file of another system' }),
  sourceNumber: Type.String({ description: "The order's number in that system; else empty" }),
  invoiceNumber: Type.String(),
  invoiceDate: Nullable(Day),
  paymentDueOn: Nullable(Day),
  paidAt: Nullable(Timestamp),
  orderedAt: Nullable(Timestamp),
  cc: Type.Array(Type.String()),
  revision: Type.Integer({ description: 'Changes of the lines since the order was sent' }),
  supplierMinimum: Nullable(MinimumValue),
  supplierMinimumQuantity: Nullable(
    Type.Object({ quantity: Type.Integer(), shortBy: Type.Integer({ description: 'Pieces' }) }),
  ),
  freeFreight: Nullable(MinimumValue),
  lineItems: Type.Array(PurchaseOrderLineItem),
  createdAt: Timestamp,
  createdBy: Type.String(),
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
  charges: Type.Array(Charge, { description: 'Oldest first; they do not change the total' }),
  version: Type.Integer(),
  warnings: Type.Array(OrderWarning, { description: 'Of a draft' }),
})
export type PurchaseOrder = Static<typeof PurchaseOrder>

export const PurchaseOrderListItem = Type.Object({
  ...Type.Pick(PurchaseOrder, ['id', 'poNumber', 'supplierId', 'supplierName', 'status']).properties,
  ...Type.Pick(PurchaseOrder, ['subtotal', 'discount', 'tax', 'total', 'unknownCosts']).properties,
  lineItemCount: Type.Integer(),
  ...Type.Pick(PurchaseOrder, ['createdAt', 'sentAt', 'currency', 'sourceNumber']).properties,
  ...Type.Pick(PurchaseOrder, ['isClosedShort', 'receivedValue', 'emailStatus']).properties,
  dueAt: Nullable(
    Type.String({
      ...Timestamp,
      description: 'The expected date, else the date of sending plus the lead time of the supplier',
    }),
  ),
  isOverdue: Type.Boolean(),
  locationName: Nullable(
    Type.String({ description: 'Where the goods arrive: the destination, else the default location' }),
  ),
  orderedQuantity: Type.Integer({ description: 'Pieces of all lines' }),
  receivedQuantity: Type.Integer({ description: 'Accepted pieces of all lines' }),
  ...Type.Pick(PurchaseOrder, ['paymentDueOn', 'paidAt']).properties,
  isPaymentOverdue: Type.Boolean({ description: "Not paid, and the payment was due before the shop's day" }),
})
export type PurchaseOrderListItem = Static<typeof PurchaseOrderListItem>

/** What happens to several orders; each one on its own, in the order of `ids`. */
export const PurchaseOrderBulkInput = Strict({
  action: choices('send', 'cancel', 'delete'),
  ids: ListOf(Id, 1, 100, 'ids of orders'),
})
export type PurchaseOrderBulkInput = Static<typeof PurchaseOrderBulkInput>

export const PurchaseOrderBulkOutcome = Type.Object({
  done: Type.Array(Type.Object({ id: Id, poNumber: Type.String() })),
  failed: Type.Array(
    Type.Object({
      id: Id,
      poNumber: Nullable(Type.String({ description: 'Null when the shop has no such order' })),
      code: Type.String(),
      message: Type.String({ description: 'Why nothing happened to this order' }),
    }),
  ),
})
export type PurchaseOrderBulkOutcome = Static<typeof PurchaseOrderBulkOutcome>

export const CreatedPurchaseOrder = Type.Object({
  ...Type.Pick(PurchaseOrder, ['id', 'poNumber', 'status', 'supplierId', 'total', 'createdAt']).properties,
  ...Type.Pick(PurchaseOrder, ['currency', 'warnings']).properties,
})
export type CreatedPurchaseOrder = Static<typeof CreatedPurchaseOrder>

/** The full new list of lines, as in an update. `version` is the one that was read. */
export const PurchaseOrderRevisionInput = Strict({
  lineItems: ListOf(PurchaseOrderLinePatch, 1, maxOrderLines, 'lines'),
  version: Version,
  reason: Type.Optional(Nullable(Text(500))),
})
export type PurchaseOrderRevisionInput = Static<typeof PurchaseOrderRevisionInput>

export const PurchaseOrderRevision = Type.Object({
  id: Type.Integer({ description: 'The number of the revision: 1 is the first change after sending' }),
  reason: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  changes: Type.Array(RevisionChange),
})
export type PurchaseOrderRevision = Static<typeof PurchaseOrderRevision>

/** `to`: the supplier's minimum (the default), or the value from which the supplier pays the freight. */
export const TopUpPurchaseOrder = Nullable(
  Strict(
    { version: Type.Optional(Version), to: Type.Optional(choices('minimum', 'free_freight')) },
    { rule: 'must be an object' },
  ),
)

/** What a top-up added to the lines of a draft. */
export const ToppedUpPurchaseOrder = Type.Object({
  ...Type.Pick(PurchaseOrder, [
    'id',
    'total',
    'version',
    'supplierMinimum',
    'supplierMinimumQuantity',
    'freeFreight',
  ]).properties,
  added: Type.Array(
    Type.Object({
      lineItemId: Id,
      sku: Type.String(),
      title: Type.String(),
      addedQuantity: Type.Integer(),
      quantity: Type.Integer(),
    }),
  ),
})
export type ToppedUpPurchaseOrder = Static<typeof ToppedUpPurchaseOrder>

/**
 * `resend` e-mails an order again that was sent before. With `version`, the order is sent as it was read, or not at all. The
 * other fields replace what `GET …/send-preview` shows; `null`
 * and an empty text mean "not given". Subject and text are sent as they are, without placeholders.
 */
export const SendPurchaseOrder = Nullable(
  Strict(
    {
      resend: Type.Optional(Type.Boolean()),
      allowUnknownCosts: Type.Optional(Type.Boolean()),
      version: Type.Optional(Version),
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
  attachments: Type.Optional(
    Type.Boolean({ rule: 'must be true or false', description: 'false: none is rendered or listed' }),
  ),
})
export type SendPreviewQuery = Static<typeof SendPreviewQuery>

/** The mail that `POST …/send` would send now. */
export const SendPreview = Type.Object({
  version: Type.Integer({ description: 'Of the order that the words are of' }),
  kind: MailKind,
  from: Type.String({
    description: 'The sender of this service; empty when web does not know it (MAIL_FROM)',
  }),
  to: Type.Array(Type.String(), {
    description:
      'Those that were typed for the newest mail, else of the supplier; empty: neither the supplier nor a contact has an address',
  }),
  cc: Type.Array(Type.String()),
  replyTo: Type.String({ description: "The shop's address; empty when it has none" }),
  subject: Type.String(),
  body: Type.String(),
  attachCsv: Type.Boolean({ description: 'Without it in the query: as in the newest mail' }),
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

export const SupplierTermsFilter = Strict({
  variantIds: Type.Optional(VariantGids),
  currency: Type.Optional(Currency),
})
export type SupplierTermsFilter = Static<typeof SupplierTermsFilter>

/** A price that holds from this quantity on. */
export const PriceBreak = Type.Object({ minQuantity: Type.Integer(), price: Type.Number() })

/** What a supplier asks for one packaging of a variant. */
const PackagingTerms = Type.Object({
  supplierSku: Type.String(),
  packSize: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
  price: Nullable(Type.Number({ description: 'Of one piece' })),
  fullPrice: Nullable(
    Type.Number({
      description:
        "The price before the discount of the supplier's last order; a line with its own discount gets it",
    }),
  ),
  priceSource: choices('catalogue', 'last_order', 'variant', 'none'),
  breaks: Type.Array(PriceBreak),
})
export type PackagingTerms = Static<typeof PackagingTerms>

/** The initial values of a new order of a supplier and of its lines. Prices are in `currency`. */
export const SupplierTerms = Type.Object({
  supplierId: Id,
  currency: Type.String({ description: "The currency in the query, else the supplier's, else the shop's" }),
  minorDigits: Type.Integer({ description: 'Decimals of the currency' }),
  rate: Nullable(
    Type.Number({
      description: "The last typed one of the currency, which a new order has; 1 for the shop's own",
    }),
  ),
  taxRate: Type.Number(),
  minimumOrderValue: Nullable(Amount),
  minimumOrderQuantity: Nullable(Type.Integer()),
  freeFreightValue: Nullable(Amount),
  variants: Type.Array(
    Type.Object({
      variantId: Type.String(),
      ...PackagingTerms.properties,
      others: Type.Array(PackagingTerms, {
        description: 'The other packagings, by rank; the first fields are those of the preferred one',
      }),
      unlisted: Type.Object(PackagingTerms.properties, {
        description: 'Of a line with a supplier SKU that the catalogue does not have',
      }),
    }),
  ),
})
export type SupplierTerms = Static<typeof SupplierTerms>

/** `platform`: the columns of the platform's template for importing a purchase order. */
export const PurchaseOrderCsvQuery = Strict({ template: Type.Optional(choices('mail', 'platform')) })
