import { codeOf } from '../../../shared/labels/code.ts'
import type { LabelSheet } from '../../../shared/schemas/labels.ts'
import type { PurchaseOrderDocument } from '../../../shared/schemas/order-document.ts'
import type { PickListDocument } from '../../../shared/schemas/pick-list.ts'
import type { SupplierReturnDocument } from '../../../shared/schemas/return-document.ts'

export type Line = PurchaseOrderDocument['lines'][number]

export function makeLine(line: Partial<Line> = {}): Line {
  return {
    sku: 'TEE-BLK-L',
    title: 'Cotton T-shirt',
    quantity: 3,
    costPrice: 4.1234,
    lineTotal: 12.37,
    ...line,
  }
}

export function makeOrder(order: Partial<PurchaseOrderDocument> = {}): PurchaseOrderDocument {
  return {
    asOf: '2025-03-09T23:30:01.234Z',
    poNumber: 'PO-00012',
    status: 'sent',
    orderedAt: '2025-03-09T23:30:00Z',
    expectedAt: '2025-03-21T10:00:00Z',
    locale: 'en-US',
    timeZone: 'America/New_York',
    currency: 'USD',
    shop: {
      name: 'Northwind Outfitters',
      address: '120 Harbour Street\nPortland, OR 97201',
      email: 'orders@northwind.example',
      phone: '+1 503 555 0100',
    },
    supplier: {
      name: 'Müller & Söhne GmbH',
      address: 'Hauptstraße 5\n10115 Berlin',
      email: 'verkauf@mueller.example',
      phone: '+49 30 1234567',
      contactName: 'Jürgen Müller',
      paymentTerms: 'Net 30',
    },
    shipTo: {
      name: 'Harbour warehouse',
      address: 'Gate 4, 14 Dock Road\nPortland, Oregon 97203\nUnited States',
      email: '',
      phone: '+1 503 555 0177',
    },
    lines: [makeLine()],
    subtotal: 1234.5,
    tax: 98.76,
    total: 1333.26,
    supplierNotes: 'Deliver between 8:00 and 12:00.',
    ...order,
  }
}

export function makeReturn(document: Partial<SupplierReturnDocument> = {}): SupplierReturnDocument {
  const { shop, supplier, asOf, timeZone } = makeOrder()
  return {
    ...{ asOf, timeZone, shop, supplier, number: 'RET-00003', state: 'shipped', returnedAt: asOf },
    ...{ locale: 'en-US', language: 'en-US', paper: 'a4', poNumber: 'PO-00012', supplierReference: '' },
    lines: [
      { supplierSku: '', sku: 'TEE-BLK-L', title: 'Cotton T-shirt', bin: '', quantity: 2, reason: 'Damaged' },
    ],
    ...document,
  }
}

export function makePickList(list: Partial<PickListDocument> = {}): PickListDocument {
  const { asOf, timeZone } = makeOrder()
  return {
    ...{ asOf, timeZone, createdAt: asOf, transferId: 7, locale: 'en-US', language: 'en-US', paper: 'a4' },
    ...{ shopName: 'Northwind', sourceName: 'Harbour', destinationName: 'Bath', notes: '' },
    lines: [
      { bin: 'A-1', sku: 'TEE-BLK-L', title: 'Cotton T-shirt', code: barsOf('TEE-BLK-L'), quantity: 2 },
      { bin: '', sku: '', title: 'Without a code', code: null, quantity: 1 },
    ],
    ...list,
  }
}

export const makeLabels = (): LabelSheet => ({
  ...{ asOf: makeOrder().asOf, format: 'a4-3x8', dpi: 300, startAt: 1 },
  labels: [
    {
      ...{ title: 'Cotton T-shirt', variantTitle: 'Black / L', sku: 'TEE-BLK-L', price: '$12.00', copies: 3 },
      code: { kind: 'code128', dots: 2, ...barsOf('TEE-BLK-L') },
    },
  ],
})

/** A Code 128. */
export function barsOf(text: string): { text: string; bars: string } {
  const code = codeOf({ barcode: '', sku: text })
  if (typeof code === 'string') throw new Error(code)
  return { text: code.text, bars: code.bars }
}

/** Titles by language, for every script that a document must show. */
export const titles = {
  german: 'Größe „Ångström“ — weiß',
  greek: 'Ελληνικό ελαιόλαδο',
  russian: 'Хлопковая футболка (чёрная)',
  chinese: '纯棉长袖衬衫（黑色）',
  taiwanese: '純棉長袖襯衫「黑色」',
  japanese: 'コットンしゃつ、ブラック',
  korean: '면 긴팔 셔츠 뷁',
  hebrew: 'חולצת כותנה',
  arabic: 'قميص قطني',
  persian: 'گچ پژ',
  thai: 'เสื้อเชิ้ตน้ำ',
  mixed: 'Shirt 셔츠 シャツ 衬衫 חולצה قميص เสื้อ рубашка πουκάμισο',
}
