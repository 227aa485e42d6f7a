import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { ExpectedArrival } from '../../../shared/schemas/planning.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { computePlans, setPrice } from '../../support/make/planning.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { setTimeZone } from '../../support/make/sales.ts'
import {
  item,
  locationGid,
  makeShippedTransfer,
  makeStock,
  makeTransfer,
  variantGid,
} from '../../support/make/stock.ts'

async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 2, locations: 2 })
  return { ...people, supplierId: await makeSupplier(alice) }
}

const list = async (person: Person, query = ''): Promise<ExpectedArrival[]> => {
  const response = await person.get(`/api/reports/arrivals${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

const expected = (person: Person, supplierId: number, days: number, fields = {}) =>
  makeSentOrder(person, {
    supplierId,
    expectedAt: `${dayFromToday(days)}T12:00:00Z`,
    lineItems: [line(1, { quantity: 10, costPrice: 4, discountPercent: 5 }), line(2, { quantity: 2 })],
    ...fields,
  })

type Past = { due: string; receivedAt: string; isArrivalKnown?: boolean }

/** Makes received orders of a supplier. */
async function receivedInPast(
  { db, alice, supplierId }: Awaited<ReturnType<typeof start>>,
  past: readonly Past[],
) {
  for (const { due, receivedAt, isArrivalKnown = true } of past) {
    const { id } = await makeSentOrder(alice, { supplierId })
    await db.query(sql.typeAlias('void')`
      update purchase_order
      set status = 'received', expected_at = ${due}, received_at = ${receivedAt}, is_arrival_known = ${isArrivalKnown}
      where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
}

t.test('the delay of a supplier counts days of the shop, and known arrivals only', async (t) => {
  const context = await start(t)
  const { alice, supplierId } = context
  await expected(alice, supplierId, 5)
  const due = (day: number) => `2026-03-0${day}T23:59:00Z`
  const on = (day: number) => `2026-03-0${day}T10:00:00Z`
  const punctual = [1, 2, 3].map((day) => ({ due: due(day), receivedAt: on(day) }))
  await receivedInPast(context, punctual)
  t.match(await list(alice), [{ lateDays: 0, expectedOn: dayFromToday(5) }], 'at 10:00 of the promised day')
  // 0, 0, 0, 6, 6: 2.4
  const late = [1, 2].map((day) => ({ due: due(day), receivedAt: on(day + 6) }))
  await receivedInPast(context, late)
  t.match(await list(alice), [{ lateDays: 2, expectedOn: dayFromToday(7) }])
  const imported = { due: due(1), receivedAt: '2026-06-09T10:00:00Z', isArrivalKnown: false }
  await receivedInPast(context, [imported])
  t.match(await list(alice), [{ lateDays: 2 }], 'an imported order says nothing')
})

t.test('2, 0 and 4 days late are 2 in the mean, added to the day also across a clock change', async (t) => {
  const context = await start(t)
  const { db, alice, supplierId } = context
  await setTimeZone(db, alice, 'Europe/Paris')
  await receivedInPast(context, [
    { due: '2026-03-01T22:59:00Z', receivedAt: '2026-03-03T09:00:00Z' },
    { due: '2026-03-08T22:59:00Z', receivedAt: '2026-03-08T09:00:00Z' },
    { due: '2026-03-15T22:59:00Z', receivedAt: '2026-03-19T09:00:00Z' },
  ])
  // promised for 23:59 of the Friday before clocks change, on the last Sunday of March
  const lastOfMarch = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 31))
  const sunday = new Date(lastOfMarch.getTime() - lastOfMarch.getUTCDay() * 86_400_000)
  const friday = new Date(sunday.getTime() - 2 * 86_400_000)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  await makeSentOrder(alice, {
    supplierId,
    expectedAt: `${day(friday)}T22:59:00Z`,
    lineItems: [line(1, { quantity: 10 })],
  })
  t.match(await list(alice), [{ lateDays: 2, promisedOn: day(friday), expectedOn: day(sunday) }])
  const { arrivals } = (await alice.get('/api/variants/1/forecast')).json().data
  t.match(arrivals, [{ lateDays: 2, lateOrders: 3, expectedAt: `${day(sunday)}T21:59:00.000Z` }])
})

