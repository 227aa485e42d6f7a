import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { followDueDates } from '../../../shared/domain/documents/purchase-orders/overdue.ts'
import type { PurchaseOrderInput } from '../../../shared/schemas/purchase-orders.ts'
import type { SupplierPerformance } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { daysAgo } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  makeOrder,
  makeSentOrder,
  makeSupplier,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { makeDraft, postCounts } from '../../support/make/receipts.ts'
import { makeStock } from '../../support/make/stock.ts'

/** A receipt with the units of each line. */
type Arrival = { daysAgo: number; units: number[] }
/** `sent` and `due` are days ago. */
type Order = { sent: number; lines: [units: number, cost: number][]; arrivals?: Arrival[]; due?: number }

async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice, mallory } = app
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3, available: 100 })
  /** Makes a sent order with its receipts, all in the past. */
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
    await followDueDates(db, person.shopId, sql.fragment`o.id = ${id}`)
    for (const arrival of arrivals) {
      await receive(person, id, arrival.units)
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

t.test('the performance of a supplier is computed from its sent orders', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 10 })
  // Due 30 days ago: the first line is complete in time, the second too late.
  await order(supplierId, {
    sent: 40,
    lines: [
      [10, 2],
      [4, 1],
    ],
    arrivals: [
      { daysAgo: 36, units: [4] },
      { daysAgo: 31, units: [6, 1] },
      { daysAgo: 20, units: [0, 3] },
    ],
  })
  // Due on its own date 5 days ago: 2 of 6 units are missing.
  await order(supplierId, { sent: 30, due: 5, lines: [[6, 3]], arrivals: [{ daysAgo: 6, units: [4] }] })
  // Not due yet.
  await order(supplierId, { sent: 2, lines: [[8, 2.5]], arrivals: [{ daysAgo: 1, units: [8] }] })
  t.strictSame(await list(), [
    {
      supplierId,
      supplierName: 'Acme',
      ordersSent: 3,
      ordersReceived: 2,
      leadTimeDays: 4,
      leadTimeDaysMean: 9.7,
      statedLeadTimeDays: 10,
      // 1 of 3 due lines
      onTimePercent: 33.3,
      // 26 of 28 units
      fillRatePercent: 92.9,
      rejectedPercent: 0,
      // 8 units of the first variant at 2.5, previously 3
      priceDriftPercent: -16.7,
      returnedPercent: 0,
    },
  ])
})

t.test('another lead time moves the due dates of open orders only', async (t) => {
  const { alice, order, list } = await start(t)
  const [supplierId, intoId] = [await makeSupplier(alice, { leadTimeDays: 10 }), await makeSupplier(alice)]
  await order(supplierId, { sent: 40, lines: [[10, 2]], arrivals: [{ daysAgo: 32, units: [10] }] })
  await order(supplierId, { sent: 15, lines: [[10, 2]] })
  t.match(await list(), [{ onTimePercent: 50 }])
  await alice.put(`/api/suppliers/${supplierId}`, { leadTimeDays: 5 })
  t.match(await list(), [{ onTimePercent: 50, statedLeadTimeDays: 5 }], 'the received one was in time')
  await alice.put(`/api/suppliers/${supplierId}`, { leadTimeDays: 20 })
  t.match(await list(), [{ onTimePercent: 100 }], 'the open one is not due')
  await alice.put(`/api/suppliers/${intoId}`, { leadTimeDays: 5 })
  await alice.post(`/api/suppliers/${supplierId}/merge`, { intoId })
  t.match(await list(), [{ onTimePercent: 50 }], 'also after a merge')
})

t.test('the first lead time of a supplier makes no past order due', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice)
  await order(supplierId, { sent: 40, lines: [[10, 2]], arrivals: [{ daysAgo: 20, units: [10] }] })
  await alice.put(`/api/suppliers/${supplierId}`, { leadTimeDays: 10 })
  t.match(await list(), [{ onTimePercent: null, statedLeadTimeDays: 10 }])
})

