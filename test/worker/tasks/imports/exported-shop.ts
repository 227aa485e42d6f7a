import type { Person } from '../../../support/core/people.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  readOrder,
} from '../../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft, postCounts } from '../../../support/make/receipts.ts'
import { makeRule } from '../../../support/make/reorder.ts'
import { locationGid, variantGid } from '../../../support/make/stock.ts'
import { makeSupplierProduct } from '../../../support/make/supplier-products.ts'

/** A shop with every field that the lists of an export have and an import takes back. */
export async function makeExportedShop(person: Person): Promise<void> {
  const post = async (url: string, body: object, method: 'post' | 'put' = 'post') => {
    const response = await person[method](url, body)
    if (response.statusCode >= 300) throw new Error(`${url}: ${response.body}`)
    return response.json().data
  }
  const euro = await makeSupplier(person, {
    name: 'Müller; =1+1',
    email: 'orders@mueller.example',
    phone: '+49 1',
    address: 'Old\nlines',
    leadTimeDays: 12,
    paymentTerms: '30 days',
    notes: 'First line\nsecond, "quoted"',
    accountNumber: '0042',
    currency: 'EUR',
    addressLine1: '1 Weg',
    addressLine2: 'Hof',
    city: 'Köln',
    region: 'NW',
    postalCode: '01067',
    countryCode: 'DE',
    taxId: 'DE 1',
    minimumOrderValue: 99.5,
    minimumOrderQuantity: 12,
    freeFreightValue: 500,
    orderCycleDays: 14,
    defaultTaxRate: 19,
    language: 'de',
    externalRef: 'V-7',
    aliases: ['MULLER', 'Mueller & Co'],
  })
  for (const name of ['Mia', 'Tom'])
    await post(`/api/suppliers/${euro}/contacts`, {
      name,
      email: `${name}@m.example`,
      phone: '1',
      role: 'Sales',
    })
  const plain = await makeSupplier(person, { name: 'Best' })
  const old = await makeSupplier(person, { name: 'Gone' })

  await makeSupplierProduct(person, {
    supplierId: euro,
    variantId: variantGid(1),
    supplierSku: 'M-001',
    supplierTitle: 'Tasse',
    packSize: 6,
    minimumQuantity: 12,
    quantityMultiple: 6,
    leadTimeDays: 20,
    packBarcode: '0123',
    prices: [
      { minQuantity: 1, price: 4.25, currency: 'EUR', validTo: '2026-12-31' },
      { minQuantity: 1, price: 4.5, currency: 'EUR', validFrom: '2027-01-01' },
      { minQuantity: 100, price: 4, currency: 'EUR' },
    ],
  } as object)
  await makeSupplierProduct(person, {
    supplierId: plain,
    variantId: variantGid(1),
    isActive: false,
  } as object)
  await makeSupplierProduct(person, {
    supplierId: plain,
    variantId: variantGid(2),
    supplierSku: 'B2',
  } as object)

  await makeOrder(person, {
    supplierId: plain,
    notes: 'a draft\nof two lines',
    lineItems: [line(4, { quantity: 2, costPrice: 1.2345 })],
  })
  const partial = await makeSentOrder(person, {
    supplierId: euro,
    currency: 'EUR',
    rate: 1.1,
    discount: 3,
    reference: 'R-1',
    supplierReference: 'S-1',
    supplierNotes: 'Ring the bell',
    cc: ['a@b.example', 'c@d.example'],
    expectedAt: '2027-02-03T09:30:00Z',
    destinationLocationId: locationGid(2),
    lineItems: [
      line(1, {
        quantity: 12,
        costPrice: 4.25,
        discountPercent: 10,
        taxRate: 19,
        supplierSku: 'M-001',
        packSize: 6,
      }),
      line(2, { quantity: 5, costPrice: 7, taxRate: 7 }),
      line(2, { quantity: 3, costPrice: 6, title: 'The same again' }),
    ],
  })
  const { lineItems } = await readOrder(person, partial.id)
  const ids = lineItems.map(({ id }) => id)
  await post(`/api/purchase-orders/${partial.id}/charges`, { kind: 'freight', amount: 10, basis: 'value' })
  await post(`/api/purchase-orders/${partial.id}/charges`, {
    kind: 'duty',
    amount: 9,
    currency: 'EUR',
    taxRate: 19,
    basis: 'manual',
    shares: [
      { lineItemId: ids[0], amount: 5.5 },
      { lineItemId: ids[2], amount: 3.5 },
    ],
  })
  await post(`/api/purchase-orders/${partial.id}/charges`, {
    kind: 'handling',
    amount: 2,
    basis: 'quantity',
    lineItemIds: [ids[1]],
    isEstimate: true,
  })
  await postCounts(person, partial.id, [
    { accepted: 4 },
    { accepted: 3, rejected: 2, rejectReason: 'broken', rejectOutcome: 'credit', unitCost: 6.5 },
  ])
  const second = await makeDraft(person, partial.id, [{ accepted: 1 }], {
    deliveryNote: 'DN 7',
    notes: 'late\nagain',
    locationId: locationGid(1),
  })
  await post(`/api/purchase-orders/${partial.id}/receipts/${second.id}/post`, {})
  const wrong = await postCounts(person, partial.id, [{ accepted: 1 }])
  await post(`/api/purchase-orders/${partial.id}/receipts/${wrong.id}/reverse`, {})

  await makeSentOrder(person, {
    supplierId: plain,
    tax: 2.5,
    lineItems: [line(3, { quantity: 4, taxRate: 5 })],
  })
  await makeOrder(person, {
    supplierId: plain,
    lineItems: [line(4, { quantity: 0, costPrice: null }), line(5, { quantity: 3 })],
  })
  const short = await makeSentOrder(person, { supplierId: plain, lineItems: [line(5, { quantity: 6 })] })
  await postCounts(person, short.id, [{ accepted: 2 }])
  await post(`/api/purchase-orders/${short.id}/close`, {})
  await makeOrderIn(person, 'received', { supplierId: old })
  // archived, since it has an order
  await person.delete(`/api/suppliers/${old}`)
  await makeOrderIn(person, 'cancelled', { supplierId: euro })
  await makeDirectReceipt(person, { supplierId: plain, deliveryNote: 'D-1', notes: 'by hand' })
  await makeDirectReceipt(person)

  await makeRule(person, { supplierId: plain, locationId: locationGid(2) })
  await makeRule(person, {
    variantId: variantGid(2),
    reorderPoint: 4,
    reorderQuantity: 9,
    serviceLevel: 98,
    reviewDays: 30,
  })
  await makeRule(person, { variantId: variantGid(3), maxLevel: 40 })
}
