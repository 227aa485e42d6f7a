import { type Static, Type } from '@sinclair/typebox'
import {
  Amount,
  choices,
  Gid,
  Id,
  idsField,
  ListOf,
  LongText,
  Money,
  Nullable,
  pageFields,
  Quantity,
  Strict,
  sortedFields,
  sortsBy,
  Text,
  Timestamp,
  Version,
  Whole,
} from './common.ts'
import { PurchaseOrderStatus } from './purchase-orders.ts'

/** Several entries for one line are added up. The default location is the order's destination, else the primary one. */
export const ReceiptInput = Strict({
  lineItems: ListOf(Strict({ lineItemId: Id, quantityReceived: Quantity }), 1, 500, 'lines'),
  allowOverReceipt: Type.Optional(
    Type.Boolean({ description: 'Allows a quantity above the outstanding one' }),
  ),
  locationId: Type.Optional(Nullable(Gid('Location'))),
  notes: Type.Optional(Nullable(LongText(5000))),
})
export type ReceiptInput = Static<typeof ReceiptInput>

/** What became of rejected pieces: the supplier replaces them, so they stay outstanding; or credits them, which closes them. */
export const RejectOutcome = choices('replace', 'credit')
export type RejectOutcome = Static<typeof RejectOutcome>

/** A draft can be changed and deleted; posting it moves the stock. A posted receipt can only be reversed. */
export const ReceiptState = choices('draft', 'posted')
export type ReceiptState = Static<typeof ReceiptState>

const countFields = {
  accepted: Type.Integer({ description: 'Pieces that go into stock' }),
  rejected: Type.Integer({ description: 'Pieces that do not' }),
  rejectReason: Type.String(),
  rejectOutcome: Nullable(RejectOutcome),
  unitCost: Nullable(
    Type.Number({
      description:
        "Cost of a piece in the order's currency, after discounts, where it is not the order's; else null",
    }),
  ),
}

const ReceiptLineItem = Type.Object({
  lineItemId: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  quantity: Type.Integer({ description: 'The accepted pieces' }),
  ...countFields,
})

/** Goods that arrived. A receipt cannot be edited, only reversed. */
export const Receipt = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  state: ReceiptState,
  version: Type.Integer(),
  locationId: Type.String(),
  locationName: Type.String(),
  notes: Type.String(),
  deliveryNote: Type.String(),
  createdBy: Type.String(),
  isImported: Type.Boolean({ description: 'The goods came before the order was imported: no stock moved' }),
  createdAt: Timestamp,
  postedAt: Nullable(Timestamp),
  postedBy: Type.String({ description: 'Empty in a draft' }),
  reversedAt: Nullable(Timestamp),
  reversedBy: Type.String({ description: 'Empty unless the receipt is reversed' }),
  lineItems: Type.Array(ReceiptLineItem),
})
export type Receipt = Static<typeof Receipt>

/** `allowNegative` lets stock fall below zero. */
export const ReceiptReversal = Nullable(
  Strict({ allowNegative: Type.Optional(Type.Boolean()) }, { rule: 'must be an object' }),
)

/** `status` is the new status of the order. */
export const ReversedReceipt = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  status: PurchaseOrderStatus,
  reversedAt: Timestamp,
  alreadyApplied: Type.Boolean({
    description: 'The receipt was reversed before; this request changed nothing',
  }),
})
export type ReversedReceipt = Static<typeof ReversedReceipt>

export const ReceiptParams = Strict({ id: Id, receiptId: Id })

export const OrderReceiptFilter = Strict({
  state: Type.Optional({ ...ReceiptState, description: '`posted` without it' }),
  ...pageFields,
})
export type OrderReceiptFilter = Static<typeof OrderReceiptFilter>

/** Pieces that were counted; 0 in a draft means "not counted yet". */
const Count = Whole(0, 1_000_000_000)

const CountedLine = Strict({
  lineItemId: Id,
  accepted: Type.Optional(Count),
  rejected: Type.Optional(Count),
  rejectReason: Type.Optional(Nullable(Text(200))),
  rejectOutcome: Type.Optional(Nullable(RejectOutcome)),
  unitCost: Type.Optional(Nullable(Money(4))),
})
export type CountedLine = Static<typeof CountedLine>

const draftFields = {
  lines: ListOf(CountedLine, 0, 500, 'lines'),
  locationId: Nullable(Gid('Location')),
  deliveryNote: Nullable(Text(200)),
  notes: Nullable(LongText(5000)),
}

/** `lines` names those that were counted. The default location is that of `ReceiptInput`. */
export const ReceiptDraftInput = Nullable(
  Strict(Type.Partial(Type.Object(draftFields)).properties, { rule: 'must be an object' }),
)
export type ReceiptDraftInput = NonNullable<Static<typeof ReceiptDraftInput>>

/** `lines` is the full new list of what was counted: a line that it omits is not counted. */
export const ReceiptDraftPatch = Strict({
  ...Type.Partial(Type.Object(draftFields)).properties,
  version: Type.Optional(Version),
})
export type ReceiptDraftPatch = Static<typeof ReceiptDraftPatch>

/** With `version`, the deletion fails with `stale_version` when another request has changed the draft since. */
export const ReceiptDraftDeletion = Strict({ version: Type.Optional(Version) })
export type ReceiptDraftDeletion = Static<typeof ReceiptDraftDeletion>

const DraftLine = Type.Object({
  lineItemId: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  ordered: Type.Integer(),
  outstanding: Type.Integer({
    description: 'Pieces that the order still expects; a draft does not lower it',
  }),
  costPrice: Nullable(Amount),
  ...countFields,
})

