import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { PurchaseOrderInput } from '../../../shared/schemas/purchase-orders.ts'
import type { SupplierPerformance } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  makeOrder,
  makeSentOrder,
  makeSupplier,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { daysAgo } from '../../support/make/sales.ts'
import { makeStock } from '../../support/make/stock.ts'

type Arrival = { daysAgo: number; pieces: number[] }
type Order = { sent: number; lines: [pieces: number, cost: number][]; arrivals?: Arrival[]; due?: number }

async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice, mallory } = app
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3, available: 100 })
  /** An order that was sent, and its goods that arrived, so many days ago. */
  const order = async (supplierId: number, { sent, lines, arrivals = [], due }: Order, person = alice) => {
    const input: Partial<PurchaseOrderInput> = {
      supplierId,
      lineItems: lines.map(([quantity, costPrice], at) => line(at + 1, { quantity, costPrice })),
      ...(due !== undefined && { expectedAt: daysAgo(due).toISOString() }),
    }
    const { id } = await makeSentOrder(person, input)
    await db.query(sql.typeAlias('void')`
      update purchase_order set sent_at = ${daysAgo(sent).toISOString()} where shop_id = ${person.shopId} and id = ${id}
    `)
    for (const arrival of arrivals) {
      await receive(person, id, arrival.pieces)
      const [receipt] = await receiptsOf(person, id)
      await db.query(sql.typeAlias('void')`
        update receipt set created_at = ${daysAgo(arrival.daysAgo).toISOString()}
        where shop_id = ${person.shopId} and id = ${receipt?.id ?? 0}
      `)
    }
    return id
  }
  const list = async (query = '', person: Person = alice): Promise<SupplierPerformance[]> =>
    (await person.get(`/api/reports/supplier-performance${query}`)).json().data
  return { ...app, order, list }
}

t.test('a supplier is measured by the orders that were sent to it', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 10 })
  // in time, in two parts; the second line of it too late
  await order(supplierId, {
    sent: 40,
    lines: [
      [10, 2],
      [4, 1],
    ],
    arrivals: [
      { daysAgo: 36, pieces: [4] },
      { daysAgo: 31, pieces: [6, 1] },
      { daysAgo: 20, pieces: [0, 3] },
    ],
  })
  // due at a day of its own, and a line of two missing yet
  await order(supplierId, { sent: 30, due: 5, lines: [[6, 3]], arrivals: [{ daysAgo: 6, pieces: [4] }] })
  // not due yet
  await order(supplierId, { sent: 2, lines: [[8, 2.5]], arrivals: [{ daysAgo: 1, pieces: [8] }] })
  t.strictSame(await list(), [
    {
      supplierId,
      supplierName: 'Acme',
      ordersSent: 3,
      ordersReceived: 2,
      leadTimeDays: 4,
      leadTimeDaysMean: 9.7,
      statedLeadTimeDays: 10,
      // one line of the three that are due
      onTimePercent: 33.3,
      // 26 of 28 pieces
      fillRatePercent: 92.9,
      // eight pieces of the first variant: 2.5 after 3
      priceDriftPercent: -16.7,
    },
  ])
})

t.test('what nobody knows is null', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice)
  await makeSupplier(alice, { name: 'Without orders' })
  await makeOrder(alice, { supplierId: await makeSupplier(alice, { name: 'Drafts alone' }) })
  await order(supplierId, { sent: 100, lines: [[1, 0]] })
  t.strictSame(await list(), [
    {
      supplierId,
      supplierName: 'Acme',
      ordersSent: 1,
      ordersReceived: 0,
      leadTimeDays: null,
      leadTimeDaysMean: null,
      statedLeadTimeDays: null,
      onTimePercent: null,
      fillRatePercent: null,
      priceDriftPercent: null,
    },
  ])
  await order(supplierId, { sent: 50, lines: [[1, 5]] })
  t.match(await list(), [{ priceDriftPercent: null }], 'nobody can say how much more than nothing it is')
})

t.test(
  'what was closed has not come, what was cancelled says nothing, too many are as good as enough',
  async (t) => {
    const { alice, order, list } = await start(t)
    const supplierId = await makeSupplier(alice)
    const closed = await order(supplierId, { sent: 9, lines: [[5, 1]] })
    await alice.post(`/api/purchase-orders/${closed}/close`)
    t.match(await list(), [{ ordersSent: 1, ordersReceived: 0, fillRatePercent: 0 }])
    const cancelled = await order(supplierId, { sent: 8, lines: [[500, 9]] })
    await alice.post(`/api/purchase-orders/${cancelled}/cancel`)
    t.match(await list(), [{ ordersSent: 1, fillRatePercent: 0, priceDriftPercent: null }])
    const id = await order(supplierId, { sent: 7, lines: [[5, 1]] })
    const { lineItems } = (await alice.get(`/api/purchase-orders/${id}`)).json().data
    const lines = [{ lineItemId: lineItems[0].id, quantityReceived: 50 }]
    await alice.post(`/api/purchase-orders/${id}/receive`, { lineItems: lines, allowOverReceipt: true })
    t.match(await list(), [{ ordersSent: 2, ordersReceived: 1, fillRatePercent: 50 }])
  },
)