t.test('orders and transfers are listed by the day on which they come, overdue ones first', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  const later = await expected(alice, supplierId, 9)
  const soon = await expected(alice, supplierId, 2, { destinationLocationId: locationGid(2) })
  const overdue = await expected(alice, supplierId, -3)
  const undated = await makeSentOrder(alice, { supplierId })
  await makeOrderIn(alice, 'draft')
  await makeTransfer(alice)
  const { id: transferId } = await makeShippedTransfer(alice, { items: [item(1, 4)] })
  await receive(alice, later.id, [3])
  const rows = await list(alice)
  t.strictSame(
    rows.map(({ name, expectedOn, isOverdue, pieces, lineCount, value, fromName, toName }) => [
      ...[name, expectedOn, isOverdue, pieces, lineCount, value, fromName, toName],
    ]),
    [
      [overdue.poNumber, dayFromToday(1), true, 12, 2, 40, 'Acme', 'Place 1'],
      [soon.poNumber, dayFromToday(2), false, 12, 2, 40, 'Acme', 'Place 2'],
      // a route without a history takes three days
      [`Transfer #${transferId}`, dayFromToday(3), false, 4, 1, null, 'Place 1', 'Place 2'],
      // 7 x 3.80 + 2
      [later.poNumber, dayFromToday(9), false, 9, 2, 28.6, 'Acme', 'Place 1'],
      [undated.poNumber, null, false, 3, 1, 7.5, 'Acme', 'Place 1'],
    ],
  )
  t.match(rows[0], { kind: 'order', id: overdue.id, promisedOn: dayFromToday(-3), currency: 'USD' })
  const names = async (query: string) => (await list(alice, query)).map(({ name }) => name)
  t.strictSame(await names('?overdue=true'), [overdue.poNumber])
  t.strictSame(await names('?dated=false'), [undated.poNumber])
  t.strictSame(await names(`?from=${dayFromToday(2)}&to=${dayFromToday(3)}`), [
    soon.poNumber,
    `Transfer #${transferId}`,
  ])
  t.strictSame(await list(mallory), [], 'another shop has its own')
  const first = await alice.get('/api/reports/arrivals?limit=3')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame(
    (await alice.get(next)).json().data.map(({ name }: ExpectedArrival) => name),
    [later.poNumber, undated.poNumber],
  )
  expectFailure(t, await alice.get('/api/reports/arrivals?from=soon'), 400, 'invalid_request')
  const csv = (await alice.get('/api/reports/arrivals', { accept: 'text/csv' })).body
  t.match(csv, overdue.poNumber)
  await db.query(sql.typeAlias('void')`
    update stock_transfer set shipped_at = now() - interval '5 days' where shop_id = ${alice.shopId}
  `)
  t.match(await list(alice, `?to=${dayFromToday(1)}&overdue=false`), [
    { name: `Transfer #${transferId}`, expectedOn: dayFromToday(1) },
  ])
})

t.test('a transfer travels as long as the last ones of its route', async (t) => {
  const { db, alice } = await start(t)
  for (let count = 0; count < 3; count += 1) {
    const { id } = await makeShippedTransfer(alice, { items: [item(2, 1)] })
    await alice.put(`/api/stock-transfers/${id}`, { status: 'completed' })
  }
  await db.query(sql.typeAlias('void')`
    update stock_transfer set shipped_at = completed_at - interval '6 days'
    where shop_id = ${alice.shopId} and status = 'completed'
  `)
  await makeShippedTransfer(alice)
  t.match(await list(alice), [{ kind: 'transfer', expectedOn: dayFromToday(6), promisedOn: dayFromToday(6) }])
})

t.test('a route takes the days until its receipts, not until a loss is written off', async (t) => {
  const { db, alice } = await start(t)
  const move = async (path: string, body: object) => {
    const answer = await alice.post(`/api/stock-transfers/${path}`, body)
    t.equal(answer.statusCode, 200, answer.body)
  }
  for (let count = 0; count < 3; count += 1) {
    const { id } = await makeShippedTransfer(alice, { items: [item(2, 10)] })
    for (const received of [8, 1]) {
      await move(`${id}/receive`, { items: [{ variantId: variantGid(2), received }] })
    }
    await move(`${id}/close`, {})
    // 8 pieces after 2 days, 1 after 11, and 1 lost after 30: (8 * 2 + 1 * 11) / 9 = 3; until the end it would be 30
    await db.query(sql.typeAlias('void')`
      update stock_transfer set shipped_at = completed_at - interval '30 days'
      where shop_id = ${alice.shopId} and id = ${id}
    `)
    await db.query(sql.typeAlias('void')`
      update stock_transfer_event e
      set occurred_at = t.shipped_at + case i.received when 8 then interval '2 days' else interval '11 days' end
      from stock_transfer t, stock_transfer_event_item i
      where t.shop_id = ${alice.shopId} and t.id = ${id} and e.shop_id = t.shop_id and e.transfer_id = t.id
        and i.shop_id = t.shop_id and i.event_id = e.id and i.received > 0
    `)
  }
  // shipped and received in one step: they did not travel
  for (let count = 0; count < 9; count += 1) {
    const id = await makeTransfer(alice, { items: [item(2, 1)] })
    await alice.put(`/api/stock-transfers/${id}`, { status: 'completed', allowNegative: true })
  }
  await makeShippedTransfer(alice)
  t.match(await list(alice), [{ kind: 'transfer', expectedOn: dayFromToday(3), promisedOn: dayFromToday(3) }])
})

