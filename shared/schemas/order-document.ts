import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { PurchaseOrderStatus } from './purchase-orders.ts'

/** The name and address block of the shop, the supplier or the place of delivery. Rows with an empty string are left out. */
const Party = Type.Object({
  name: Type.String(),
  address: Type.String(),
  email: Type.String(),
  phone: Type.String(),
})
export type Party = Static<typeof Party>

/**
 * The content of a purchase order that the supplier receives. It has no internal notes. `outgoing_mail.content` keeps
 * documents of earlier releases, so a new field must be optional, and no field may be renamed or removed.
 */
export const PurchaseOrderDocument = Type.Object({
  /** The time of the data; also the creation date of the PDF, so that one document gives one file. */
  asOf: Timestamp,
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
  /** Null while the shop has no location. */
  shipTo: Nullable(Party),
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
