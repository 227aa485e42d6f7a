import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeSentOrder, makeSupplier, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeDirectReceipt } from '../../support/make/receipts.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
import { makeReturn, makeShippedReturn, readReturn, returned } from '../../support/make/supplier-returns.ts'

const credit = (person: Person, id: number, body: object) =>
  person.post(`/api/supplier-returns/${id}/credit`, body)
const spendOf = async (person: Person, query = '') =>
  (await person.get(`/api/reports/procurement-spend${query}`)).json().data

t.test('the credit of a shipped return is entered, and corrected', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeShippedReturn(alice)
  const first = await credit(alice, id, { creditAmount: 12.5, creditReference: 'CN-77' })
  t.match(first.json().data, { state: 'credited', alreadyApplied: false })
  const { creditedAt, ...entered } = await readReturn(alice, id)
  t.match(entered, { creditAmount: 12.5, creditReference: 'CN-77', currency: 'USD', rate: 1 })
  await credit(alice, id, { creditAmount: 12.05 })
  const corrected = { creditAmount: 12.05, creditedAt }
  t.match(await readReturn(alice, id), { ...corrected, creditReference: 'CN-77' }, 'an omitted one stays')
  await credit(alice, id, { creditAmount: 12.05, creditReference: null })
  t.match(await readReturn(alice, id), { ...corrected, creditReference: '' })
  const { details } = expectFailure(
    t,
    await credit(alice, id, { creditAmount: 1.005 }),
    400,
    'invalid_request',
  )
  t.strictSame(details, [{ path: '/creditAmount', message: 'must have at most 2 decimals in USD' }])
  const rated = expectFailure(
    t,
    await credit(alice, id, { creditAmount: 1, rate: 2 }),
    400,
    'invalid_request',
  )
  t.match(rated.details, [{ path: '/rate' }])
  expectFailure(t, await credit(alice, id, { creditAmount: -1 }), 400, 'invalid_request')
})

t.test('of two users that enter a credit, the second gets stale_version', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeShippedReturn(alice)
  const { version } = await readReturn(alice, id)
  const entered = { creditAmount: 12.5, creditReference: 'CN-77', version }
  t.match((await credit(alice, id, entered)).json().data, { alreadyApplied: false, version: version + 1 })
  expectFailure(t, await credit(alice, id, { creditAmount: 11, version }), 409, 'stale_version')
  t.match((await credit(alice, id, entered)).json().data, { alreadyApplied: true }, 'nothing is lost')
  t.match(await readReturn(alice, id), { creditAmount: 12.5, version: version + 1 })
})

t.test('the expected credit is computed before the price of a piece is rounded', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice)
  const { id } = await makeSentOrder(alice, {
    supplierId,
    lineItems: [line(1, { quantity: 10_000, costPrice: 0.01, discountPercent: 2.5 })],
  })
  await receive(alice, id, [10_000])
  const [receipt] = await receiptsOf(alice, id)
  const lines = [returned(1, 10_000)]
  const sent = await makeReturn(alice, { supplierId, receiptId: receipt?.id ?? 0, lines })
  // 10 000 x 0.00975
  t.match(await readReturn(alice, sent), { expectedCredit: 97.5, lines: [{ unitPrice: 0.0098 }] })
})

t.test('a credit that repeats the stored one changes nothing', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeShippedReturn(alice)
  const body = { creditAmount: 12.5, creditReference: 'CN-77' }
  const { version } = (await credit(alice, id, body)).json().data
  const before = await readReturn(alice, id)
  t.match((await credit(alice, id, body)).json().data, {
    id,
    state: 'credited',
    version,
    alreadyApplied: true,
  })
  t.strictSame(await readReturn(alice, id), before)
  for (const change of [{ creditAmount: 12.6 }, { creditReference: 'CN-78' }]) {
    const changed = (await credit(alice, id, { ...body, ...change })).json().data
    t.match(changed, { alreadyApplied: false })
    await credit(alice, id, body)
  }
  const foreign = await makeShippedReturn(alice, {
    supplierId: await makeSupplier(alice, { currency: 'EUR' }),
  })
  await credit(alice, foreign, { ...body, rate: 1.2 })
  await makeSentOrder(alice, { currency: 'EUR', rate: 1.25 })
  await credit(alice, foreign, { ...body, rate: 1.2 })
  const rates = (await alice.get('/api/exchange-rates')).json().data
  t.match(rates, [{ currency: 'EUR', rate: 1.25 }], 'a repeat does not replace a newer rate')
  for (const [rate, alreadyApplied] of [
    [1.2, true],
    [undefined, true],
    [1.3, false],
  ] as const)
    t.match((await credit(alice, foreign, { ...body, rate })).json().data, { alreadyApplied }, `rate ${rate}`)
})

