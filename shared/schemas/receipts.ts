import { type Static, Type } from '@sinclair/typebox'
import { Gid, Id, LongText, Nullable, Quantity, Timestamp } from './common.ts'
import { PurchaseOrderStatus } from './purchase-orders.ts'

const strict = { additionalProperties: false }

/** Entries of one line are added up. Without a location goods arrive where the order says, else at the primary one. */
export const ReceiptInput = Type.Object(
  {
    lineItems: Type.Array(Type.Object({ lineItemId: Id, quantityReceived: Quantity }, strict), {
      minItems: 1,
      maxItems: 500,
      rule: 'must be a list of 1 to 500 lines',
    }),
    allowOverReceipt: Type.Optional(Type.Boolean({ description: 'Takes more than is outstanding' })),
    locationId: Type.Optional(Nullable(Gid('Location'))),
    notes: Type.Optional(Nullable(LongText(5000))),
  },
  strict,
)
export type ReceiptInput = Static<typeof ReceiptInput>

export const ReceiptLineItem = Type.Object({
  lineItemId: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  quantity: Type.Integer(),
})
export type ReceiptLineItem = Static<typeof ReceiptLineItem>

/** Goods that arrived. A receipt is never edited: it is reversed. */
export const Receipt = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  locationId: Type.String(),
  locationName: Type.String(),
  notes: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  reversedAt: Nullable(Timestamp),
  reversedBy: Type.String({ description: 'Empty while the receipt stands' }),
  lineItems: Type.Array(ReceiptLineItem),
})
export type Receipt = Static<typeof Receipt>

/** `allowNegative` lets stock fall below zero. */
export const ReceiptReversal = Nullable(
  Type.Object({ allowNegative: Type.Optional(Type.Boolean()) }, { ...strict, rule: 'must be an object' }),
)
export type ReceiptReversal = Static<typeof ReceiptReversal>

/** `status` is the order's. */
export const ReversedReceipt = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  status: PurchaseOrderStatus,
  reversedAt: Timestamp,
  alreadyApplied: Type.Boolean({ description: 'It was reversed before, and nothing has changed now' }),
})
export type ReversedReceipt = Static<typeof ReversedReceipt>

export const ReceiptParams = Type.Object({ id: Id, receiptId: Id }, strict)
