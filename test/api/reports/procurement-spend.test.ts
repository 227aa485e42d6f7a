import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import type { ProcurementSpend } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft, postCounts } from '../../support/make/receipts.ts'
import { setTimeZone } from '../../support/make/sales.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

const noParts = { credits: 0, corrections: 0, withoutOrder: 0, withoutSupplier: 0 }
const noSpend = {
  totalSpend: 0,
  orderCount: 0,
  ...noParts,
  currency: 'USD',
  withoutRate: [],
  unknownCosts: 0,
  bySupplier: [],
  byMonth: [],
}

const sentOn = (db: Db, { shopId }: Person, id: number, day: string) =>
  db.query(sql.typeAlias('void')`
    update purchase_order set sent_at = ${`${day}T12:00:00Z`} where shop_id = ${shopId} and id = ${id}
  `)
const postedOn = (db: Db, { shopId }: Person, id: number, day: string) =>
  db.query(sql.typeAlias('void')`
    update receipt set created_at = ${`${day}T12:00:00Z`}, posted_at = ${`${day}T12:00:00Z`}
    where shop_id = ${shopId} and id = ${id}
  `)

async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  const spend = async (query = '', person: Person = alice): Promise<ProcurementSpend> =>
    (await person.get(`/api/reports/procurement-spend${query}`)).json().data
  /** Makes an order with the given cost and time of sending. */
  const order = async (supplierId: number, costPrice: number, sentAt: string, person: Person = alice) => {
    const { id } = await makeSentOrder(person, { supplierId, lineItems: [line(1, { costPrice })] })
    await db.query(sql.typeAlias('void')`
      update purchase_order set sent_at = ${sentAt} where shop_id = ${person.shopId} and id = ${id}
    `)
    return id
  }
  return {
    ...app,
    spend,
    order,
    acme: await makeSupplier(alice),
    best: await makeSupplier(alice, { name: 'Best' }),
  }
}

t.test('the report sums sent orders by supplier and by month', async (t) => {
  const { alice, spend, order, acme, best } = await start(t)
  await order(acme, 10.1, '2026-01-15T12:00:00Z')
  await order(best, 100.2, '2026-01-20T12:00:00Z')
  await order(acme, 20.2, '2026-04-15T12:00:00Z')
  await makeOrder(alice, { supplierId: acme })
  const cancelled = await order(acme, 1_000, '2026-06-01T12:00:00Z')
  await alice.post(`/api/purchase-orders/${cancelled}/cancel`)
  t.strictSame(await spend(), {
    totalSpend: 130.5,
    orderCount: 3,
    ...noParts,
    currency: 'USD',
    withoutRate: [],
    unknownCosts: 0,
    bySupplier: [
      {
        supplierId: best,
        supplierName: 'Best',
        spend: 100.2,
        orderCount: 1,
        ordersWithoutRate: 0,
        credits: 0,
      },
      {
        supplierId: acme,
        supplierName: 'Acme',
        spend: 30.3,
        orderCount: 2,
        ordersWithoutRate: 0,
        credits: 0,
      },
    ],
    byMonth: [
      { month: '2026-01', spend: 110.3 },
      { month: '2026-02', spend: 0 },
      { month: '2026-03', spend: 0 },
      { month: '2026-04', spend: 20.2 },
    ],
  })
  t.match(await spend(`?supplierId=${acme}`), { totalSpend: 30.3, orderCount: 2, bySupplier: { length: 1 } })
  t.match(await spend('?startDate=2026-01-16&endDate=2026-04-14'), {
    totalSpend: 100.2,
    byMonth: [{ month: '2026-01', spend: 100.2 }],
  })
})

