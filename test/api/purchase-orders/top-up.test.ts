import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { makeSupplierProduct, setSupplierTerms } from '../../support/make/catalogue-terms.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { setVelocity } from '../../support/make/reorder.ts'
import { makeStock } from '../../support/make/stock.ts'

t.test('a top-up fills the gap pack by pack where the cover is shortest', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3, available: 0 })
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(db, alice, { supplierId, packSize: 6, prices: [{ price: 2 }] })
  await makeSupplierProduct(db, alice, { supplierId, variant: 2, packSize: 10, prices: [{ price: 1 }] })
  await setVelocity(db, alice, 1, 30)
  await setVelocity(db, alice, 2, 30)
  await setSupplierTerms(db, alice, supplierId, { minimumValue: 100 })
  const lineItems = [
    line(1, { quantity: 12, costPrice: 2 }),
    line(2, { quantity: 20, costPrice: 1 }),
    line(3, { quantity: 1, costPrice: 6 }),
  ]
  const { id } = await makeOrder(alice, { supplierId, lineItems })
  t.match(await readOrder(alice, id), { supplierMinimum: { value: 100, shortBy: 50 } })
  // covers 12, 20: A to 18, A to 24, B to 30, A to 30; 12 + 12 + 10 + 12 = 46, then A and B have 30 days: A to 36
  const answer = await alice.post(`/api/purchase-orders/${id}/top-up`)
  t.equal(answer.statusCode, 200, answer.body)
  t.match(answer.json().data, {
    total: 108,
    supplierMinimum: { shortBy: 0 },
    added: [
      { sku: 'SKU-1', addedQuantity: 24, quantity: 36 },
      { sku: 'SKU-2', addedQuantity: 10, quantity: 30 },
    ],
  })
  expectFailure(t, await alice.post(`/api/purchase-orders/${id}/top-up`), 422, 'minimum_met')
})

t.test('a top-up fills up to free freight on request', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const supplierId = await makeSupplier(alice, { freeFreightValue: 50 })
  const { id } = await makeOrder(alice, { supplierId, lineItems: [line(1, { quantity: 20, costPrice: 2 })] })
  const url = `/api/purchase-orders/${id}/top-up`
  expectFailure(t, await alice.post(url), 422, 'no_minimum')
  const answer = await alice.post(url, { to: 'free_freight' })
  t.match(answer.json().data, {
    total: 50,
    freeFreight: { value: 50, shortBy: 0 },
    added: [{ addedQuantity: 5 }],
  })
  expectFailure(t, await alice.post(url, { to: 'free_freight' }), 422, 'minimum_met')
})

t.test('lines of one product have one cover', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, available: 0 })
  const supplierId = await makeSupplier(alice)
  await setVelocity(db, alice, 1, 30)
  await setVelocity(db, alice, 2, 30)
  await setSupplierTerms(db, alice, supplierId, { minimumQuantity: 38 })
  const lineItems = [line(1, { quantity: 10 }), line(2, { quantity: 15 }), line(1, { quantity: 10 })]
  const { id } = await makeOrder(alice, { supplierId, lineItems })
  // one of each sells a day: the first lasts 20 days, the second 15, so the second gets the 3 missing pieces
  const { added } = (await alice.post(`/api/purchase-orders/${id}/top-up`)).json().data
  t.match(added, [{ sku: 'SKU-2', addedQuantity: 3, quantity: 18 }])
})

t.test('a top-up rounds amounts as the order does', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const supplierId = await makeSupplier(alice)
  await setSupplierTerms(db, alice, supplierId, { minimumValue: 9.05 })
  const lineItems = [line(1, { quantity: 8, costPrice: 1.005 })]
  const { id } = await makeOrder(alice, { supplierId, lineItems })
  // 9 at 1.005 are 9.045, rounded half up 9.05: one piece is enough
  t.match((await alice.post(`/api/purchase-orders/${id}/top-up`)).json().data, {
    total: 9.05,
    supplierMinimum: { shortBy: 0 },
    added: [{ addedQuantity: 1, quantity: 9 }],
  })
})

t.test('a top-up uses the price break that it reaches', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 0 })
  const supplierId = await makeSupplier(alice)
  const prices = [{ price: 2 }, { price: 1.8, minQuantity: 48 }]
  await makeSupplierProduct(db, alice, { supplierId, packSize: 12, prices })
  await setSupplierTerms(db, alice, supplierId, { minimumQuantity: 40 })
  const { sku: _sku, title: _title, costPrice: _cost, ...wanted } = line(1, { quantity: 12 })
  const { id } = await makeOrder(alice, { supplierId, lineItems: [wanted] })
  await alice.post(`/api/purchase-orders/${id}/top-up`)
  t.match(await readOrder(alice, id), { subtotal: 86.4, lineItems: [{ quantity: 48, costPrice: 1.8 }] })
})

t.test('a top-up needs a draft, a minimum, a gap and a line', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice)
  const { id } = await makeOrder(alice, { supplierId, lineItems: [] })
  const topUp = (orderId: number, body?: object) => alice.post(`/api/purchase-orders/${orderId}/top-up`, body)
  expectFailure(t, await topUp(id), 422, 'no_minimum')
  await setSupplierTerms(db, alice, supplierId, { minimumValue: 100 })
  expectFailure(t, await topUp(id), 422, 'cannot_top_up')
  expectFailure(t, await topUp(id, { version: 9 }), 409, 'stale_version')
  const cheap = await makeOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 0.001 })] })
  expectFailure(t, await topUp(cheap.id), 422, 'cannot_top_up')
  const sent = await makeSentOrder(alice, { supplierId })
  expectFailure(t, await topUp(sent.id), 409, 'conflict')
  expectFailure(t, await mallory.post(`/api/purchase-orders/${id}/top-up`), 404, 'not_found')
})

t.test('a duplicate has the lines of the order and the prices of today', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(db, alice, { supplierId, packSize: 6, prices: [{ price: 3 }] })
  const { id, poNumber } = await makeSentOrder(alice, {
    supplierId,
    lineItems: [
      line(1, { quantity: 10, costPrice: 2 }),
      line(2, { quantity: 1, costPrice: 4, discountPercent: 5 }),
    ],
    ...{
      notes: 'internal',
      supplierNotes: 'ring twice',
      reference: 'R1',
      tax: 3,
      discount: 2,
      cc: ['a@example.com'],
    },
  })
  const answer = await alice.post(`/api/purchase-orders/${id}/duplicate`)
  t.equal(answer.statusCode, 201, answer.body)
  const { data } = answer.json()
  t.not(data.poNumber, poNumber)
  t.match(data.warnings, [{ path: '/lineItems/0/quantity' }])
  t.match(await readOrder(alice, data.id), {
    ...{
      status: 'draft',
      supplierId,
      notes: '',
      supplierNotes: 'ring twice',
      reference: '',
      cc: ['a@example.com'],
    },
    ...{ tax: 0, isOwnTax: false, discount: 0, subtotal: 33.8 },
    lineItems: [
      { quantity: 10, costPrice: 3 },
      { quantity: 1, costPrice: 4, discountPercent: 5 },
    ],
  })
  expectFailure(t, await mallory.post(`/api/purchase-orders/${id}/duplicate`), 404, 'not_found')
  await alice.delete(`/api/suppliers/${supplierId}`)
  expectFailure(t, await alice.post(`/api/purchase-orders/${id}/duplicate`), 409, 'conflict')
})