t.test('values without data are null', async (t) => {
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
      rejectedPercent: null,
      priceDriftPercent: null,
      returnedPercent: null,
    },
  ])
  await order(supplierId, { sent: 50, lines: [[1, 5]] })
  t.match(await list(), [{ priceDriftPercent: null }], 'a drift from a cost of 0 is undefined')
})

t.test(
  'a closed order counts as unfilled, a cancelled one does not count, and an over-receipt counts as filled',
  async (t) => {
    const { alice, order, list } = await start(t)
    const supplierId = await makeSupplier(alice)
    const closed = await order(supplierId, { sent: 9, lines: [[5, 1]] })
    await alice.post(`/api/purchase-orders/${closed}/close`)
    t.match(await list(), [{ ordersSent: 1, ordersReceived: 0, fillRatePercent: 0 }])
    const cancelled = await order(supplierId, { sent: 8, lines: [[500, 9]] })
    await alice.post(`/api/purchase-orders/${cancelled}/cancel`)
    t.match(await list(), [{ ordersSent: 1, fillRatePercent: 0, priceDriftPercent: null }])
    const reopened = await order(supplierId, {
      sent: 8,
      lines: [[9, 9]],
      arrivals: [{ daysAgo: 7, units: [2] }],
    })
    await alice.post(`/api/purchase-orders/${reopened}/close`)
    const [receipt] = await receiptsOf(alice, reopened)
    await alice.post(`/api/purchase-orders/${reopened}/receipts/${receipt?.id}/reverse`)
    await alice.post(`/api/purchase-orders/${reopened}/cancel`)
    t.match(await list(), [{ ordersSent: 1, fillRatePercent: 0 }])
    const id = await order(supplierId, { sent: 7, lines: [[5, 1]] })
    const { lineItems } = (await alice.get(`/api/purchase-orders/${id}`)).json().data
    const lines = [{ lineItemId: lineItems[0].id, quantityReceived: 50 }]
    await alice.post(`/api/purchase-orders/${id}/receive`, { lineItems: lines, allowOverReceipt: true })
    t.match(await list(), [{ ordersSent: 2, ordersReceived: 1, fillRatePercent: 50 }])
  },
)

t.test('the fill rate counts complete lines of open orders, and no line that can still arrive', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice)
  const credited = await order(supplierId, { sent: 3, due: -30, lines: [[10, 1]] })
  await postCounts(alice, credited, [{ accepted: 3, rejected: 2, rejectOutcome: 'credit' }])
  t.match(await list(), [{ fillRatePercent: null }], '5 of 10 can still arrive')
  await order(supplierId, {
    ...{ sent: 2, due: -30, arrivals: [{ daysAgo: 1, units: [10, 1] }] },
    lines: [
      [10, 1],
      [90, 1],
    ],
  })
  t.match(await list(), [{ fillRatePercent: 100 }], 'one complete line')
  await alice.post(`/api/purchase-orders/${credited}/close`)
  t.match(await list(), [{ fillRatePercent: 65 }], '13 of 20')
})

t.test('a reversed receipt does not count', async (t) => {
  const { alice, order, list } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 5 })
  const id = await order(supplierId, { sent: 20, lines: [[5, 1]], arrivals: [{ daysAgo: 18, units: [5] }] })
  t.match(await list(), [{ leadTimeDays: 2, onTimePercent: 100, fillRatePercent: 100 }])
  const [receipt] = await receiptsOf(alice, id)
  await alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  t.match(await list(), [{ leadTimeDays: null, onTimePercent: 0, fillRatePercent: 0, ordersReceived: 0 }])
})

