import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf, product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { sell } from '../../support/make/sales.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

const reported = { cost: '4.25', itemUpdatedAt: '2026-03-01T12:00:00Z' }

/** Alice's variants 1 and 2 at two places, with all that the platform reports of variant 1. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const facts = { vendor: 'Kiln & Co', productType: 'Mugs', tags: ['clay', 'gift'] }
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, [product(1, [variant(1, reported)], facts)]))
  return {
    db,
    alice,
    mallory,
    read: async (number: number | string, person: Person = alice) =>
      (await person.get(`/api/variants/${number}`)).json().data,
  }
}

t.test('a variant is shown with its stock, orders, sales, rules, suppliers and cost', async (t) => {
  const { db, alice, read } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Kiln', leadTimeDays: 5 })
  const lineItems = (costPrice: number, quantity: number) => [line(1, { costPrice, quantity }), line(2)]
  const late = await makeSentOrder(alice, {
    supplierId,
    lineItems: lineItems(3, 10),
    expectedAt: '2026-01-05T10:00:00Z',
  })
  const due = await makeSentOrder(alice, { supplierId, lineItems: lineItems(3.5, 4) })
  await makeOrder(alice, { supplierId, lineItems: lineItems(4, 1) })
  const other = await makeSupplier(alice, { name: 'Other' })
  const ruleId = await makeRule(alice, { supplierId: other })
  await sell(db, alice, [
    [1, 7, 3],
    [1, 23, 20],
    [2, 5, 1],
  ])
  const { levels, onOrder, velocity, rules, suppliers, ...facts } = await read(1)
  t.strictSame(facts, {
    variantId: variantGid(1),
    productId: gidOf('Product', 1),
    sku: 'SKU-1',
    barcode: '001',
    title: 'Mug 1 - Size 1',
    vendor: 'Kiln & Co',
    productType: 'Mugs',
    tags: ['clay', 'gift'],
    price: 9.5,
    unitCost: 4.25,
    costSource: 'platform',
    costAt: '2026-03-01T12:00:00.000Z',
    weightGrams: null,
    isTracked: true,
    isDeleted: false,
  })
  const [level] = (await alice.get(`/api/stock-levels?variantId=${variantGid(1)}`)).json().data
  t.equal(levels.length, 2)
  t.strictSame(levels[0], level, 'a level is as in the list of levels')
  t.match(onOrder, [
    {
      purchaseOrderId: late.id,
      poNumber: late.poNumber,
      quantity: 10,
      expectedAt: '2026-01-05T10:00:00.000Z',
      isLate: true,
    },
    { purchaseOrderId: due.id, quantity: 4, expectedAt: /Z$/, isLate: false },
  ])
  t.match(velocity, {
    '7d': { unitsSold: 7, avgDailySales: 1 },
    '30d': { unitsSold: 30 },
    '90d': { unitsSold: 30 },
  })
  t.match(rules, [{ id: ruleId, variantId: variantGid(1), supplierId: other }])
  t.match(suppliers, [
    {
      supplierId,
      supplierName: 'Kiln',
      leadTimeDays: 5,
      lastCostPrice: 4,
      lastOrderedAt: /Z$/,
      orderCount: 3,
    },
    {
      supplierId: other,
      supplierName: 'Other',
      leadTimeDays: null,
      lastCostPrice: null,
      lastOrderedAt: null,
      orderCount: 0,
    },
  ])
})

t.test('received and cancelled pieces are not on order', async (t) => {
  const { alice, read } = await start(t)
  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const [first] = (await readOrder(alice, order.id)).lineItems
  const receive = (quantityReceived: number) =>
    alice.post(`/api/purchase-orders/${order.id}/receive`, {
      lineItems: [{ lineItemId: first?.id, quantityReceived }],
    })
  await receive(4)
  t.match((await read(1)).onOrder, [{ purchaseOrderId: order.id, quantity: 6 }])
  t.equal((await alice.post(`/api/purchase-orders/${order.id}/close`)).statusCode, 200)
  t.strictSame((await read(1)).onOrder, [])
})

t.test('a receipt and a person change the cost, and null takes that of the platform again', async (t) => {
  const { alice, read } = await start(t)
  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2, costPrice: 5.125 })] })
  const [first] = (await readOrder(alice, order.id)).lineItems
  const lineItems = [{ lineItemId: first?.id, quantityReceived: 1 }]
  t.equal((await alice.post(`/api/purchase-orders/${order.id}/receive`, { lineItems })).statusCode, 200)
  t.match(await read(1), { unitCost: 5.125, costSource: 'receipt', costAt: /Z$/ })

  t.match((await alice.put('/api/variants/1', { unitCost: 6 })).json().data, {
    variantId: variantGid(1),
    unitCost: 6,
    costSource: 'manual',
    costAt: /Z$/,
  })
  t.match(await read(1), { unitCost: 6, costSource: 'manual' })
  t.match((await alice.put('/api/variants/1', { unitCost: null })).json().data, {
    unitCost: 4.25,
    costSource: 'platform',
    costAt: '2026-03-01T12:00:00.000Z',
  })
  await alice.put('/api/variants/2', { unitCost: 6 })
  t.match((await alice.put('/api/variants/2', { unitCost: null })).json().data, {
    unitCost: null,
    costSource: null,
  })
})

t.test('the value of the stock uses the cost from the first day', async (t) => {
  const { alice } = await start(t)
  const today = (await alice.get('/api/reports/inventory-value')).json().data
  t.match(today, [
    { quantity: 20, value: 42.5, uncostedQuantity: 10 },
    { quantity: 20, value: 42.5 },
  ])
  const dead = (await alice.get('/api/reports/dead-stock')).json().data
  t.strictSame(dead, [], 'velocity is not computed yet')
})

t.test('a deleted variant is still shown, and its cost cannot change', async (t) => {
  const { db, alice, read } = await start(t)
  await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${alice.shopId} and gid = ${variantGid(2)}
  `)
  t.match(await read(2), { sku: 'SKU-2', isDeleted: true, levels: [], velocity: { '7d': null } })
  expectFailure(t, await alice.put('/api/variants/2', { unitCost: 1 }), 404, 'not_found')
})

t.test('ids keep all their digits', async (t) => {
  const { db, alice, read } = await start(t)
  const digits = '9007199254740993'
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, [product(digits, [variant(digits)])]))
  t.equal((await read(digits)).variantId, gidOf('ProductVariant', digits))
  expectFailure(t, await alice.get('/api/variants/9007199254740992'), 404, 'not_found')
})

t.test('a variant of another shop is not found and does not change', async (t) => {
  const { db, alice, mallory, read } = await start(t)
  await db.transaction((tx) =>
    upsertProducts(tx, mallory.shopId, [product(1, [variant(1)]), product(9, [variant(9, reported)])]),
  )
  expectFailure(t, await alice.get('/api/variants/9'), 404, 'not_found')
  expectFailure(t, await alice.put('/api/variants/9', { unitCost: 1 }), 404, 'not_found')
  t.match(await read(9, mallory), { unitCost: 4.25 })
  // both shops have a variant 1: each sees and changes only its own
  await makeSentOrder(mallory, { lineItems: [line(1, { quantity: 99 })] })
  t.match(await read(1), { onOrder: [], suppliers: [] })
  t.equal((await read(1)).levels.length, 2)
  await alice.put('/api/variants/1', { unitCost: 8 })
  t.match(await read(1, mallory), { unitCost: null, levels: [] })
})

t.test('invalid ids and costs are refused', async (t) => {
  const { alice } = await start(t)
  for (const id of ['0', '-1', '1.5', 'abc', '1'.repeat(21)]) {
    expectFailure(t, await alice.get(`/api/variants/${id}`), 400, 'invalid_request', id)
  }
  for (const body of [
    { unitCost: -1 },
    { unitCost: 1.23456 },
    { unitCost: '1' },
    { unitCost: 1e10 },
    { surprise: 'A' },
  ]) {
    expectFailure(t, await alice.put('/api/variants/1', body), 400, 'invalid_request', JSON.stringify(body))
  }
  t.equal((await alice.get('/api/variants/1')).json().data.unitCost, 4.25)
})

t.test('a cost that repeats the stored one keeps its origin', async (t) => {
  const { alice } = await start(t)
  const { data: before } = (await alice.get('/api/variants/1')).json()
  for (const body of [{}, { unitCost: before.unitCost }, { sku: 'A' }]) {
    t.equal((await alice.put('/api/variants/1', body)).statusCode, 200, JSON.stringify(body))
    t.strictSame((await alice.get('/api/variants/1')).json().data, before, JSON.stringify(body))
  }
})
