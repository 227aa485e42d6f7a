import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { PurchaseOrderStatus } from './purchase-orders.ts'

/** The name and address block of the shop or the supplier. Rows with an empty string are left out. */
const Party = Type.Object({
  name: Type.String(),
  address: Type.String(),
  email: Type.String(),
  phone: Type.String(),
})
export type Party = Static<typeof Party>

/** The content of a purchase order that the supplier receives. It has no internal notes. */
export const PurchaseOrderDocument = Type.Object({
  poNumber: Type.String(),
  status: PurchaseOrderStatus,
  orderedAt: Timestamp,
  expectedAt: Nullable(Timestamp),
  locale: Type.String(),
  timeZone: Type.String(),
  /** ISO 4217. */
  currency: Type.String(),
  shop: Party,
  supplier: Type.Object({ ...Party.properties, contactName: Type.String(), paymentTerms: Type.String() }),
  lines: Type.Array(
    Type.Object({
      sku: Type.String(),
      title: Type.String(),
      quantity: Type.Integer(),
      costPrice: Type.Number(),
      lineTotal: Type.Number(),
    }),
  ),
  subtotal: Type.Number(),
  tax: Type.Number(),
  total: Type.Number(),
  supplierNotes: Type.String(),
})
export type PurchaseOrderDocument = Static<typeof PurchaseOrderDocument>
