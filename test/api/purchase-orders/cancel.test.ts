import t from 'tap'
import { startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import {
  mailsOf,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  pdfSha256,
  readOrder,
} from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const cancel = (person: Person, id: number) => person.post(`/api/purchase-orders/${id}/cancel`)
const remove = (person: Person, id: number) => person.delete(`/api/purchase-orders/${id}`)

t.test('a draft can be cancelled', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const answer = await cancel(alice, id)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: { id, status: 'cancelled' } })
  t.match(await readOrder(alice, id), { status: 'cancelled', emailStatus: 'none', version: 2 })
})

t.test('a cancelled order says when and by whom, also after its invoice was entered', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  t.match(await readOrder(alice, id), { cancelledAt: null, cancelledBy: '' })
  await cancel(alice, id)
  const { cancelledAt, updatedAt } = await readOrder(alice, id)
  t.equal(cancelledAt, updatedAt)
  const answer = await alice.put(`/api/purchase-orders/${id}`, { invoiceNumber: 'R-1' })
  t.equal(answer.statusCode, 200)
  const order = await readOrder(alice, id)
  t.match(order, { cancelledAt, cancelledBy: alice.userId, invoiceNumber: 'R-1' })
  t.not(order.updatedAt, updatedAt)

  const others = await Promise.all([makeSentOrder(alice), makeSentOrder(alice)])
  const ids = others.map((other) => other.id)
  await alice.post('/api/purchase-orders/bulk', { action: 'cancel', ids })
  for (const other of ids) t.match(await readOrder(alice, other), { cancelledBy: alice.userId })
})

t.test('cancelling a sent order cancels its queued mail', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  t.equal((await cancel(alice, id)).statusCode, 200)
  const reason = 'The order was cancelled before it was e-mailed.'
  t.match(await readOrder(alice, id), { status: 'cancelled', emailStatus: 'failed', emailReason: reason })
  const [mail] = await mailsOf(db, alice, id)
  t.match(mail, { state: 'failed', reason })
  t.equal(
    await startMail(db, alice.shopId, mail?.id ?? 0, pdfSha256),
    false,
    'the worker cannot send the mail',
  )
})

t.test('cancelling an order does not stop a mail that is being sent', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const [mail] = await mailsOf(db, alice, id)
  t.equal(await startMail(db, alice.shopId, mail?.id ?? 0, pdfSha256), true)
  t.equal((await cancel(alice, id)).statusCode, 200)
  t.match(await mailsOf(db, alice, id), [{ state: 'sending' }])
})

t.test('an order can be cancelled once, and only before its first receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const reasons = {
    cancelled: /already/,
    partial: /[Cc]lose it instead/,
    received: /Undo its receipts/,
  } as const
  for (const status of ['cancelled', 'partial', 'received'] as const) {
    const { id } = await makeOrderIn(alice, status)
    const before = await readOrder(alice, id)
    const { message } = expectFailure(t, await cancel(alice, id), 409, 'conflict', status)
    t.match(message, reasons[status])
    t.strictSame(await readOrder(alice, id), before)
  }
})

t.test('one of ten concurrent requests cancels the order', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(alice, id)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.equal(answers.filter(({ statusCode }) => statusCode === 409).length, 9)
})

t.test('concurrent sending and cancelling leave the order cancelled and its mail unsent', async (t) => {
  const { db, alice } = await startApp(t)
  for (let round = 0; round < 10; round++) {
    const { id } = await makeOrder(alice)
    const [sending, cancelling] = await Promise.all([
      alice.post(`/api/purchase-orders/${id}/send`),
      cancel(alice, id),
    ])
    t.equal(cancelling.statusCode, 200)
    t.ok([200, 409].includes(sending.statusCode))
    t.equal((await readOrder(alice, id)).status, 'cancelled')
    const states = (await mailsOf(db, alice, id)).map(({ state }) => state)
    t.strictSame(states, sending.statusCode === 200 ? ['failed'] : [])
  }
})

t.test('a draft and a cancelled order can be deleted', async (t) => {
  const { alice } = await startApp(t)
  const draft = await makeOrder(alice)
  const cancelled = await makeSentOrder(alice)
  await cancel(alice, cancelled.id)
  for (const { id } of [draft, cancelled]) {
    const answer = await remove(alice, id)
    t.equal(answer.statusCode, 200)
    t.strictSame(answer.json(), { success: true, data: { message: 'Purchase order deleted.' } })
    expectFailure(t, await alice.get(`/api/purchase-orders/${id}`), 404, 'not_found')
    expectFailure(t, await remove(alice, id), 404, 'not_found')
    expectFailure(t, await cancel(alice, id), 404, 'not_found')
  }
  t.strictSame((await alice.get('/api/purchase-orders')).json().data, [])
})

t.test('a sent order cannot be deleted', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (const status of ['sent', 'partial', 'received'] as const) {
    const { id } = await makeOrderIn(alice, status)
    expectFailure(t, await remove(alice, id), 409, 'conflict', status)
    t.equal((await readOrder(alice, id)).status, status)
  }
})

t.test('another shop can neither cancel nor delete an order', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeOrder(alice)
  expectFailure(t, await cancel(mallory, id), 404, 'not_found')
  expectFailure(t, await remove(mallory, id), 404, 'not_found')
  t.match(await readOrder(alice, id), { status: 'draft', version: 1 })
})
