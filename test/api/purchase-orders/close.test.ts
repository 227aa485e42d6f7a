import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import {
  line,
  mailsOf,
  makeOrderIn,
  makeSentOrder,
  pdfSha256,
  readOrder,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { postCounts } from '../../support/make/receipts.ts'
import { levelsOf, makeStock, movementsOf } from '../../support/make/stock.ts'

const close = (person: Person, id: number) => person.post(`/api/purchase-orders/${id}/close`)
const cancel = (person: Person, id: number) => person.post(`/api/purchase-orders/${id}/cancel`)

/** Reverses every receipt of an order. */
async function reverseAll(person: Person, id: number): Promise<void> {
  for (const receipt of await receiptsOf(person, id)) {
    await person.post(`/api/purchase-orders/${id}/receipts/${receipt.id}/reverse`)
  }
}

const threeLines = [1, 2, 3].map((number) => line(number, { quantity: 10 }))

t.test('closing a partially received order cancels the rest of each line', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const { id } = await makeSentOrder(alice, { lineItems: threeLines })
  const { receivedAt } = (await receive(alice, id, [12, 4], { allowOverReceipt: true })).json().data
  const movements = await movementsOf(db, alice)
  const answer = await close(alice, id)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: { id, status: 'received' } })
  const { closedAt } = await readOrder(alice, id)
  t.ok(closedAt, 'the order says when it was closed')
  t.match(await readOrder(alice, id), {
    status: 'received',
    isClosedShort: true,
    closedBy: alice.userId,
    receivedAt,
    version: 4,
    emailStatus: 'queued',
    lineItems: [
      { receivedQuantity: 12, cancelledQuantity: 0, outstandingQuantity: 0, status: 'received' },
      { receivedQuantity: 4, cancelledQuantity: 6, outstandingQuantity: 0, status: 'received' },
      { receivedQuantity: 0, cancelledQuantity: 10, outstandingQuantity: 0, status: 'cancelled' },
    ],
  })
  t.strictSame(await movementsOf(db, alice), movements, 'no stock moves')
})

t.test('an order that was closed short has the value of what arrived', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const lineItems = [line(1, { quantity: 10, costPrice: 25 }), line(2, { quantity: 5, costPrice: 0 })]
  const { id } = await makeSentOrder(alice, { lineItems, tax: 50 })
  await receive(alice, id, [4])
  t.match(await readOrder(alice, id), {
    total: 300,
    receivedValue: 120,
    isClosedShort: false,
    closedAt: null,
  })
  await close(alice, id)
  const [listed] = (await alice.get('/api/purchase-orders')).json().data
  t.match(listed, { total: 300, receivedValue: 120, isClosedShort: true })
  const { recentPOs } = (await alice.get('/api/dashboard')).json().data
  t.match(recentPOs, [
    { id, isClosedShort: true, receivedValue: 120, orderedQuantity: 15, receivedQuantity: 4 },
  ])
  const spend = async (query: string) =>
    (await alice.get(`/api/reports/procurement-spend${query}`)).json().data
  t.match(await spend(''), { totalSpend: 300, orderCount: 1 })
  t.match(await spend('?basis=received'), {
    totalSpend: 120,
    orderCount: 1,
    bySupplier: [{ spend: 120, orderCount: 1 }],
    byMonth: [{ spend: 120 }],
  })
  t.match(await spend('?basis=received&endDate=2020-01-01'), { totalSpend: 0, orderCount: 0 })
  const other = await makeSentOrder(alice, { lineItems: [line(1)] })
  await postCounts(alice, other.id, [{ rejected: 1 }])
  t.match(await spend('?basis=received'), { totalSpend: 120, orderCount: 1 }, 'nothing was accepted')
  await reverseAll(alice, id)
  t.match(await readOrder(alice, id), { receivedValue: 0, isClosedShort: false })
  t.match(await spend('?basis=received'), { totalSpend: 0, orderCount: 0 })
})

t.test('what arrived has the tax of its lines, and of a typed tax its share by value', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const budget = await alice.post('/api/buying-budgets', {
    ...{ name: 'Now', amount: 1000, startsOn: dayFromToday(-5), endsOn: dayFromToday(5) },
  })
  const spent = async () =>
    (await alice.get(`/api/buying-budgets/${budget.json().data.id}`)).json().data.spent
  const spend = async (query = '') => (await alice.get(`/api/reports/procurement-spend${query}`)).json().data
  const lineItems = [20, 0].map((taxRate, at) => line(at + 1, { quantity: 10, costPrice: 10, taxRate }))
  /** An order of which only the second line arrives. */
  const halfOf = async (fields: object) => {
    const before = { spent: await spent(), received: (await spend('?basis=received')).totalSpend }
    const { id } = await makeSentOrder(alice, { lineItems, ...fields })
    await receive(alice, id, [0, 10])
    const { total, receivedValue } = await readOrder(alice, id)
    await close(alice, id)
    return {
      total,
      receivedValue,
      spent: (await spent()) - before.spent,
      received: (await spend('?basis=received')).totalSpend - before.received,
    }
  }
  t.strictSame(await halfOf({}), { total: 220, receivedValue: 100, spent: 100, received: 100 })
  const discounted = { total: 198, receivedValue: 90, spent: 90, received: 90 }
  t.strictSame(await halfOf({ discount: 20 }), discounted)
  t.strictSame(await halfOf({ tax: 20 }), { total: 220, receivedValue: 110, spent: 110, received: 110 })

  const { id } = await makeSentOrder(alice, { lineItems, discount: 20 })
  await db.query(sql.typeAlias('void')`
    update purchase_order set tax = 20 where shop_id = ${alice.shopId} and id = ${id}
  `)
  await receive(alice, id, [10, 10])
  t.match(await readOrder(alice, id), { total: 200, receivedValue: 200 }, 'a tax of before migration 110')

  const { corrections } = await spend()
  const credited = await makeSentOrder(alice, { lineItems, discount: 20 })
  // 10 x (12 - 9) x 1.20 more, and 10 x 9 without tax are credited
  await postCounts(alice, credited.id, [
    { accepted: 10, unitCost: 12 },
    { rejected: 10, rejectOutcome: 'credit' },
  ])
  t.equal((await spend()).corrections - corrections, 36 - 90)
})

