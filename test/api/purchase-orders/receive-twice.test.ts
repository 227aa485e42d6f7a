import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { until } from '../../support/core/until.ts'
import { line, makeSentOrder, readOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { expectLedger, levelsOf, locationGid, makeStock, pushLinesOf } from '../../support/make/stock.ts'

const twoLines = [line(1, { quantity: 10 }), line(2, { quantity: 5 })]

/** Moves the receipts of the order into the past. */
async function ageReceipts(db: Db, { shopId }: Person, id: number, seconds: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update receipt
    set created_at = created_at - ${seconds} * interval '1 second'
    where shop_id = ${shopId} and purchase_order_id = ${id}
  `)
}

/**
 * Lets the ten seconds of a receipt last longer, since a busy machine may need them for two requests. Returns the body
 * that a repeated request gets.
 */
async function keepRecent(db: Db, person: Person, id: number, answer: LightMyRequestResponse) {
  await ageReceipts(db, person, id, -600)
  const { data, ...rest } = answer.json()
  const receivedAt = new Date(Date.parse(data.receivedAt) + 600_000).toISOString()
  return { ...rest, data: { ...data, receivedAt } }
}

t.test('a repeated request within ten seconds is one receipt with one answer', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  const first = await keepRecent(db, alice, id, await receive(alice, id, [3, 2]))
  const [firstLine, secondLine] = (await readOrder(alice, id)).lineItems
  const reordered = await alice.post(`/api/purchase-orders/${id}/receive`, {
    lineItems: [
      { lineItemId: secondLine?.id, quantityReceived: 2 },
      { lineItemId: firstLine?.id, quantityReceived: 1 },
      { lineItemId: firstLine?.id, quantityReceived: 2 },
    ],
    locationId: locationGid(1),
    notes: 'the notes do not count',
  })
  t.equal(reordered.statusCode, 200)
  t.strictSame(reordered.json(), first)
  t.match(await receiptsOf(alice, id), [{ notes: '' }])
  t.match(await levelsOf(db, alice), { '1/1': [13, 10], '2/1': [12, 10] })
  t.equal((await pushLinesOf(db, alice)).length, 2)

  await receive(alice, id, [3, 2], { locationId: locationGid(2) })
  await receive(alice, id, [3, 1])
  t.equal(
    (await receiptsOf(alice, id)).length,
    3,
    'other quantities or another location make another receipt',
  )
  t.strictSame(
    (await receive(alice, id, [3, 2])).json(),
    first,
    'a repeat after other receipts gets the same answer',
  )
  await expectLedger(t, db, alice)
})

t.test('a repeat of the last receipt gets its answer although the order is received', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const first = await keepRecent(db, alice, id, await receive(alice, id, [3]))
  t.match(first.data, { status: 'received' })
  t.strictSame((await receive(alice, id, [3])).json(), first)

  const other = await makeSentOrder(alice)
  const part = await keepRecent(db, alice, other.id, await receive(alice, other.id, [1]))
  await alice.post(`/api/purchase-orders/${other.id}/close`)
  t.match(part.data, { status: 'partial' })
  t.strictSame(
    (await receive(alice, other.id, [1])).json(),
    part,
    'the answer has the status after the first request',
  )
  t.match(await readOrder(alice, other.id), { status: 'received' })
})

t.test('a repeated request after ten seconds is a second receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const onHand = async () => (await levelsOf(db, alice))['1/1']?.[0]
  const singleReceipt = async () => {
    const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
    const quantity = (await onHand()) ?? 0
    await receive(alice, order.id, [2])
    await ageReceipts(db, alice, order.id, 8)
    await receive(alice, order.id, [2])
    return (await onHand()) === quantity + 2 && { id: order.id, before: quantity }
  }
  // a busy machine may need longer than the other two seconds, and then tries again
  const { id, before } = await until(singleReceipt, 'a request after eight seconds is no second receipt')
  await ageReceipts(db, alice, id, 2)
  t.equal((await receive(alice, id, [2])).statusCode, 200)
  t.equal(await onHand(), before + 4)
  t.equal((await receiptsOf(alice, id)).length, 2)
  await expectLedger(t, db, alice)
})

t.test('another user or a reversed receipt makes a new receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  await receive(alice, id, [2])
  const [receipt] = await receiptsOf(alice, id)
  await alice.post(`/api/purchase-orders/${id}/receipts/${receipt?.id}/reverse`)
  await receive(alice, id, [2])
  t.match(await levelsOf(db, alice), { '1/1': [12, 10] })
  await db.query(sql.typeAlias('void')`
    update receipt set created_by = 'another-user' where shop_id = ${alice.shopId} and purchase_order_id = ${id}
  `)
  await receive(alice, id, [2])
  t.match(await levelsOf(db, alice), { '1/1': [14, 10] })
})

t.test('equal requests with different idempotency keys are two receipts', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const [item] = (await readOrder(alice, id)).lineItems
  const body = JSON.stringify({ lineItems: [{ lineItemId: item?.id, quantityReceived: 2 }] })
  for (const key of ['box-1', 'box-2']) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const answer = await alice.send('POST', `/api/purchase-orders/${id}/receive`, body, headers)
    t.equal(answer.statusCode, 200)
  }
  t.equal((await receiptsOf(alice, id)).length, 2)
  t.match(await levelsOf(db, alice), { '1/1': [14, 10] })
})

t.test('twenty concurrent equal requests are one receipt with one answer', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 100 })] })
  const [item] = (await readOrder(alice, id)).lineItems
  const body = { lineItems: [{ lineItemId: item?.id, quantityReceived: 4 }] }
  const requests = Array.from({ length: 20 }, () => alice.post(`/api/purchase-orders/${id}/receive`, body))
  const answers = await Promise.all(requests)
  t.strictSame([...new Set(answers.map(({ statusCode }) => statusCode))], [200])
  t.equal(new Set(answers.map(({ body }) => body)).size, 1)
  t.equal((await receiptsOf(alice, id)).length, 1)
  t.match(await levelsOf(db, alice), { '1/1': [14, 10] })
  t.match(await readOrder(alice, id), { lineItems: [{ receivedQuantity: 4 }] })
  await expectLedger(t, db, alice)
})

t.test('one of two concurrent receipts above the outstanding quantity is refused', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (let round = 0; round < 5; round++) {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
    const [item] = (await readOrder(alice, id)).lineItems
    const deliver = (quantityReceived: number) =>
      alice.post(`/api/purchase-orders/${id}/receive`, {
        lineItems: [{ lineItemId: item?.id, quantityReceived }],
      })
    const answers = await Promise.all([deliver(6), deliver(7)])
    const [winner, loser] = answers.sort((a, b) => a.statusCode - b.statusCode)
    t.equal(winner?.statusCode, 200)
    if (loser) expectFailure(t, loser, 422, 'over_receipt')
    const [receipt, ...others] = await receiptsOf(alice, id)
    t.strictSame(others, [])
    t.match((await readOrder(alice, id)).lineItems, [{ receivedQuantity: receipt?.lineItems[0]?.quantity }])
  }
  await expectLedger(t, db, alice)
})

t.test('concurrent receipts of many orders lose no unit, whatever the order of lines', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 4 })
  const numbers = [1, 2, 3, 4]
  const orders = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      makeSentOrder(alice, {
        lineItems: (at % 2 ? numbers : numbers.toReversed()).map((number) => line(number)),
      }),
    ),
  )
  const answers = await Promise.all(orders.map(({ id }) => receive(alice, id, [1, 1, 1, 1])))
  t.strictSame(
    answers.map((answer) => answer.json().data.status),
    orders.map(() => 'received'),
  )
  const level = [20, 10]
  t.strictSame(await levelsOf(db, alice), { '1/1': level, '2/1': level, '3/1': level, '4/1': level })
  await expectLedger(t, db, alice)
})
