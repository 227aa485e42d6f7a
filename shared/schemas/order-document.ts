/** Empty string: not given, and its row is left out. */
export type Party = { name: string; address: string; email: string; phone: string }

/** What a supplier gets to see of a purchase order. Notes for the shop's own people have no place here. */
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
