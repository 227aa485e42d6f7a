import t from 'tap'
import type { PurchaseOrder } from '../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt } from '../../../shared/schemas/receipts.ts'
import type { SupplierReturn } from '../../../shared/schemas/supplier-returns.ts'
import { createFormats } from '../../../web/src/components/shop/formats.ts'
import { differencesOf } from '../../../web/src/pages/purchase-orders/form/order-differences.ts'
import { differencesOf as ofReceipts } from '../../../web/src/pages/purchase-orders/receive/receipt-differences.ts'
import { differencesOf as ofReturns } from '../../../web/src/pages/returns/return-differences.ts'

const format = createFormats('en-US')('USD', 'Pacific/Kiritimati')

const line = (id: number, change: object = {}) => ({
  ...{ id, title: `Product ${id}`, quantity: 24, costPrice: 2, packSize: 6 },
  ...{ discountPercent: 5, taxRate: 10, supplierSku: '', ...change },
})
const charge = (change: object = {}) => ({
  ...{ id: 1, kind: 'freight', amount: 100, currency: 'USD', rate: 1, basis: 'value', lineItemIds: null },
  ...{ shares: null, taxRate: 0, isEstimate: false, isRateTyped: false, ...change },
})
const order = {
  ...{
    status: 'draft',
    supplierName: 'Kiln',
    destinationLocationName: null,
    expectedAt: null,
    currency: 'USD',
  },
  ...{
    rate: 1,
    discount: 0,
    tax: 0,
    reference: '',
    supplierReference: '',
    cc: [],
    supplierNotes: '',
    notes: '',
  },
  ...{ invoiceNumber: 'INV-7', invoiceDate: null, paymentDueOn: null, paidAt: '2026-03-20T09:59:00Z' },
  ...{ lineItems: [line(1), line(2)], charges: [charge()] },
} as unknown as PurchaseOrder

t.test('each change of an order is one line', async (t) => {
  for (const [change, expected] of [
    [{ status: 'sent' }, 'Status: Draft → Sent'],
    [{ supplierName: 'Acme' }, 'Supplier: Kiln → Acme'],
    [{ destinationLocationName: 'Shed' }, 'Deliver to: primary location → Shed'],
    [{ expectedAt: '2026-07-01T09:59:00Z' }, 'Expected on: — → Jul 1, 2026'],
    [{ rate: 1.5 }, 'Exchange rate: 1 → 1.5'],
    [{ discount: 3 }, 'Discount: $0.00 → $3.00'],
    [{ tax: 3 }, 'Tax: $0.00 → $3.00'],
    [{ reference: 'Spring' }, 'Reference: empty → Spring'],
    [{ supplierReference: 'Q-77' }, 'Supplier’s reference: empty → Q-77'],
    [{ cc: ['a@b.example'] }, 'Copies to: empty → a@b.example'],
    [{ supplierNotes: 'First words' }, 'Note to the supplier: empty → First words'],
    [{ notes: 'Second' }, 'Internal note: empty → Second'],
    [{ invoiceNumber: 'INV-8' }, 'Invoice number: INV-7 → INV-8'],
    [{ invoiceDate: '2026-03-01' }, 'Invoice date: empty → Mar 1, 2026'],
    [{ paymentDueOn: '2026-05-01' }, 'Payment due: empty → May 1, 2026'],
    [{ paidAt: null }, 'Paid: Mar 20, 2026 → empty'],
    [{ lineItems: [line(1)] }, 'Product 2: removed'],
    [
      { lineItems: [line(1, { quantity: 30 }), line(2)] },
      'Product 1: 24 at $2.00, packs of 6, less 5%, plus 10% tax → 30 at $2.00, packs of 6, less 5%, plus 10% tax',
    ],
    [
      { lineItems: [line(1), line(2), line(3, { costPrice: null, packSize: 1, supplierSku: 'K-1' })] },
      'Product 3: added, 24 without a cost, less 5%, plus 10% tax, supplier SKU K-1',
    ],
    [
      { charges: [charge({ amount: 90, taxRate: 19, isEstimate: true })] },
      'Charge for freight: freight, $100.00, by value → freight, $90.00, by value, plus 19% tax, an estimate',
    ],
    [
      {
        charges: [
          charge(),
          charge({ id: 2, kind: 'duty', lineItemIds: [2, 9], isRateTyped: true, rate: 1.1 }),
        ],
      },
      'Charge for duty: added, duty, $100.00, at the rate 1.1, by value, for Product 2 and a removed line',
    ],
    [{ charges: [] }, 'Charge for freight: deleted'],
  ] as [object, string][]) {
    t.strictSame(differencesOf(order, { ...order, ...change }, format), [expected])
  }
  t.strictSame(differencesOf(order, order, format), [])
  const yuan = { ...order, currency: 'CNY' } as PurchaseOrder
  t.ok(differencesOf(order, yuan, format).includes('Currency: USD → CNY'))
})

t.test('each change of a receipt is one line', async (t) => {
  const counted = (lineItemId: number, change: object = {}) => ({
    ...{ lineItemId, title: `Product ${lineItemId}`, sku: 'S', accepted: 2, rejected: 0 },
    ...{ rejectReason: '', rejectOutcome: null, unitCost: null, ...change },
  })
  const receipt = { locationName: 'Main', deliveryNote: '', notes: '', lines: [counted(1)] }
  const differences = (change: object) =>
    ofReceipts(
      receipt as unknown as OrderReceipt,
      { ...receipt, ...change } as unknown as OrderReceipt,
      format,
    )
  const crushed = {
    accepted: 3,
    rejected: 2,
    rejectReason: 'crushed',
    rejectOutcome: 'credit',
    unitCost: 2.75,
  }
  for (const [change, expected] of [
    [{ lines: [counted(1, { accepted: 3 })] }, 'Product 1: 2 accepted → 3 accepted'],
    [
      { lines: [counted(1, crushed)] },
      'Product 1: 2 accepted → 3 accepted, 2 rejected (crushed), to be credited, at $2.75',
    ],
    [
      { lines: [counted(1), counted(2, { accepted: 0, rejected: 1, rejectOutcome: 'replace' })] },
      'Product 2: not counted → 1 rejected, to be replaced',
    ],
    [{ deliveryNote: 'DN-3' }, 'Delivery note: empty → DN-3'],
    [{ locationName: 'Shed' }, 'Received at: Main → Shed'],
    [{ notes: 'Wet' }, 'Notes: empty → Wet'],
  ] as [object, string][]) {
    t.strictSame(differences(change), [expected])
  }
})

t.test('each change of a return is one line', async (t) => {
  const lines = [{ title: 'Mug', quantity: 2, reason: 'Recalled' }]
  const stored = { state: 'draft', locationName: 'Main', supplierReference: '', notes: '', lines }
  const differences = (change: object) =>
    ofReturns(
      stored as unknown as SupplierReturn,
      { ...stored, ...change } as unknown as SupplierReturn,
      format,
    )
  t.strictSame(differences({ state: 'shipped' }), ['State: Draft → Shipped'])
  t.strictSame(differences({ supplierReference: 'RMA-7' }), ['Supplier’s return number: nothing → RMA-7'])
  t.strictSame(differences({ locationName: 'Shed', notes: 'Wet' }), [
    'Taken from: Main → Shed',
    'Notes: nothing → Wet',
  ])
  t.strictSame(differences({ lines: [{ title: 'Mug', quantity: 1200, reason: 'Chipped' }] }), [
    'Products: 2 × Mug (Recalled) → 1,200 × Mug (Chipped)',
  ])
})
