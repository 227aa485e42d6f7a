/**
 * The words of a purchase order's PDF and e-mails. Mails are templates (`shared/mail/template.ts`). A language that
 * lacks a word does not compile.
 */
export const en = {
  purchaseOrder: 'Purchase order',
  returnNote: 'Return note',
  revision: 'Revision',
  draft: 'DRAFT',
  cancelled: 'CANCELLED',
  supplier: 'SUPPLIER',
  shipTo: 'SHIP TO',
  billTo: 'BILL TO',
  attention: 'Attn:',
  orderDate: 'Order date',
  returnDate: 'Return date',
  expectedDate: 'Expected date',
  byLeadTime: '{date} (by your usual lead time)',
  orderedBy: 'Ordered by',
  paymentTerms: 'Payment terms',
  currency: 'Currency',
  reference: 'Our reference',
  supplierReference: 'Your reference',
  accountNumber: 'Account number',
  taxId: 'Tax ID',
  line: 'No.',
  supplierSku: 'Your SKU',
  sku: 'SKU',
  title: 'Title',
  packs: 'Packs',
  quantity: 'Quantity',
  reason: 'Reason',
  unitCost: 'Unit cost',
  discount: 'Discount',
  tax: 'Tax',
  lineTotal: 'Line total',
  pieces: 'Total pieces',
  subtotal: 'Subtotal',
  total: 'Total',
  toBeAgreed: 'to be agreed',
  plusLineToBeAgreed: '{amount} + 1 line to be agreed',
  plusLinesToBeAgreed: '{amount} + {lines} lines to be agreed',
  notes: 'NOTES',
  page: 'Page {page} of {pages}',
  pickList: 'Pick list',
  pickFrom: 'From',
  pickTo: 'To',
  bin: 'Bin',
  barcode: 'Barcode',
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  subjectOfOrder: 'Purchase order {{poNumber}} from {{shopName}}',
  bodyOfOrder: `Dear {{contactName}},

Please find attached our purchase order {{poNumber}} of {{orderedAt}}.

Our reference: {{reference}}
Lines: {{lineCount}}
Total: {{total}}
Expected by: {{expectedAt}}
Deliver to: {{deliverTo}}

{{supplierNotes}}

Kind regards

{{companyDetails}}`,
  subjectOfRevision: 'Revision {{revision}} of purchase order {{poNumber}} from {{shopName}}',
  bodyOfRevision: `Dear {{contactName}},

We have changed our purchase order {{poNumber}}. Please find attached revision {{revision}}, which replaces the earlier document.

{{changes}}

Our reference: {{reference}}
New total: {{total}}
Expected by: {{expectedAt}}
Deliver to: {{deliverTo}}

{{supplierNotes}}

Kind regards

{{companyDetails}}`,
}

export type Words = typeof en
