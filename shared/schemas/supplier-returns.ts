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
  Quantity,
  Rate,
  Strict,
  sortedFields,
  sortsBy,
  Text,
  Timestamp,
  Version,
} from './common.ts'

export const SupplierReturnState = choices('draft', 'shipped', 'credited', 'cancelled')
export type SupplierReturnState = Static<typeof SupplierReturnState>

export const SupplierReturnLineInput = Strict({
  variantId: Gid('ProductVariant'),
  quantity: Quantity,
  reason: Text(200, 1),
})
export type SupplierReturnLineInput = Static<typeof SupplierReturnLineInput>

const returnFields = {
  locationId: Gid('Location'),
  lines: ListOf(SupplierReturnLineInput, 1, 500, 'lines'),
  notes: Type.Optional(Nullable(LongText(5000))),
  supplierReference: Type.Optional(Nullable(Text(100))),
}

/** With a receipt, at most what it brought and is not on another return may go back. */
export const SupplierReturnInput = Strict({
  supplierId: Id,
  receiptId: Type.Optional(Nullable(Id)),
  ...returnFields,
})
export type SupplierReturnInput = Static<typeof SupplierReturnInput>

/** `lines` is the full new list. With `version`, the update fails with `stale_version` after a change by another request. */
export const SupplierReturnPatch = Type.Partial(
  Strict({
    ...returnFields,
    version: Version,
  }),
)
export type SupplierReturnPatch = Static<typeof SupplierReturnPatch>

export const CreatedSupplierReturn = Type.Object({
  id: Id,
  number: Type.String(),
  state: SupplierReturnState,
})
export type CreatedSupplierReturn = Static<typeof CreatedSupplierReturn>

/**
 * By number, by the name of the supplier, or by state in the order of `SupplierReturnState`; a minus sorts in descending order. Of each
 * supplier or state, the newest first.
 */
export const SupplierReturnSort = sortsBy('supplier', 'state')
export type SupplierReturnSort = Static<typeof SupplierReturnSort>

export const SupplierReturnFilter = Strict({
  supplierId: Type.Optional(Id),
  state: Type.Optional(SupplierReturnState),
  purchaseOrderId: Type.Optional(Id),
  receiptId: Type.Optional(Id),
  ...idsField('returns'),
  search: Type.Optional(Text(200)),
  ...sortedFields(SupplierReturnSort),
})
export type SupplierReturnFilter = Static<typeof SupplierReturnFilter>

const summaryFields = {
  id: Id,
  number: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  state: SupplierReturnState,
  receiptId: Nullable(Id),
  purchaseOrderId: Nullable(Id),
  poNumber: Nullable(Type.String()),
  locationName: Type.String(),
  pieces: Type.Integer(),
  currency: Type.String({ description: 'Of the credit' }),
  creditAmount: Nullable(Amount),
  creditReference: Type.String(),
  createdAt: Timestamp,
  shippedAt: Nullable(Timestamp),
  creditedAt: Nullable(Timestamp),
}

export const SupplierReturnListItem = Type.Object(summaryFields)
export type SupplierReturnListItem = Static<typeof SupplierReturnListItem>

const bin = Type.String({ description: 'Where it lies at the location; empty: no bin' })

const SupplierReturnLine = Type.Object({
  id: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  bin,
  quantity: Type.Integer(),
  reason: Type.String(),
  unitPrice: Nullable(
    Type.Number({ description: 'What the supplier charged for a piece of the receipt; null without one' }),
  ),
  isStocked: Nullable(
    Type.Boolean({ description: 'Whether its pieces moved stock; null until the goods are shipped' }),
  ),
})

export const SupplierReturn = Type.Object({
  ...summaryFields,
  locationId: Type.String(),
  notes: Type.String(),
  supplierReference: Type.String(),
  rate: Nullable(
    Type.Number({ description: "1 of `currency` in the shop's currency; null while it is not known" }),
  ),
  expectedCredit: Nullable(
    Type.Number({ description: 'What the supplier charged for the pieces; null when a price is not known' }),
  ),
  createdBy: Type.String(),
  shippedBy: Type.String({ description: 'Empty until the goods are shipped' }),
  updatedAt: Timestamp,
  cancelledAt: Nullable(Timestamp),
  cancelledBy: Type.String({ description: 'Empty unless the return is cancelled' }),
  version: Type.Integer(),
  lines: Type.Array(SupplierReturnLine),
})
export type SupplierReturn = Static<typeof SupplierReturn>

/** `allowNegative` lets stock fall below zero. */
export const SupplierReturnShipment = Nullable(
  Strict({ allowNegative: Type.Optional(Type.Boolean()) }, { rule: 'must be an object' }),
)

/** Without `creditReference` that of the return stays. With `version`, a return that has changed since is not credited. */
export const SupplierReturnCredit = Strict({
  creditAmount: Money(3),
  creditReference: Type.Optional(Nullable(Text(100))),
  version: Type.Optional(Version),
  rate: Type.Optional(Nullable(Rate)),
})
export type SupplierReturnCredit = Static<typeof SupplierReturnCredit>

/** `alreadyApplied`: the return was in this state before, and this request changed nothing. */
export const ChangedSupplierReturn = Type.Object({
  id: Id,
  number: Type.String(),
  state: SupplierReturnState,
  version: Type.Integer(),
  alreadyApplied: Type.Boolean(),
})
export type ChangedSupplierReturn = Static<typeof ChangedSupplierReturn>

/** The pieces of a receipt that the merchant can still return, by variant. */
export const ReturnableVariant = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  bin,
  received: Type.Integer(),
  returned: Type.Integer({ description: 'On returns that are not cancelled' }),
  returnable: Type.Integer(),
})

export const ReturnableReceipt = Type.Object({
  receiptId: Id,
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  purchaseOrderId: Nullable(Id),
  poNumber: Nullable(Type.String()),
  locationId: Type.String(),
  locationName: Type.String(),
  receivedAt: Timestamp,
  isReversed: Type.Boolean(),
  lines: Type.Array(ReturnableVariant),
})
export type ReturnableReceipt = Static<typeof ReturnableReceipt>