t.test('the spend includes tax, and months continue across years', async (t) => {
  const { alice, db, spend, acme } = await start(t)
  for (const sentAt of ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z']) {
    const { id } = await makeSentOrder(alice, { supplierId: acme, tax: 0.5 })
    await db.query(sql.typeAlias('void')`
      update purchase_order set sent_at = ${sentAt} where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
  t.match(await spend(), {
    totalSpend: 16,
    byMonth: [
      { month: '2025-12', spend: 8 },
      { month: '2026-01', spend: 8 },
    ],
  })
})

t.test(
  'a cost that was corrected at the receipt and credited pieces change the spend of that day',
  async (t) => {
    const { alice, db, spend, acme } = await start(t)
    await makeStock(db, alice)
    const { id } = await makeSentOrder(alice, {
      supplierId: acme,
      lineItems: [line(1, { quantity: 10, costPrice: 2, discountPercent: 10 })],
      tax: 3.6,
    })
    await sentOn(db, alice, id, '2026-05-10')
    t.match(await spend(), { totalSpend: 21.6, corrections: 0 }, '10 x 1.80 and 20 % tax')
    const draft = await makeDraft(alice, id, [{ accepted: 5, unitCost: 9 }])
    t.match(await spend(), { totalSpend: 21.6 }, 'a draft changes nothing')
    await alice.delete(`/api/purchase-orders/${id}/receipts/${draft.id}`)
    // (6 x (2.30 - 1.80) - 1 x 1.80) x 1.20 = 1.44
    const first = await postCounts(alice, id, [
      { accepted: 6, unitCost: 2.3, rejected: 1, rejectOutcome: 'credit' },
    ])
    await postedOn(db, alice, first.id, '2026-06-10')
    // replaced pieces still arrive: -2 x 1.80 x 1.20 = -4.32
    const second = await postCounts(alice, id, [{ rejected: 3, rejectOutcome: 'replace' }])
    const third = await postCounts(alice, id, [{ accepted: 1, rejected: 2, rejectOutcome: 'credit' }])
    for (const receipt of [second, third]) await postedOn(db, alice, receipt.id, '2026-07-10')
    t.match(await spend(), {
      totalSpend: 18.72,
      orderCount: 1,
      corrections: -2.88,
      bySupplier: [{ supplierId: acme, spend: 18.72, orderCount: 1 }],
      byMonth: [
        { month: '2026-05', spend: 21.6 },
        { month: '2026-06', spend: 1.44 },
        { month: '2026-07', spend: -4.32 },
      ],
    })
    t.match(await spend('?startDate=2026-06-01&endDate=2026-06-30'), {
      totalSpend: 1.44,
      orderCount: 0,
      bySupplier: [{ supplierId: acme, spend: 1.44, orderCount: 0 }],
    })
    await alice.post(`/api/purchase-orders/${id}/receipts/${third.id}/reverse`)
    t.match(await spend(), { totalSpend: 23.04 }, 'a reversed receipt corrects nothing')
  },
)

t.test('corrections count by the rate of their order, and apart without one', async (t) => {
  const { alice, db, spend, acme } = await start(t)
  await makeStock(db, alice)
  const order = { supplierId: acme, lineItems: [line(1, { quantity: 10, costPrice: 2 })] }
  const euros = await makeSentOrder(alice, { ...order, currency: 'EUR', rate: 1.5 })
  await postCounts(alice, euros.id, [{ accepted: 10, unitCost: 3 }])
  const pounds = await makeSentOrder(alice, { ...order, currency: 'GBP' })
  await postCounts(alice, pounds.id, [{ accepted: 9, rejected: 1, rejectOutcome: 'credit' }])
  t.match(await spend(), {
    totalSpend: 45,
    corrections: 15,
    withoutRate: [{ currency: 'GBP', total: 18, orderCount: 1 }],
  })
})

t.test('receipts without an order are spend of their day', async (t) => {
  const { alice, mallory, db, spend, acme } = await start(t)
  await makeStock(db, alice, { variants: 2 })
  const lines = [
    { variantId: variantGid(1), quantity: 4, unitCost: 2.5 },
    { variantId: variantGid(2), quantity: 7 },
  ]
  const known = await makeDirectReceipt(alice, { supplierId: acme, lines })
  await postedOn(db, alice, known.id, '2026-03-10')
  const unknown = await makeDirectReceipt(alice, {
    lines: [{ variantId: variantGid(1), quantity: 3, unitCost: 1 }],
  })
  await postedOn(db, alice, unknown.id, '2026-04-10')
  t.strictSame(await spend(), {
    ...noSpend,
    ...{ totalSpend: 13, withoutOrder: 13, withoutSupplier: 3, unknownCosts: 1 },
    bySupplier: [
      { supplierId: acme, supplierName: 'Acme', spend: 10, orderCount: 0, ordersWithoutRate: 0, credits: 0 },
    ],
    byMonth: [
      { month: '2026-03', spend: 10 },
      { month: '2026-04', spend: 3 },
    ],
  })
  t.match(await spend(`?supplierId=${acme}`), { totalSpend: 10, withoutOrder: 10, withoutSupplier: 0 })
  t.strictSame(await spend('', mallory), noSpend)
  await alice.post(`/api/receipts/${known.id}/reverse`)
  t.match(await spend(), { totalSpend: 3, bySupplier: [] })
})

t.test('months and days are in the time zone of the shop', async (t) => {
  const { db, alice, spend, order, acme } = await start(t)
  await setTimeZone(db, alice, 'America/New_York')
  // Midnight in New York is at 05:00 UTC in winter and at 04:00 UTC from 2026-03-08 on.
  await order(acme, 1, '2026-03-01T04:59:59.999Z')
  await order(acme, 2, '2026-03-01T05:00:00Z')
  await order(acme, 4, '2026-04-01T03:59:59.999Z')
  await order(acme, 8, '2026-04-01T04:00:00Z')
  t.strictSame((await spend()).byMonth, [
    { month: '2026-02', spend: 1 },
    { month: '2026-03', spend: 6 },
    { month: '2026-04', spend: 8 },
  ])
  t.match(await spend('?startDate=2026-03-01&endDate=2026-03-31'), { totalSpend: 6, orderCount: 2 })
  t.match(await spend('?startDate=2026-02-28&endDate=2026-02-28'), { totalSpend: 1 })
  await setTimeZone(db, alice, 'Asia/Tokyo')
  t.strictSame((await spend()).byMonth, [
    { month: '2026-03', spend: 3 },
    { month: '2026-04', spend: 12 },
  ])
})

t.test('the CSV export lists the suppliers', async (t) => {
  const { alice, order, acme, best } = await start(t)
  await order(acme, 10, '2026-01-15T12:00:00Z')
  await makeSentOrder(alice, { supplierId: best, currency: 'EUR', lineItems: [line(1, { costPrice: 7 })] })
  const answer = await alice.get('/api/reports/procurement-spend', { accept: 'text/csv' })
  t.match(answer.headers['content-type'], /^text\/csv/)
  t.equal(
    answer.body,
    [
      '\uFEFFSupplier,Spend (USD),Orders,Orders without rate,Credits (USD),Supplier ID',
      `Acme,10,1,0,0,${acme}`,
      `Best,0,1,1,0,${best}`,
      '',
    ].join('\n'),
  )
})

t.test('the API names invalid dates and suppliers', async (t) => {
  const { alice } = await start(t)
  for (const [query, path] of [
    ['startDate=2026-02-30', '/startDate'],
    ['endDate=soon', '/endDate'],
    ['startDate=2026-02-02&endDate=2026-02-01', '/startDate'],
    ['supplierId=x', '/supplierId'],
  ]) {
    const answer = await alice.get(`/api/reports/procurement-spend?${query}`)
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path }])
  }
})

t.test('a shop without orders has no spend, and no shop sees the spend of another', async (t) => {
  const { mallory, spend, order, acme } = await start(t)
  await order(acme, 10, '2026-01-15T12:00:00Z')
  t.strictSame(await spend('', mallory), noSpend)
  t.strictSame(await spend(`?supplierId=${acme}`, mallory), noSpend)
  await order(await makeSupplier(mallory), 7, '2026-01-15T12:00:00Z', mallory)
  t.match(await spend(), { totalSpend: 10, orderCount: 1 })
  t.match(await spend('', mallory), { totalSpend: 7, orderCount: 1 })
})
