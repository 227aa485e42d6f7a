import type { PurchaseOrderDocument } from '../../schemas/order-document.ts'
import type { RevisionChange } from '../../schemas/purchase-orders.ts'
import type { Settings } from '../../schemas/settings.ts'
import { chooseLanguage } from '../../words/words.ts'

/** An order that does not exist, for the preview of a template. */
export const sampleOrder = (settings: Settings): PurchaseOrderDocument => ({
  asOf: '2026-03-02T09:00:00.000Z',
  poNumber: 'PO-00042',
  status: 'sent',
  orderedAt: '2026-03-02T09:00:00.000Z',
  expectedAt: '2026-03-16T12:00:00.000Z',
  ...chooseLanguage({ language: null, country: null }, settings.locale),
  timeZone: settings.timeZone,
  currency: settings.currency,
  revision: 1,
  reference: 'Spring',
  supplierReference: 'A-1077',
  shop: {
    name: settings.companyName || 'Your company',
    address: settings.address,
    email: settings.email,
    phone: settings.phone,
  },
  supplier: {
    ...{ name: 'Example Supplies', address: '', email: '', phone: '', contactName: 'Robin Example' },
    paymentTerms: '',
  },
  shipTo: null,
  lines: [{ sku: 'MUG-1', title: 'Blue mug', quantity: 48, costPrice: 2.5, lineTotal: 120 }],
  subtotal: 120,
  tax: 0,
  total: 120,
  supplierNotes: 'Please ring at the gate.',
})

export const sampleChanges: readonly RevisionChange[] = [
  {
    ...{ lineItemId: 1, sku: 'MUG-1', supplierSku: 'ES-77', title: 'Blue mug' },
    before: { quantity: 36, costPrice: 2.5 },
    after: { quantity: 48, costPrice: 2.5 },
  },
]