t.test('closing an order without receipts cancels the order and its mail', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeSentOrder(alice, { lineItems: threeLines })
  t.strictSame((await close(alice, id)).json().data, { id, status: 'cancelled' })
  const { lineItems, ...order } = await readOrder(alice, id)
  t.match(order, { status: 'cancelled', receivedAt: null, emailStatus: 'failed' })
  const cancelled = {
    receivedQuantity: 0,
    cancelledQuantity: 10,
    outstandingQuantity: 0,
    status: 'cancelled',
  }
  t.match(lineItems, [cancelled, cancelled, cancelled])
  const [mail] = await mailsOf(db, alice, id)
  t.equal(
    await startMail(db, alice.shopId, mail?.id ?? 0, pdfSha256),
    false,
    'the worker cannot send the mail',
  )
})

t.test('cancelling an order cancels its lines', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  await cancel(alice, id)
  t.match((await readOrder(alice, id)).lineItems, [
    { quantity: 3, receivedQuantity: 0, cancelledQuantity: 3, outstandingQuantity: 0, status: 'cancelled' },
  ])
})

t.test('only a sent or partially received order can be closed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const hints = { draft: /Cancel or delete it/, received: /already/, cancelled: /already/ } as const
  for (const status of ['draft', 'received', 'cancelled'] as const) {
    const { id } = await makeOrderIn(alice, status)
    const before = await readOrder(alice, id)
    const { message } = expectFailure(t, await close(alice, id), 409, 'conflict', status)
    t.match(message, hints[status])
    t.strictSame(await readOrder(alice, id), before)
  }
  expectFailure(t, await close(alice, 999_999), 404, 'not_found')
})

t.test('a closed order accepts no receipt until one is reversed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'partial')
  await close(alice, id)
  expectFailure(t, await receive(alice, id, [2]), 409, 'conflict')
  await reverseAll(alice, id)
  t.match((await readOrder(alice, id)).lineItems, [{ cancelledQuantity: 2, outstandingQuantity: 1 }])
  t.strictSame((await close(alice, id)).json().data, { id, status: 'cancelled' })
  t.match((await readOrder(alice, id)).lineItems, [{ cancelledQuantity: 3, outstandingQuantity: 0 }])
})

t.test('concurrent closing and receiving lose no unit', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  let arrived = 0
  for (let round = 0; round < 10; round++) {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
    const [item] = (await readOrder(alice, id)).lineItems
    const body = { lineItems: [{ lineItemId: item?.id, quantityReceived: 4 }] }
    const [delivery, closing] = await Promise.all([
      alice.post(`/api/purchase-orders/${id}/receive`, body),
      close(alice, id),
    ])
    t.equal(closing.statusCode, 200)
    t.ok([200, 409].includes(delivery.statusCode))
    const isReceived = delivery.statusCode === 200
    if (isReceived) arrived += 4
    t.match(await readOrder(alice, id), {
      status: isReceived ? 'received' : 'cancelled',
      lineItems: [{ receivedQuantity: isReceived ? 4 : 0, cancelledQuantity: isReceived ? 6 : 10 }],
    })
  }
  t.match(await levelsOf(db, alice), { '1/1': [10 + arrived, 10] })
})

t.test('one of ten concurrent requests closes the order', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'partial')
  const answers = await Promise.all(Array.from({ length: 10 }, () => close(alice, id)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.equal(answers.filter(({ statusCode }) => statusCode === 409).length, 9)
})

t.test('an order with reversed receipts cannot be deleted', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'partial')
  await reverseAll(alice, id)
  t.equal((await cancel(alice, id)).statusCode, 200)
  const answer = await alice.delete(`/api/purchase-orders/${id}`)
  const { message } = expectFailure(t, answer, 409, 'conflict')
  t.match(message, /cannot be deleted, even if they were reversed/)
  t.match(await readOrder(alice, id), { status: 'cancelled' })
  t.equal((await receiptsOf(alice, id)).length, 1)
})

t.test('another shop cannot close an order', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  expectFailure(t, await close(mallory, id), 404, 'not_found')
  t.match(await readOrder(alice, id), { status: 'sent', lineItems: [{ cancelledQuantity: 0 }] })
})
