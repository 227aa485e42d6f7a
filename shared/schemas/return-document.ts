import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { PurchaseOrderDocument } from './order-document.ts'
import { PaperSize } from './settings.ts'
import { SupplierReturnState } from './supplier-returns.ts'

/** The content of the return note that travels with the goods. It has no internal notes, and no prices. */
export const SupplierReturnDocument = Type.Object({
  /** The time of the data; also the creation date of the PDF. */
  asOf: Timestamp,
  number: Type.String(),
  state: SupplierReturnState,
  returnedAt: Timestamp,
  locale: Type.String(),
  language: Type.String(),
  timeZone: Type.String(),
  paper: PaperSize,
  /** Of the order that brought the goods. */
  poNumber: Nullable(Type.String()),
  supplierReference: Type.String(),
  shop: PurchaseOrderDocument.properties.shop,
  supplier: PurchaseOrderDocument.properties.supplier,
  lines: Type.Array(
    Type.Object({
      supplierSku: Type.String(),
      sku: Type.String(),
      title: Type.String(),
      /** Of a draft, whose goods must be looked for; empty on the note that the supplier gets. */
      bin: Type.String(),
      quantity: Type.Integer(),
      reason: Type.String(),
    }),
  ),
})
export type SupplierReturnDocument = Static<typeof SupplierReturnDocument>
