/** The name and address block of the shop or the supplier. Rows with an empty string are left out. */
export type Party = { name: string; address: string; email: string; phone: string }

/** The content of a purchase order that the supplier receives. It has no internal notes. */
export type PurchaseOrderDocument = {
  poNumber: string
  status: 'draft' | 'sent' | 'partial' | 'received' | 'cancelled'
  /** ISO instant. */
  orderedAt: string
  /** ISO instant, or a date without a time. */
  expectedAt: string | null
  locale: string
  timeZone: string
  /** ISO 4217. */
  currency: string
  shop: Party
  supplier: Party & { contactName: string; paymentTerms: string }
  lines: { sku: string; title: string; quantity: number; costPrice: number; lineTotal: number }[]
  subtotal: number
  tax: number
  total: number
  supplierNotes: string
}