t.test(
  'the price drift is weighted by units and compares with the last price before the period',
  async (t) => {
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
    // (30 × 11 + 10 × 1) / (30 × 10 + 10 × 2) = 340 / 320 = +6.3 %
    t.match(await list(), [{ ordersSent: 2, priceDriftPercent: 6.3 }])
    const recent = `?startDate=${daysAgo(20).toISOString().slice(0, 10)}`
    t.match(await list(recent), [{ ordersSent: 1, priceDriftPercent: 6.3 }])
    const early = `?endDate=${daysAgo(20).toISOString().slice(0, 10)}`
    t.match(await list(early), [{ ordersSent: 1, priceDriftPercent: null }])
    t.strictSame(await list('?endDate=2020-01-01'), [])
  },
)

t.test('the report is paged by supplier, newest first', async (t) => {
  const { alice, order, list } = await start(t)
  const ids: number[] = []
  for (let count = 0; count < 3; count += 1) {
    const supplierId = await makeSupplier(alice)
    await order(supplierId, { sent: 1, lines: [[1, 1]] })
    ids.unshift(supplierId)
  }
  const listed: number[] = []
  for (
    let next: string | undefined = '/api/reports/supplier-performance?limit=2';
    next && listed.length < 9;
  ) {
    const answer = await alice.get(next)
    listed.push(...answer.json().data.map(({ supplierId }: SupplierPerformance) => supplierId))
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(listed, ids)
  t.equal((await list()).length, 3)
})

t.test('the report can be filtered by supplier', async (t) => {
  const { alice, mallory, order, list } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Northgate' })
  await order(supplierId, { sent: 30, lines: [[5, 1]], arrivals: [{ daysAgo: 27, units: [5] }] })
  await order(await makeSupplier(alice), { sent: 2, lines: [[5, 1]] })
  t.match(await list(`?supplierId=${supplierId}`), [{ supplierName: 'Northgate', leadTimeDays: 3 }])
  t.equal((await list(`?supplierId=${supplierId}`)).length, 1)
  const recent = `&startDate=${daysAgo(5).toISOString().slice(0, 10)}`
  t.strictSame(
    await list(`?supplierId=${supplierId}${recent}`),
    [],
    'the supplier has no order in the period',
  )
  t.strictSame(
    await list(`?supplierId=${supplierId}`, mallory),
    [],
    'another shop does not have the supplier',
  )
})

t.test('the report is exported as CSV, and invalid dates are refused', async (t) => {
  const { alice } = await start(t)
  const { body } = await alice.get('/api/reports/supplier-performance', { accept: 'text/csv' })
  t.match(body, /^\uFEFFSupplier,Orders sent,Orders received,Lead time \(days\),Mean lead time \(days\),/)
  const answer = await alice.get('/api/reports/supplier-performance?endDate=2026-02-30')
  t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/endDate' }])
})

t.test('a shop without orders has an empty report, and the orders of two shops are separate', async (t) => {
  const { alice, mallory, order, list } = await start(t)
  await order(await makeSupplier(alice), { sent: 5, lines: [[5, 1]] })
  t.strictSame(await list('', mallory), [])
  const before = await list()
  await order(await makeSupplier(mallory), { sent: 3, lines: [[5, 100]] }, mallory)
  t.strictSame(await list(), before)
  t.match(await list('', mallory), [{ ordersSent: 1, priceDriftPercent: null }])
})

t.test('rejected pieces are a share of what arrived, and a reversed receipt does not count', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 20 })] })
  await makeDraft(alice, id, [{ rejected: 9 }])
  await postCounts(alice, id, [{ accepted: 15, rejected: 5, rejectOutcome: 'credit' }])
  const list = async () => (await alice.get('/api/reports/supplier-performance')).json().data
  t.match(await list(), [{ rejectedPercent: 25 }])
  const wrong = await postCounts(alice, (await makeSentOrder(alice)).id, [{ rejected: 1 }])
  await alice.post(`/api/receipts/${wrong.id}/reverse`)
  t.match(await list(), [{ rejectedPercent: null }, { rejectedPercent: 25 }])
})
