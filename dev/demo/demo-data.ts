import type { PurchaseOrderInput } from '../../shared/schemas/purchase-orders.ts'
import type { SupplierContactInput, SupplierInput } from '../../shared/schemas/suppliers.ts'

export const demoShop = 'demo.myshop.example'

export const demoSettings = {
  companyName: 'Kestrel & Vine Ltd',
  address: '14 Harbour Row\nBristol BS1 4RN\nUnited Kingdom',
  phone: '+44 117 496 0142',
  email: 'purchasing@kestrel-vine.example',
  currency: 'GBP',
  timeZone: 'Europe/London',
  locale: 'en-GB',
}

export type DemoSupplier = SupplierInput & { contacts: SupplierContactInput[] }

export const demoSuppliers: DemoSupplier[] = [
  {
    name: 'Northgate Ceramics',
    email: 'orders@northgate-ceramics.example.com',
    phone: '+44 1782 496 018',
    address: '3 Kiln Lane\nStoke-on-Trent ST1 5AB\nUnited Kingdom',
    leadTimeDays: 14,
    paymentTerms: 'Net 30',
    contacts: [
      { name: 'Helen Marsh', email: 'helen@northgate-ceramics.example.com', role: 'Sales' },
      { name: 'Owen Pryce', phone: '+44 1782 496 019', role: 'Dispatch' },
    ],
  },
  {
    name: '景德镇青瓷坊',
    email: 'dinghuo@qingci.example.org',
    phone: '+86 798 5550 118',
    address: '珠山区陶阳路 88 号\n江西省景德镇市 333000\n中国',
    leadTimeDays: 45,
    paymentTerms: '30 % deposit, rest before shipping',
    contacts: [{ name: '林晓梅', email: 'lin@qingci.example.org', role: '外贸' }],
  },
  {
    name: 'Αιγαίο Ελαιόλαδο Α.Ε.',
    email: 'paraggelies@aigaio.example.com',
    address: 'Οδός Λιμένος 7\n811 00 Μυτιλήνη\nΕλλάδα',
    leadTimeDays: 21,
    paymentTerms: 'Net 14',
    contacts: [{ name: 'Ελένη Παπαδάκη', email: 'eleni@aigaio.example.com', role: 'Εξαγωγές' }],
  },
  {
    name: 'مؤسسة الياسمين للعطور',
    email: 'sales@alyasmin.example.org',
    address: 'شارع الورد 12\nدمشق\nسوريا',
    leadTimeDays: 30,
    contacts: [{ name: 'رنا الحداد', email: 'rana@alyasmin.example.org', role: 'مبيعات' }],
  },
  {
    name: 'Atelier Lefèvre & Fils',
    phone: '+33 4 99 55 01 42',
    address: '5 rue des Tisserands\n69001 Lyon\nFrance',
    leadTimeDays: 10,
    paymentTerms: '45 jours fin de mois',
    notes: 'Has no general address: orders go to the first contact.',
    contacts: [{ name: 'Zoé Lefèvre', email: 'zoe@lefevre.example.com', role: 'Commandes' }],
  },
]

const line = (product: number, sku: string, title: string, quantity: number, costPrice: number) => ({
  productId: `gid://platform/Product/${1000 + product}`,
  variantId: `gid://platform/ProductVariant/${2000 + product}`,
  sku,
  title,
  quantity,
  costPrice,
})

export type DemoOrder = Omit<PurchaseOrderInput, 'supplierId'> & {
  supplier: string
  /** Identifies the order when the shop is filled again. */
  notes: string
  status: 'draft' | 'sent' | 'cancelled'
}

export const demoOrders: DemoOrder[] = [
  {
    supplier: 'Northgate Ceramics',
    notes: 'Spring restock',
    supplierNotes: 'Please pack mugs and bowls separately.',
    tax: 111.6,
    status: 'sent',
    lineItems: [
      line(1, 'MUG-STN-350', 'Stoneware mug, 350 ml — oat', 120, 2.85),
      line(2, 'BWL-STN-18', 'Stoneware bowl, 18 cm — oat', 60, 3.6),
    ],
  },
  {
    supplier: '景德镇青瓷坊',
    notes: 'Tea season',
    supplierNotes: '请注明批号。',
    status: 'sent',
    lineItems: [
      line(3, 'QC-POT-600', '青瓷茶壶 600 ml', 40, 11.75),
      line(4, 'QC-CUP-6', '青瓷茶杯（6 只装）', 80, 7.2),
      line(5, 'QC-TRAY', '竹制茶盘 — Bamboo tea tray', 25, 9.95),
    ],
  },
  {
    supplier: 'Αιγαίο Ελαιόλαδο Α.Ε.',
    notes: 'Deli corner, cancelled: the harvest was late',
    status: 'cancelled',
    lineItems: [
      line(6, 'OIL-EV-500', 'Εξαιρετικό παρθένο ελαιόλαδο 500 ml', 144, 5.4),
      line(7, 'OLV-KAL-250', 'Ελιές Καλαμών 250 g', 96, 2.15),
    ],
  },
  {
    supplier: 'مؤسسة الياسمين للعطور',
    notes: 'Gift table',
    status: 'draft',
    lineItems: [
      line(8, 'SOAP-LRL-200', 'صابون الغار ٢٠٠ غ', 200, 1.9),
      line(9, 'ROSE-WTR-250', 'ماء الورد — Rose water 250 ml', 90, 3.35),
    ],
  },
  {
    supplier: 'Atelier Lefèvre & Fils',
    notes: 'Table linen',
    supplierNotes: 'Livraison le matin, s’il vous plaît.',
    tax: 64.2,
    status: 'draft',
    lineItems: [
      line(10, 'NAP-LIN-4', 'Serviettes en lin lavé (lot de 4)', 48, 14.5),
      line(11, 'TBL-LIN-250', 'Nappe en lin 150 × 250 cm, bleu pétrole', 18, 31.0525),
      line(12, 'TWL-KTC', 'Torchon à carreaux', 100, 2.98),
    ],
  },
]
