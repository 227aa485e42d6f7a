import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { getOrderDocument } from '../../../shared/domain/documents/purchase-orders/mail/document.ts'
import { readLineTerms } from '../../../shared/domain/records/supplier-prices/price-of-line.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { makeSupplierProduct, setSupplierTerms } from '../../support/make/catalogue-terms.ts'
import {
  line,
  makeMailedOrder,
  makeOrder,
  makeSentOrder,
  makeSupplier,
  readOrder,
  receive,
} from '../../support/make/orders.ts'
import { setTimeZone } from '../../support/make/sales.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  await makeStock(db, alice, { variants: 3 })
  await makeStock(db, mallory, { variants: 3 })
  return { ...people, supplierId: await makeSupplier(alice) }
}

const product = (number: number) => ({
  productId: `gid://platform/Product/${number}`,
  variantId: variantGid(number),
})

const setCost = (db: Db, { shopId }: Person, cost: number | null) =>
  db.query(sql.typeAlias('void')`update variant set unit_cost = ${cost} where shop_id = ${shopId}`)

const variantRow = (db: Db, { shopId }: Person, number: number) =>
  db.oneFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = ${variantGid(number)}
  `)

const post = (person: Person, body: object) => person.post('/api/purchase-orders', body)

t.test(
  'a line takes price, pack and supplier SKU from the catalogue, and packs make its quantity',
  async (t) => {
    const { db, alice, supplierId } = await start(t)
    await setSupplierTerms(db, alice, supplierId, { taxRate: 20 })
    const prices = [
      { price: 2, minQuantity: 1 },
      { price: 1.8, minQuantity: 48 },
    ]
    await makeSupplierProduct(db, alice, { supplierId, supplierSku: 'A-1', packSize: 6, prices })
    const lineItems = [
      { ...product(1), packs: 4 },
      { ...product(1), quantity: 48 },
      { ...product(1), quantity: 24, packs: 4, costPrice: 9 },
      { ...product(1), quantity: 0 },
    ]
    const answer = await post(alice, { supplierId, lineItems })
    t.equal(answer.statusCode, 201, answer.body)
    t.strictSame(answer.json().data.warnings, [])
    const order = await readOrder(alice, answer.json().data.id)
    t.match(order.lineItems, [
      {
        supplierSku: 'A-1',
        packSize: 6,
        packs: 4,
        quantity: 24,
        costPrice: 2,
        taxRate: 20,
        roundedUpBy: 0,
        lineTotal: 48,
      },
      { packs: 8, quantity: 48, costPrice: 1.8, lineTotal: 86.4 },
      { packs: 4, quantity: 24, costPrice: 9, lineTotal: 216 },
      { quantity: 0, costPrice: 2 },
    ])
    t.match(order, { subtotal: 350.4, tax: 70.08, isOwnTax: false, total: 420.48 })
  },
)

t.test('packs and a quantity that disagree are refused by name', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(db, alice, { supplierId, packSize: 6, prices: [{ price: 2 }] })
  const lineItems = [{ ...product(1), quantity: 24, packs: 5 }]
  const { details } = expectFailure(t, await post(alice, { supplierId, lineItems }), 422, 'packs_mismatch')
  t.match(details, [{ path: '/lineItems/0/packs', message: /5 packs of 6 are 30 pieces, not 24/ }])
})

t.test('packs of another size are counted, unless the quantity is given', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(db, alice, { supplierId, packSize: 6, prices: [{ price: 2 }] })
  const { id } = await makeOrder(alice, { supplierId, lineItems: [{ ...product(1), packs: 3 }] })
  const [first] = (await readOrder(alice, id)).lineItems
  const change = async (fields: object) => {
    const answer = await alice.put(`/api/purchase-orders/${id}`, {
      lineItems: [{ id: first?.id, ...fields }],
    })
    return answer.json().data.lineItems[0]
  }
  t.match(first, { quantity: 18, packSize: 6 })
  t.match(await change({ packs: 3 }), { quantity: 18, packSize: 6, packs: 3 })
  t.match(await change({ packSize: 9 }), { quantity: 18, packSize: 9, packs: 2 })
  t.match(await change({ packs: 2, packSize: 12 }), { quantity: 24, packSize: 12, packs: 2 })
  t.match(await change({ quantity: 24, packs: 2, packSize: 6 }), { quantity: 24, packSize: 6, packs: 4 })
})

t.test('a line without a known cost is kept without one', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setCost(db, alice, null)
  const lineItems = [
    { ...product(1), quantity: 1, costPrice: 1 },
    { ...product(2), quantity: 1 },
  ]
  const unknown = (await post(alice, { supplierId, lineItems })).json().data
  t.match(await readOrder(alice, unknown.id), {
    total: 1,
    unknownCosts: 1,
    lineItems: [{ costPrice: 1 }, { costPrice: null, lineTotal: null }],
  })
  await setCost(db, alice, 3)
  const { id } = (await post(alice, { supplierId, lineItems })).json().data
  t.match((await readOrder(alice, id)).lineItems, [{ costPrice: 1 }, { costPrice: 3 }])
  await makeSentOrder(alice, { supplierId, lineItems: [{ ...product(2), quantity: 1, costPrice: 7 }] })
  await makeOrder(alice, { supplierId, lineItems: [{ ...product(2), quantity: 1, costPrice: 0 }] })
  const later = (await post(alice, { supplierId, lineItems })).json().data
  t.match((await readOrder(alice, later.id)).lineItems, [{ costPrice: 1 }, { costPrice: 7 }])
})

t.test('a line that gets another variant gets the price of that variant, too', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(db, alice, { supplierId, variant: 2, prices: [{ price: 2 }] })
  const { id } = await makeOrder(alice, { supplierId, lineItems: [line(1, { quantity: 3, costPrice: 9 })] })
  const [first] = (await readOrder(alice, id)).lineItems
  const change = (number: number) =>
    alice.put(`/api/purchase-orders/${id}`, { lineItems: [{ id: first?.id, ...product(number) }] })
  t.match((await change(2)).json().data.lineItems, [{ id: first?.id, quantity: 3, costPrice: 2 }])
  t.match((await change(3)).json().data.lineItems, [{ quantity: 3, costPrice: null }])
})

t.test('quantities stay as they are typed, with warnings', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(db, alice, {
    supplierId,
    packSize: 6,
    minimumQuantity: 24,
    prices: [{ price: 2 }],
  })
  await makeSupplierProduct(db, alice, {
    supplierId,
    variant: 2,
    quantityMultiple: 10,
    prices: [{ price: 1 }],
  })
  const lineItems = [
    { ...product(1), quantity: 10 },
    { ...product(2), quantity: 20 },
    { ...product(2), quantity: 25 },
  ]
  const { id, warnings } = (await post(alice, { supplierId, lineItems })).json().data
  t.match(warnings, [
    { path: '/lineItems/0/quantity', message: /packs of 6, at least 24: 24 instead of 10/ },
    { path: '/lineItems/2/quantity', message: /multiples of 10: 30 instead of 25/ },
  ])
  const order = await readOrder(alice, id)
  t.match(order.lineItems, [{ quantity: 10, packs: null }, { quantity: 20 }, { quantity: 25 }])
  t.strictSame(order.warnings, warnings)
  const [first] = order.lineItems
  const changed = await alice.put(`/api/purchase-orders/${id}`, { lineItems: [{ id: first?.id, packs: 4 }] })
  t.match(changed.json().data, { warnings: [], lineItems: [{ quantity: 24, packs: 4 }] })
})

t.test('an open order keeps its pack size when the catalogue changes', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(db, alice, { supplierId, packSize: 6, prices: [{ price: 2 }] })
  const { id } = await makeOrder(alice, { supplierId, lineItems: [{ ...product(1), packs: 2 }] })
  await db.query(
    sql.typeAlias('void')`update supplier_product set pack_size = 10 where shop_id = ${alice.shopId}`,
  )
  const { data } = (await alice.put(`/api/purchase-orders/${id}`, { notes: 'x' })).json()
  t.match(data.lineItems, [{ packSize: 6, packs: 2, quantity: 12 }])
  const again = (await alice.post(`/api/purchase-orders/${id}/duplicate`)).json().data
  t.match((await readOrder(alice, again.id)).lineItems, [{ packSize: 10, quantity: 12, packs: null }])
  t.match(again.warnings, [{ path: '/lineItems/0/quantity' }])
})

t.test('a price that begins on Monday is used from Monday', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const prices = [
    { price: 2, validTo: '2026-03-01' },
    { price: 3, validFrom: '2026-03-02' },
  ]
  await makeSupplierProduct(db, alice, { supplierId, prices })
  const lines = [{ variantRowId: await variantRow(db, alice, 1), supplierId, quantity: 1, currency: 'USD' }]
  const priceOn = async (day: string) => (await readLineTerms(db, alice.shopId, lines, day))[0]?.price
  t.strictSame([await priceOn('2026-03-01'), await priceOn('2026-03-02')], [2, 3])
})

t.test("a price begins with the day of the shop's time zone", async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  // their days always differ, since the zones are 25 hours apart
  await setTimeZone(db, alice, 'Pacific/Kiritimati')
  await setTimeZone(db, mallory, 'Pacific/Pago_Pago')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(new Date())
  const before = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  const prices = [
    { price: 2, validTo: before },
    { price: 3, validFrom: today },
  ]
  const theirs = await makeSupplier(mallory)
  await makeSupplierProduct(db, alice, { supplierId, prices })
  await makeSupplierProduct(db, mallory, { supplierId: theirs, prices })
  const costOf = async (person: Person, ofSupplier: number) => {
    const lineItems = [{ ...product(1), quantity: 1 }]
    const { id } = await makeOrder(person, { supplierId: ofSupplier, lineItems })
    return (await readOrder(person, id)).lineItems[0]?.costPrice
  }
  t.equal(await costOf(alice, supplierId), 3)
  t.equal(await costOf(mallory, theirs), 2)
})

t.test("an order is in the supplier's currency with its decimals, and keeps its last rate", async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setCost(db, alice, 5)
  await setSupplierTerms(db, alice, supplierId, { currency: 'JPY', taxRate: 10 })
  await makeSupplierProduct(db, alice, {
    supplierId,
    prices: [{ price: 33.5, currency: 'JPY' }, { price: 1 }],
  })
  const lineItems = [{ ...product(1), quantity: 3, discountPercent: 10 }]
  const first = (await post(alice, { supplierId, lineItems })).json().data
  t.match(first, { currency: 'JPY', total: 99 })
  // 3 × 33.5 × 0.9 = 90.45, and 10 % of 90 are 9
  t.match(await readOrder(alice, first.id), {
    rate: null,
    subtotal: 90,
    tax: 9,
    lineItems: [{ costPrice: 33.5 }],
  })
  const typed = await alice.put(`/api/purchase-orders/${first.id}`, { rate: 0.0067 })
  t.match(typed.json().data, { rate: 0.0067 })
  const second = (await post(alice, { supplierId, lineItems })).json().data
  t.match(await readOrder(alice, second.id), { currency: 'JPY', rate: 0.0067 })
  // the cost of the variant is in the shop's currency, so it says nothing about yen
  const unknown = await post(alice, { supplierId, lineItems: [{ ...product(2), quantity: 1 }] })
  t.match((await readOrder(alice, unknown.json().data.id)).lineItems, [{ costPrice: null }])
  const decimals = await post(alice, { supplierId, lineItems, tax: 1.5 })
  t.match(expectFailure(t, decimals, 400, 'invalid_request').details, [
    { path: '/tax', message: 'must have at most 0 decimals in JPY' },
  ])
  const dinars = (
    await post(alice, {
      supplierId,
      currency: 'KWD',
      lineItems: [{ ...product(1), quantity: 1, costPrice: 1.2345 }],
    })
  ).json().data
  t.match(dinars, { currency: 'KWD', total: 1.359 })
  const shop = (await post(alice, { supplierId, currency: 'USD', lineItems })).json().data
  t.match(await readOrder(alice, shop.id), { currency: 'USD', rate: 1, subtotal: 2.7 })
  const rate = await post(alice, { supplierId, currency: 'USD', rate: 2, lineItems })
  t.match(expectFailure(t, rate, 400, 'invalid_request').details, [{ path: '/rate' }])
  const list = (await alice.get('/api/purchase-orders')).json().data
  t.strictSame(
    list.map(({ currency }: { currency: string }) => currency),
    ['USD', 'KWD', 'JPY', 'JPY', 'JPY'],
  )
})

t.test('the currency of a draft can change, and its prices stay', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const { id } = await makeOrder(alice, {
    supplierId,
    lineItems: [{ ...product(1), quantity: 3, costPrice: 2.555 }],
  })
  t.match(await readOrder(alice, id), { subtotal: 7.67, currency: 'USD' })
  const { data } = (await alice.put(`/api/purchase-orders/${id}`, { currency: 'JPY' })).json()
  t.match(data, { currency: 'JPY', rate: null, subtotal: 8, total: 8, lineItems: [{ costPrice: 2.555 }] })
  await setSupplierTerms(db, alice, supplierId, { currency: 'JPY' })
  expectFailure(
    t,
    await alice.put(`/api/purchase-orders/${id}`, { currency: 'euro' }),
    400,
    'invalid_request',
  )
})

t.test('a discount of the order lowers its tax, and is at most the subtotal', async (t) => {
  const { alice, supplierId } = await start(t)
  const lineItems = [{ ...product(1), quantity: 10, costPrice: 1, taxRate: 20 }]
  const { id } = await makeOrder(alice, { supplierId, lineItems, discount: 4 })
  t.match(await readOrder(alice, id), { subtotal: 10, discount: 4, tax: 1.2, total: 7.2 })
  const lower = (await alice.put(`/api/purchase-orders/${id}`, { discount: 5 })).json().data
  t.match(lower, { tax: 1, total: 6, version: 2 }, '2.00 x (1 - 5 / 10)')
  const more = await alice.put(`/api/purchase-orders/${id}`, { discount: 10.01 })
  t.match(expectFailure(t, more, 422, 'discount_too_large').details, [{ path: '/discount' }])
  const typed = (await alice.put(`/api/purchase-orders/${id}`, { tax: 3, discount: null })).json().data
  t.match(typed, { tax: 3, isOwnTax: true, discount: 0, total: 13 })
  const off = (await alice.put(`/api/purchase-orders/${id}`, { discount: 5 })).json().data
  t.match(off, { tax: 3, isOwnTax: true, total: 8 }, 'a typed tax stays')
  const computed = (await alice.put(`/api/purchase-orders/${id}`, { tax: null, discount: 0 })).json().data
  t.match(computed, { tax: 2, isOwnTax: false, total: 12 })
})

t.test('the tax of an order with a discount is rounded once, and follows a revision', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const lineItems = [20, 7, 0].map((taxRate, at) => ({
    ...product(at === 2 ? 1 : at + 1),
    ...{ quantity: 1, costPrice: 3.33, taxRate },
  }))
  const { id } = await makeMailedOrder(db, alice, { supplierId, lineItems, discount: 3.33 })
  // 0.67 and 0.23 of the lines, and two thirds of them are taxed
  const order = await readOrder(alice, id)
  t.match(order, { subtotal: 9.99, tax: 0.6, total: 7.26 })
  const pdf = await getOrderDocument(db, alice.shopId, id)
  t.match(pdf, { discount: 3.33, tax: 0.6, total: 7.26 })
  const [first, ...others] = order.lineItems
  const revised = await alice.post(`/api/purchase-orders/${id}/revise`, {
    version: order.version,
    lineItems: [{ id: first?.id, quantity: 2 }, ...others.map(({ id }) => ({ id }))],
  })
  t.equal(revised.statusCode, 200, revised.body)
  // 1.33 and 0.23, of which three quarters are taxed
  t.match(revised.json().data, { subtotal: 13.32, tax: 1.17, total: 11.16 })
})

t.test('an order keeps the tax that it has until its lines, discount or tax change', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const lineItems = [{ ...product(1), quantity: 10, costPrice: 10, taxRate: 20 }]
  const { id } = await makeOrder(alice, { supplierId, lineItems, discount: 50 })
  await db.query(sql.typeAlias('void')`
    update purchase_order set tax = 20 where shop_id = ${alice.shopId} and id = ${id}
  `)
  const noted = (await alice.put(`/api/purchase-orders/${id}`, { notes: 'Of before' })).json().data
  t.match(noted, { tax: 20, total: 70 })
  const [{ id: lineId }] = noted.lineItems
  const edited = await alice.put(`/api/purchase-orders/${id}`, { lineItems: [{ id: lineId, quantity: 5 }] })
  t.match(edited.json().data, { subtotal: 50, tax: 0, total: 0 })
})

t.test("the supplier's minimum and free freight say what is missing", async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setSupplierTerms(db, alice, supplierId, { minimumValue: 200, minimumQuantity: 5, freeFreight: 500 })
  const { id } = await makeOrder(alice, {
    supplierId,
    lineItems: [{ ...product(1), quantity: 6, costPrice: 3 }],
  })
  t.match(await readOrder(alice, id), {
    supplierMinimum: { value: 200, shortBy: 182 },
    supplierMinimumQuantity: { quantity: 5, shortBy: 0 },
    freeFreight: { value: 500, shortBy: 482 },
  })
  const { data } = (await alice.put(`/api/purchase-orders/${id}`, { currency: 'EUR' })).json()
  t.match(data, { supplierMinimum: null, freeFreight: null, supplierMinimumQuantity: { shortBy: 0 } })
})

t.test('a receipt stores the cost in the currency of the shop', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setCost(db, alice, 1)
  const costOf = () =>
    db.oneFirst(sql.type(row(Type.Object({ unitCost: Type.Number() })))`
      select unit_cost from variant where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
    `)
  const lineItems = [{ ...product(1), quantity: 2, costPrice: 100, discountPercent: 10 }]
  const unknown = await makeSentOrder(alice, { supplierId, currency: 'CNY', lineItems })
  t.equal((await receive(alice, unknown.id, [2])).statusCode, 200)
  const before = await costOf()
  const known = await makeSentOrder(alice, { supplierId, currency: 'CNY', rate: 0.139, lineItems })
  await receive(alice, known.id, [2])
  t.strictSame([before, await costOf()], [1, 12.51])
})

t.test('the spend report converts by rate and names orders without one', async (t) => {
  const { alice, supplierId } = await start(t)
  const lineItems = [{ ...product(1), quantity: 1, costPrice: 100 }]
  await makeSentOrder(alice, { supplierId, lineItems })
  await makeSentOrder(alice, { supplierId, currency: 'CNY', lineItems })
  await makeSentOrder(alice, { supplierId, currency: 'EUR', rate: 1.1, lineItems })
  const { data } = (await alice.get('/api/reports/procurement-spend')).json()
  t.match(data, {
    totalSpend: 210,
    orderCount: 3,
    currency: 'USD',
    withoutRate: [{ currency: 'CNY', total: 100, orderCount: 1 }],
    bySupplier: [{ spend: 210, orderCount: 3 }],
  })
})

t.test('a variant in two packagings has the terms of the one that a line names', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setCost(db, alice, 5)
  const single = { supplierId, supplierSku: 'V-1', prices: [{ price: 2 }] }
  const box = { packSize: 12, minimumQuantity: 48, quantityMultiple: 24, prices: [{ price: 1.8 }] }
  await makeSupplierProduct(db, alice, single)
  await makeSupplierProduct(db, alice, { supplierId, supplierSku: 'V-CS', rank: 2, ...box })
  const address = `/api/suppliers/${supplierId}/terms?variantIds=${encodeURIComponent(variantGid(1))}`
  const [terms] = (await alice.get(address)).json().data.variants
  t.match(terms, { supplierSku: 'V-1', packSize: 1, price: 2, priceSource: 'catalogue' })
  t.match(terms.others, [
    { supplierSku: 'V-CS', packSize: 12, minimumQuantity: 48, quantityMultiple: 24, price: 1.8 },
  ])
  t.match(terms.unlisted, { supplierSku: '', packSize: 1, price: 5, priceSource: 'variant', breaks: [] })
  const lineItems = ['V-1', 'V-CS', 'V-NEW'].map((supplierSku) => ({
    ...product(1),
    quantity: 55,
    supplierSku,
  }))
  const { id, warnings } = (await post(alice, { supplierId, lineItems })).json().data
  t.match((await readOrder(alice, id)).lineItems, [
    { supplierSku: 'V-1', packSize: 1, costPrice: 2 },
    { supplierSku: 'V-CS', packSize: 12, costPrice: 1.8 },
    { supplierSku: 'V-NEW', packSize: 1, costPrice: 5 },
  ])
  // packs of 12 in multiples of 24, at least 48: the first multiple of 24 from 55 on is 72
  t.match(warnings, [{ path: '/lineItems/1/quantity', message: /: 72 instead of 55/ }])
})

t.test('the last cost is that of the same packaging, if it was ordered', async (t) => {
  const { db, alice, supplierId } = await start(t)
  for (const [at, supplierSku] of ['S', 'C', 'N'].entries())
    await makeSupplierProduct(db, alice, { supplierId, supplierSku, rank: at + 1 })
  const ordered = [
    { supplierSku: 'S', costPrice: 2.2 },
    { supplierSku: 'C', costPrice: 1.8 },
  ]
  for (const each of ordered)
    await makeSentOrder(alice, { supplierId, lineItems: [{ ...product(1), quantity: 1, ...each }] })
  const lineItems = ['S', 'C', 'N'].map((supplierSku) => ({ ...product(1), quantity: 1, supplierSku }))
  const { id } = await makeOrder(alice, { supplierId, lineItems })
  t.match((await readOrder(alice, id)).lineItems, [
    { supplierSku: 'S', costPrice: 2.2 },
    { supplierSku: 'C', costPrice: 1.8 },
    { supplierSku: 'N', costPrice: 1.8 },
  ])
  const sold = (await alice.get(`/api/suppliers/${supplierId}/products`)).json().data
  t.match(sold, [
    { supplierSku: 'N', lastCost: 1.8 },
    { supplierSku: 'C', lastCost: 1.8 },
    { supplierSku: 'S', lastCost: 2.2 },
  ])
  const found = await alice.post('/api/variants/find', { codes: ['SKU-1'], supplierId })
  t.match(found.json().data, [{ variants: [{ costPrice: 2.2 }] }])
})

t.test('a line with its own discount gets the price before the discount of the last order', async (t) => {
  const { alice, supplierId } = await start(t)
  const paid = { ...product(1), quantity: 1, costPrice: 100, discountPercent: 10 }
  await makeSentOrder(alice, { supplierId, lineItems: [paid] })
  const address = `/api/suppliers/${supplierId}/terms?variantIds=${encodeURIComponent(variantGid(1))}`
  t.match((await alice.get(address)).json().data.variants, [
    { price: 90, fullPrice: 100, priceSource: 'last_order' },
  ])
  const next = { ...product(1), quantity: 1 }
  const { id } = await makeOrder(alice, { supplierId, lineItems: [next, { ...next, discountPercent: 20 }] })
  // 90 was paid; a discount of 20 % is on the price of 100, and not on the 90
  t.match((await readOrder(alice, id)).lineItems, [
    { costPrice: 90, discountPercent: 0, lineTotal: 90 },
    { costPrice: 100, discountPercent: 20, lineTotal: 80 },
  ])
})

t.test('a draft and a cancelled order give no last price', async (t) => {
  const { alice, supplierId } = await start(t)
  const at = (costPrice: number) => ({ supplierId, lineItems: [{ ...product(1), quantity: 1, costPrice }] })
  await makeSentOrder(alice, at(4))
  const { id } = await makeSentOrder(alice, at(7))
  t.equal((await alice.post(`/api/purchase-orders/${id}/cancel`)).statusCode, 200)
  await makeOrder(alice, at(9))
  const address = `/api/suppliers/${supplierId}/terms?variantIds=${encodeURIComponent(variantGid(1))}`
  t.match((await alice.get(address)).json().data.variants, [{ price: 4, priceSource: 'last_order' }])
})

t.test('the terms of a supplier are those of its shop', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  await setSupplierTerms(db, alice, supplierId, { currency: 'EUR', minimumValue: 50, taxRate: 19 })
  const prices = [
    { price: 2, currency: 'EUR' },
    { price: 1.8, minQuantity: 48, currency: 'EUR' },
  ]
  await makeSupplierProduct(db, alice, {
    supplierId,
    supplierSku: 'A-1',
    packSize: 6,
    minimumQuantity: 24,
    prices,
  })
  const address = `/api/suppliers/${supplierId}/terms?variantIds=${encodeURIComponent([variantGid(1), variantGid(2)].join(','))}`
  const { data } = (await alice.get(address)).json()
  t.match(data, { currency: 'EUR', minorDigits: 2, rate: null, taxRate: 19, minimumOrderValue: 50 })
  const [first] = data.variants
  t.match(first, {
    ...{ variantId: variantGid(1), supplierSku: 'A-1', packSize: 6, minimumQuantity: 24, price: 2 },
    breaks: [
      { minQuantity: 1, price: 2 },
      { minQuantity: 48, price: 1.8 },
    ],
  })
  t.equal(data.variants.length, 2)
  expectFailure(t, await mallory.get(address), 404, 'not_found')
  expectFailure(t, await alice.get(`/api/suppliers/${supplierId}/terms?variantIds=1`), 400, 'invalid_request')
})