t.test('open-to-buy has what was ordered, what arrived and what is needed by month', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  const month = new Date().toISOString().slice(0, 7)
  // what is overdue comes tomorrow, which may be in the next month
  const order = await expected(alice, supplierId, 0, { expectedAt: `${dayFromToday(0)}T23:59:59Z` })
  await receive(alice, order.id, [3])
  await makeSentOrder(alice, { supplierId })
  await setPrice(db, alice, 1, { cost: 4 })
  await setPrice(db, alice, 2, {})
  await setForecast(db, alice, 1)
  await setForecast(db, alice, 2)
  await computePlans(db, alice)
  const { data } = (await alice.get('/api/reports/open-to-buy')).json()
  t.equal(data.months.length, 12)
  const current = data.months[2]
  // 10 x 3.80 + 2, and 7.50; 3 x 3.80 arrived; 28.60 are still to arrive, and 7.50 without a date
  t.match(current, { month, orderedValue: 47.5, receivedValue: 11.4, arrivingValue: 28.6 })
  t.equal(data.withoutDateValue, 7.5)
  t.equal(data.months[0].forecastNeed, null, 'a past month needs nothing')
  // one piece a day at the average cost, 3.80 since the receipt, in the whole months of 26 weeks from this Monday on
  const needed = data.months.reduce(
    (sum: number, { forecastNeed }: { forecastNeed: number }) => sum + forecastNeed,
    0,
  )
  const sinceMonday = (new Date().getUTCDay() + 6) % 7
  const until = dayFromToday(26 * 7 - 1 - sinceMonday)
  t.equal(data.forecastUntil, until)
  // the last day of a month that the forecast covers: that of the month of the next day, less the days of that month so far
  const dayAfter = dayFromToday(26 * 7 - sinceMonday)
  const wholeDays = 26 * 7 - sinceMonday - (Number(dayAfter.slice(8)) - 1)
  t.equal(Math.round(needed * 100) / 100, Math.round(wholeDays * 38) / 10)
  const partial = data.months.find((each: { month: string }) => each.month === dayAfter.slice(0, 7))
  t.equal(partial.forecastNeed, null, 'a month that the forecast does not cover to its end')
  const [year = 0, number = 0] = month.split('-').map(Number)
  const daysOfNextMonth = new Date(Date.UTC(year, number + 1, 0)).getUTCDate()
  t.equal(data.months[3].forecastNeed, Math.round(daysOfNextMonth * 38) / 10)
  t.equal(data.uncostedUnits, 182)
  t.ok(data.months.every(({ budget }: { budget: number | null }) => budget === null))
  const post = async (person: typeof alice, fields: object) => {
    const answer = await person.post('/api/buying-budgets', { name: 'Season', ...fields })
    t.equal(answer.statusCode, 201, answer.body)
  }
  const read = async (from: string) =>
    (await alice.get(`/api/reports/open-to-buy?from=${from}`))
      .json()
      .data.months.slice(0, 3)
      .map(({ budget, openToBuy }: { budget: number | null; openToBuy: number | null }) => {
        t.equal(openToBuy, budget, 'no order was sent in these months')
        return budget
      })
  await post(alice, { startsOn: '2020-03-16', endsOn: '2020-04-15', amount: 310, supplierId })
  await post(alice, { month: '2020-03', amount: 40, supplierId })
  await post(mallory, { month: '2020-03', amount: 999 })
  t.strictSame(await read('2020-03'), [200, 150, null], '16 of its 31 days are in March')
  await post(alice, { month: '2020-04', amount: 1000 })
  t.strictSame(await read('2020-03'), [200, 1000, null], 'those of suppliers are parts of it')
  await post(alice, { month, amount: 100 })
  const open = async () => (await alice.get('/api/reports/open-to-buy')).json().data.months[2]
  // 40.00 and 7.50 were sent in this month
  t.match(await open(), { budget: 100, openToBuy: 52.5 })
  await makeOrder(alice, { supplierId, lineItems: [line(1, { quantity: 4, costPrice: 3 })] })
  t.match(await open(), { budget: 100, openToBuy: 40.5 }, 'a draft of 12.00 counts, too')
  const other = (await mallory.get('/api/reports/open-to-buy')).json().data
  t.match(other.months[2], { month, orderedValue: 0, receivedValue: 0, arrivingValue: 0, forecastNeed: null })
  const past = (await alice.get('/api/reports/open-to-buy?from=2020-01')).json().data
  t.match([past.months[0].month, past.months[11].month], ['2020-01', '2020-12'])
  t.equal(past.months[11].orderedValue, 0)
  for (const from of ['2020', '0000-01', '1899-12', '9999-01']) {
    expectFailure(t, await alice.get(`/api/reports/open-to-buy?from=${from}`), 400, 'invalid_request')
  }
  t.equal((await alice.get('/api/reports/open-to-buy?from=9998-12')).statusCode, 200)
  const csv = (await alice.get('/api/reports/open-to-buy', { accept: 'text/csv' })).body
  t.match(
    csv.split('\n')[0],
    'Month,Ordered (USD),Received value (USD),Arriving value (USD),Forecast need (USD),Budget (USD),Open to buy (USD)',
  )
})

