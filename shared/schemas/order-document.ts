import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { PurchaseOrderStatus } from './purchase-orders.ts'
import { PaperSize } from './settings.ts'

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
  /** The widths of bars and spaces of the number's Code 128 in turn, in modules; none without it. */
  barcode: Type.Optional(Type.String()),
  status: PurchaseOrderStatus,
  orderedAt: Timestamp,
  expectedAt: Nullable(Timestamp),
  /** The merchant has given no date: it is the date of the order plus the supplier's lead time. */
  isExpectedByLeadTime: Type.Optional(Type.Boolean()),
  /** Of numbers and dates. */
  locale: Type.String(),
  /** Of the words; English without it. */
  language: Type.Optional(Type.String()),
  timeZone: Type.String(),
  /** ISO 4217: the order's. */
  currency: Type.String(),
  /** A4 without it. */
  paper: Type.Optional(PaperSize),
  /** Changes since the order was sent first; none without it. */
  revision: Type.Optional(Type.Integer()),
  reference: Type.Optional(Type.String()),
  supplierReference: Type.Optional(Type.String()),
  shop: Type.Object({
    ...Party.properties,
    taxId: Type.Optional(Type.String()),
    /** Of `shop_logo`. */
    logoId: Type.Optional(Type.Integer()),
  }),
  orderedBy: Type.Optional(Type.String()),
  supplier: Type.Object({
    ...Party.properties,
    contactName: Type.String(),
    paymentTerms: Type.String(),
    /** The shop's number at the supplier. */
    accountNumber: Type.Optional(Type.String()),
    taxId: Type.Optional(Type.String()),
  }),
  /** Null while the shop has no location. */
  shipTo: Nullable(Party),
  lines: Type.Array(
    Type.Object({
      /** The supplier's code. */
      supplierSku: Type.Optional(Type.String()),
      sku: Type.String(),
      title: Type.String(),
      barcode: Type.Optional(Type.String()),
      /** Pieces in a pack; 1 without it. */
      packSize: Type.Optional(Type.Integer()),
      quantity: Type.Integer(),
      /** 0 while it is to be agreed. */
      costPrice: Type.Number(),
      isCostToBeAgreed: Type.Optional(Type.Boolean()),
      discountPercent: Type.Optional(Type.Number()),
      taxRate: Type.Optional(Type.Number({ description: 'Percent' })),
      lineTotal: Type.Number({ description: 'After the discount, before tax' }),
    }),
  ),
  subtotal: Type.Number(),
  /** Of the whole order. */
  discount: Type.Optional(Type.Number()),
  tax: Type.Number(),
  /** Percent: the rate that all lines have, when the tax is computed by it. */
  taxRate: Type.Optional(Type.Number()),
  total: Type.Number(),
  supplierNotes: Type.String(),
})
export type PurchaseOrderDocument = Static<typeof PurchaseOrderDocument>