t.test('a credit lowers the spend of the supplier and of its month', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const [acme, best] = [await makeSupplier(alice), await makeSupplier(alice, { name: 'Best' })]
  const order = await makeSentOrder(alice, {
    supplierId: acme,
    lineItems: [line(1, { quantity: 9, costPrice: 10 })],
  })
  await db.query(sql.typeAlias('void')`
    update purchase_order set sent_at = '2026-05-10T12:00:00Z' where shop_id = ${alice.shopId} and id = ${order.id}
  `)
  for (const [supplierId, amount] of [
    [acme, 25.5],
    [best, 4],
  ] as const) {
    const id = await makeShippedReturn(alice, { supplierId })
    await credit(alice, id, { creditAmount: amount })
    await db.query(sql.typeAlias('void')`
      update supplier_return set credited_at = '2026-07-01T12:00:00Z' where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
  await makeShippedReturn(alice, { supplierId: acme })
  t.strictSame(await spendOf(alice), {
    totalSpend: 60.5,
    orderCount: 1,
    credits: 29.5,
    ...{ corrections: 0, withoutOrder: 0, withoutSupplier: 0 },
    currency: 'USD',
    withoutRate: [],
    unknownCosts: 0,
    bySupplier: [
      {
        supplierId: acme,
        supplierName: 'Acme',
        spend: 64.5,
        orderCount: 1,
        ordersWithoutRate: 0,
        credits: 25.5,
      },
      { supplierId: best, supplierName: 'Best', spend: -4, orderCount: 0, ordersWithoutRate: 0, credits: 4 },
    ],
    byMonth: [
      { month: '2026-05', spend: 90 },
      { month: '2026-06', spend: 0 },
      { month: '2026-07', spend: -29.5 },
    ],
  })
  t.match(await spendOf(alice, '?endDate=2026-06-30'), { totalSpend: 90, credits: 0 })
  t.match(await spendOf(alice, `?supplierId=${best}`), { totalSpend: -4, orderCount: 0 })
})

t.test('a return of goods that came without an order is in the currency of their costs', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice, { currency: 'GBP' })
  const { id: receiptId } = await makeDirectReceipt(alice, { supplierId })
  const id = await makeReturn(alice, { supplierId, receiptId, lines: [returned(1, 2)] })
  t.match(await readReturn(alice, id), { currency: 'USD', rate: 1, expectedCredit: 6 })
})

t.test('a credit in another currency counts by the rate of its order, or by a typed one', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const order = await makeSentOrder(alice, {
    currency: 'EUR',
    rate: 1.1,
    lineItems: [line(1, { quantity: 10, costPrice: 10 })],
  })
  await receive(alice, order.id, [10])
  const [receipt] = await receiptsOf(alice, order.id)
  const id = await makeShippedReturn(alice, {
    supplierId: order.supplierId,
    receiptId: receipt?.id ?? 0,
    lines: [returned(1, 3)],
  })
  t.match(await readReturn(alice, id), { currency: 'EUR', rate: 1.1, expectedCredit: 30 })
  await credit(alice, id, { creditAmount: 30 })
  t.match(await spendOf(alice), { totalSpend: 77, credits: 33 })
  await credit(alice, id, { creditAmount: 30, rate: 1.2 })
  t.match(await spendOf(alice), { totalSpend: 74, credits: 36 })
  t.match((await alice.get('/api/exchange-rates')).json().data, [{ currency: 'EUR', rate: 1.2 }])
})

t.test('a credit without a rate is apart from the spend', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice, { currency: 'GBP' })
  const id = await makeShippedReturn(alice, { supplierId })
  await credit(alice, id, { creditAmount: 8 })
  t.match(await spendOf(alice), {
    totalSpend: 0,
    withoutRate: [{ currency: 'GBP', total: -8, orderCount: 0 }],
    bySupplier: [{ supplierId, spend: 0, credits: 0 }],
  })
})

t.test('the performance of a supplier has the share of pieces that went back', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 20 })] })
  const { supplierId } = order
  await receive(alice, order.id, [16])
  const receiptId = (await receiptsOf(alice, order.id))[0]?.id ?? 0
  const share = async (query = '') =>
    (await alice.get(`/api/reports/supplier-performance${query}`)).json().data[0]?.returnedPercent
  t.equal(await share(), 0)
  await makeReturn(alice, { supplierId, receiptId, lines: [returned(1, 8)] })
  t.equal(await share(), 0, 'a draft has not gone back')
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 2)] })
  t.equal(await share(), 12.5, '2 of 16')
  await makeShippedReturn(alice, { supplierId, lines: [returned(1, 9)] })
  t.equal(await share(), 12.5, 'when the pieces of a return without a receipt came is not known')
  const { id: directId } = await makeDirectReceipt(alice, {
    supplierId,
    lines: [{ variantId: variantGid(1), quantity: 4 }],
  })
  t.equal(await share(), 10, '2 of 20')
  await makeShippedReturn(alice, { supplierId, receiptId: directId, lines: [returned(1, 4)] })
  t.equal(await share(), 30, '6 of 20')
  await db.query(sql.typeAlias('void')`
    update receipt set created_at = '2025-01-01T12:00:00Z' where shop_id = ${alice.shopId} and id = ${directId}
  `)
  t.equal(await share('?startDate=2026-01-01'), 12.5, 'a receipt without an order counts in its period')
})

t.test('at most all pieces of a supplier went back', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2 })] })
  const { supplierId } = order
  await receive(alice, order.id, [2])
  const receiptId = (await receiptsOf(alice, order.id))[0]?.id ?? 0
  await makeShippedReturn(alice, { supplierId, receiptId, lines: [returned(1, 2)] })
  await makeShippedReturn(alice, { supplierId, lines: [returned(1, 6)] })
  t.match((await alice.get('/api/reports/supplier-performance')).json().data, [{ returnedPercent: 100 }])
})