t.test('open-to-buy has goods on their way in the month in which the calendar expects them', async (t) => {
  const context = await start(t)
  const { alice, supplierId } = context
  await expected(alice, supplierId, 5)
  // the last three orders were 40 days late, so 40.00 come in 45 days, in another month than the promised one
  const late = [1, 2, 3].map((day) => ({
    due: `2026-03-0${day}T12:00:00Z`,
    receivedAt: `2026-04-${9 + day}T12:00:00Z`,
  }))
  await receivedInPast(context, late)
  t.match(await list(alice), [{ expectedOn: dayFromToday(45) }])
  const { months } = (await alice.get('/api/reports/open-to-buy')).json().data
  const arriving = months.filter(({ arrivingValue }: { arrivingValue: number }) => arrivingValue > 0)
  t.match(arriving, [{ month: dayFromToday(45).slice(0, 7), arrivingValue: 40 }])
})

t.test('what arrived is worth what is known of its receipts today', async (t) => {
  const { alice, supplierId } = await start(t)
  const received = async () =>
    (await alice.get('/api/reports/open-to-buy')).json().data.months[2].receivedValue
  const before = await received()
  const { id } = await makeSentOrder(alice, {
    supplierId,
    currency: 'CNY',
    lineItems: [line(1, { quantity: 10, costPrice: 20 })],
  })
  await receive(alice, id, [10])
  t.equal(await received(), before, 'without a rate and a cost of the product')
  await alice.put(`/api/purchase-orders/${id}`, { rate: 0.1 })
  t.equal(await received(), before + 20)
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 5, basis: 'quantity' })
  t.equal(await received(), before + 25)
  const [receipt] = await receiptsOf(alice, id)
  await alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  t.equal(await received(), before)
})

t.test('lines without a cost are counted, and are in no value', async (t) => {
  const { alice, mallory, supplierId } = await start(t)
  const send = async (lineItems: ReturnType<typeof line>[]) => {
    const { id } = await makeOrder(alice, {
      supplierId,
      lineItems,
      expectedAt: `${dayFromToday(2)}T12:00:00Z`,
    })
    const answer = await alice.post(`/api/purchase-orders/${id}/send`, { allowUnknownCosts: true })
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return id
  }
  const unknown = line(1, { quantity: 4, costPrice: null })
  await send([unknown])
  const mixed = await send([unknown, line(2, { quantity: 5, costPrice: 3 })])
  t.match(await list(alice), [
    { value: null, unknownCosts: 1 },
    { value: 15, unknownCosts: 1 },
  ])
  const report = async (name: string, person = alice) =>
    (await person.get(`/api/reports/${name}`)).json().data
  t.match(await report('open-to-buy'), { withoutCostCount: 2, withoutRateCount: 0 })
  t.match(await report('commitments'), { total: 15, unknownCosts: 2 })
  t.match(await report('procurement-spend'), { totalSpend: 15, unknownCosts: 2 })
  await receive(alice, mixed, [4, 1])
  t.match(await report('procurement-spend?basis=received'), { totalSpend: 3, unknownCosts: 1 })
  await alice.post(`/api/purchase-orders/${mixed}/close`)
  t.match(await list(alice), [{ value: null, unknownCosts: 1 }])
  for (const name of ['commitments', 'procurement-spend'])
    t.match(await report(name, mallory), { unknownCosts: 0 })
  t.match(await report('open-to-buy', mallory), { withoutCostCount: 0 })
})
