import { codeOf } from '../../../labels/code.ts'
import type { PurchaseOrderDocument } from '../../../schemas/order-document.ts'
import type { RevisionChange } from '../../../schemas/purchase-orders.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { chooseLanguage } from '../../../words/words.ts'

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
    taxId: settings.taxId,
    ...(settings.logo && { logoId: settings.logo.id }),
  },
  orderedBy: settings.orderedBy,
  paper: settings.paperInUse,
  supplier: {
    ...{ name: 'Example Supplies', address: '', email: '', phone: '', contactName: 'Robin Example' },
    paymentTerms: '',
  },
  shipTo: { name: 'Your warehouse', address: '', email: '', phone: '' },
  lines: [{ sku: 'MUG-1', title: 'Blue mug', quantity: 48, costPrice: 2.5, lineTotal: 120 }],
  subtotal: 120,
  tax: 0,
  total: 120,
  supplierNotes: 'Please ring at the gate.',
})

const sampleLines: PurchaseOrderDocument['lines'] = [
  {
    ...{ supplierSku: 'ES-77', sku: 'MUG-1', title: 'Blue mug', packSize: 6, quantity: 48 },
    ...{ costPrice: 2.5, taxRate: 20, lineTotal: 120 },
  },
  {
    ...{ supplierSku: 'ES-103', sku: 'BOWL-M', title: 'Serving bowl, medium', quantity: 10 },
    ...{ costPrice: 8, taxRate: 20, lineTotal: 80 },
  },
]

/** An order that does not exist, for a look at the PDF: all that the settings can put on it. */
export function sampleDocument(settings: Settings): PurchaseOrderDocument {
  const order = sampleOrder(settings)
  const code = codeOf({ barcode: '', sku: order.poNumber })
  return {
    ...order,
    ...(typeof code !== 'string' && { barcode: code.bars }),
    revision: 0,
    supplier: {
      ...order.supplier,
      ...{ address: '1 Example Road\nSampletown', email: 'sales@example.com', accountNumber: 'K-1077' },
      ...{ paymentTerms: 'Net 30', taxId: 'XX 999 9999 99' },
    },
    shipTo: { name: 'Your warehouse', address: 'Its address in your shop admin', email: '', phone: '' },
    lines: sampleLines,
    ...{ subtotal: 200, tax: 40, taxRate: 20, total: 240 },
  }
}

export const sampleChanges: readonly RevisionChange[] = [
  {
    ...{ lineItemId: 1, sku: 'MUG-1', supplierSku: 'ES-77', title: 'Blue mug' },
    before: { quantity: 36, costPrice: 2.5 },
    after: { quantity: 48, costPrice: 2.5 },
  },
]