/** A receipt with every line of its order, counted or not. */
export const OrderReceipt = Type.Object({
  ...Type.Omit(Receipt, ['lineItems']).properties,
  currency: Type.String(),
  lines: Type.Array(DraftLine, { description: "All lines of the order, in the order's sequence" }),
})
export type OrderReceipt = Static<typeof OrderReceipt>

/** With `version`, posting fails with `stale_version` when another request has changed the draft since. */
export const PostReceipt = Nullable(
  Strict(
    { version: Type.Optional(Version), allowOverReceipt: Type.Optional(Type.Boolean()) },
    { rule: 'must be an object' },
  ),
)
export type PostReceipt = NonNullable<Static<typeof PostReceipt>>

/** `status` is the status of the order. */
export const PostedReceipt = Type.Object({
  id: Id,
  state: ReceiptState,
  status: PurchaseOrderStatus,
  receivedAt: Nullable(Timestamp),
  alreadyApplied: Type.Boolean({
    description: 'The receipt was posted before; this request changed nothing',
  }),
})
export type PostedReceipt = Static<typeof PostedReceipt>

export const ScanQuery = Strict({ code: Text(255, 1) })

/** The line that a code names. A scan counts `packSize` pieces: 1, or those of the pack whose barcode it is. */
export const ScannedLine = Type.Object({
  lineItemId: Id,
  sku: Type.String(),
  title: Type.String(),
  outstanding: Type.Integer(),
  packSize: Type.Integer(),
})
export type ScannedLine = Static<typeof ScannedLine>

const DirectLineInput = Strict({
  variantId: Gid('ProductVariant'),
  quantity: Quantity,
  unitCost: Type.Optional(Nullable(Money(4))),
})

/** Goods without an order. Costs are in the shop's currency; without one, the pieces cost the average. */
export const DirectReceiptInput = Strict({
  supplierId: Type.Optional(Nullable(Id)),
  locationId: Type.Optional(Nullable(Gid('Location'))),
  deliveryNote: Type.Optional(Nullable(Text(200))),
  notes: Type.Optional(Nullable(LongText(5000))),
  lines: ListOf(DirectLineInput, 1, 500, 'lines'),
})
export type DirectReceiptInput = Static<typeof DirectReceiptInput>

export const ListedReceiptState = choices('draft', 'posted', 'reversed')

/**
 * By number, by number of the order, by name of the supplier or of the location, or by state in the order of `ListedReceiptState`; a minus sorts in descending order. Of each group, the newest first.
 */
export const ReceiptSort = sortsBy('order', 'supplier', 'location', 'state')
export type ReceiptSort = Static<typeof ReceiptSort>

export const ReceiptFilter = Strict({
  state: Type.Optional(ListedReceiptState),
  supplierId: Type.Optional(Id),
  purchaseOrderId: Type.Optional(Id),
  ...idsField('receipts'),
  search: Type.Optional(Type.Unsafe<string>({ ...Text(200), description: 'Part of the delivery note' })),
  ...sortedFields(ReceiptSort),
})
export type ReceiptFilter = Static<typeof ReceiptFilter>

/** A receipt of an order, or of goods without one: then `purchaseOrderId` and `poNumber` are null. */
export const ReceiptListItem = Type.Object({
  id: Id,
  state: ListedReceiptState,
  purchaseOrderId: Nullable(Id),
  poNumber: Nullable(Type.String()),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  locationId: Type.String(),
  locationName: Type.String(),
  deliveryNote: Type.String(),
  accepted: Type.Integer({ description: 'Pieces' }),
  rejected: Type.Integer({ description: 'Pieces' }),
  createdBy: Type.String(),
  createdAt: Timestamp,
  postedAt: Nullable(Timestamp),
  reversedAt: Nullable(Timestamp),
})
export type ReceiptListItem = Static<typeof ReceiptListItem>

/** Only lines that were counted. */
export const ReceiptDetail = Type.Object({
  ...ReceiptListItem.properties,
  notes: Type.String(),
  version: Type.Integer(),
  currency: Type.String({ description: 'Of the costs: that of the order, else of the shop' }),
  isImported: Receipt.properties.isImported,
  postedBy: Type.String({ description: 'Empty in a draft' }),
  reversedBy: Type.String({ description: 'Empty unless the receipt is reversed' }),
  lines: Type.Array(
    Type.Object({
      lineItemId: Nullable(Id),
      variantId: Type.String(),
      sku: Type.String(),
      title: Type.String(),
      ...countFields,
    }),
  ),
})
export type ReceiptDetail = Static<typeof ReceiptDetail>

/** The answer for a receipt with or without an order; without one, `purchaseOrderId` and `status` are null. */
export const ReversedAnyReceipt = Type.Object({
  ...ReversedReceipt.properties,
  purchaseOrderId: Nullable(Id),
  status: Nullable(PurchaseOrderStatus),
})
export type ReversedAnyReceipt = Static<typeof ReversedAnyReceipt>

/** A code of a line. One scan of it counts `packSize` pieces: 1, or those of the pack whose barcode it is. */
export const LineCode = Type.Object({
  code: Type.String({ description: 'In lower case' }),
  kind: choices('barcode', 'sku', 'supplier_sku', 'pack'),
  lineItemId: Id,
  packSize: Type.Integer(),
})
export type LineCode = Static<typeof LineCode>

export const LineCodes = Type.Object({ codes: Type.Array(LineCode, { description: 'The best kind first' }) })
export type LineCodes = Static<typeof LineCodes>
