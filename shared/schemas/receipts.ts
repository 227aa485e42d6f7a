import { type Static, Type } from '@sinclair/typebox'
import { Gid, Id, LongText, Nullable, Quantity, Strict, Timestamp } from './common.ts'
import { PurchaseOrderStatus } from './purchase-orders.ts'

/** Several entries for one line are added up. The default location is the order's destination, else the primary one. */
export const ReceiptInput = Strict({
  lineItems: Type.Array(Strict({ lineItemId: Id, quantityReceived: Quantity }), {
    minItems: 1,
    maxItems: 500,
    rule: 'must be a list of 1 to 500 lines',
  }),
  allowOverReceipt: Type.Optional(
    Type.Boolean({ description: 'Allows a quantity above the outstanding one' }),
  ),
  locationId: Type.Optional(Nullable(Gid('Location'))),
  notes: Type.Optional(Nullable(LongText(5000))),
})
export type ReceiptInput = Static<typeof ReceiptInput>

const ReceiptLineItem = Type.Object({
  lineItemId: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  quantity: Type.Integer(),
})

/** Goods that arrived. A receipt cannot be edited, only reversed. */
export const Receipt = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  locationId: Type.String(),
  locationName: Type.String(),
  notes: Type.String(),
  createdBy: Type.String(),
  isImported: Type.Boolean({ description: 'The goods came before the order was imported: no stock moved' }),
  createdAt: Timestamp,
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