t.test('a receipt that was reversed was none', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 5 })
  const id = await order(supplierId, { sent: 20, lines: [[5, 1]], arrivals: [{ daysAgo: 18, pieces: [5] }] })
  t.match(await list(), [{ leadTimeDays: 2, onTimePercent: 100, fillRatePercent: 100 }])
  const [receipt] = await receiptsOf(alice, id)
  await alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  t.match(await list(), [{ leadTimeDays: null, onTimePercent: 0, fillRatePercent: 0, ordersReceived: 0 }])
})

t.test('prices are weighed by pieces, and compared with what was before the period', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice)
  await order(supplierId, {
    sent: 300,
    lines: [
      [1, 10],
      [1, 2],
      [1, 7],
    ],
  })
  await order(supplierId, {
    sent: 10,
    lines: [
      [30, 11],
      [10, 1],
    ],
  })
  // 30 × 11 + 10 × 1 against 30 × 10 + 10 × 2
  t.match(await list(), [{ ordersSent: 2, priceDriftPercent: 6.3 }])
  const recent = `?startDate=${daysAgo(20).toISOString().slice(0, 10)}`
  t.match(await list(recent), [{ ordersSent: 1, priceDriftPercent: 6.3 }])
  const early = `?endDate=${daysAgo(20).toISOString().slice(0, 10)}`
  t.match(await list(early), [{ ordersSent: 1, priceDriftPercent: null }])
  t.strictSame(await list('?endDate=2020-01-01'), [])
})

t.test('the newest suppliers come first, page by page', async (t) => {
  const { alice, order, list } = await start(t)
  const ids: number[] = []
  for (let count = 0; count < 3; count += 1) {
    const supplierId = await makeSupplier(alice)
    await order(supplierId, { sent: 1, lines: [[1, 1]] })
    ids.unshift(supplierId)
  }
  const met: number[] = []
  for (let next: string | undefined = '/api/reports/supplier-performance?limit=2'; next && met.length < 9; ) {
    const answer = await alice.get(next)
    met.push(...answer.json().data.map(({ supplierId }: SupplierPerformance) => supplierId))
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(met, ids)
  t.equal((await list()).length, 3)
})

t.test('one supplier is asked for alone', async (t) => {
  const { alice, mallory, order, list } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Northgate' })
  await order(supplierId, { sent: 30, lines: [[5, 1]], arrivals: [{ daysAgo: 27, pieces: [5] }] })
  await order(await makeSupplier(alice), { sent: 2, lines: [[5, 1]] })
  t.match(await list(`?supplierId=${supplierId}`), [{ supplierName: 'Northgate', leadTimeDays: 3 }])
  t.equal((await list(`?supplierId=${supplierId}`)).length, 1)
  const recent = `&startDate=${daysAgo(5).toISOString().slice(0, 10)}`
  t.strictSame(await list(`?supplierId=${supplierId}${recent}`), [], 'nothing was sent to it in the period')
  t.strictSame(await list(`?supplierId=${supplierId}`, mallory), [], 'it is not there in another shop')
})

t.test('as CSV, and with dates that are none', async (t) => {
  const { alice } = await start(t)
  const { body } = await alice.get('/api/reports/supplier-performance', { accept: 'text/csv' })
  t.match(body, /^\uFEFFsupplierId,supplierName,ordersSent,ordersReceived,leadTimeDays,leadTimeDaysMean,/)
  const answer = await alice.get('/api/reports/supplier-performance?endDate=2026-02-30')
  t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/endDate' }])
})

t.test('a shop without orders has an empty report, and no order counts in another shop', async (t) => {
  const { alice, mallory, order, list } = await start(t)
  await order(await makeSupplier(alice), { sent: 5, lines: [[5, 1]] })
  t.strictSame(await list('', mallory), [])
  const before = await list()
  await order(await makeSupplier(mallory), { sent: 3, lines: [[5, 100]] }, mallory)
  t.strictSame(await list(), before)
  t.match(await list('', mallory), [{ ordersSent: 1, priceDriftPercent: null }])
})
