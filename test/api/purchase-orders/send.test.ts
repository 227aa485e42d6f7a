import t from 'tap'
import type { Db } from '../../../shared/db/db.ts'
import { advanceMail, startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import {
  mailsOf,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  pdfSha256,
  readOrder,
  receive,
} from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const send = (person: Person, id: number, body?: object) =>
  person.post(`/api/purchase-orders/${id}/send`, body)
/** The queued mail jobs of the shop. */
const mailJobs = (db: Db, { shopId }: Person) => enqueued(db, jobs.sendPurchaseOrder, shopId)
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

t.test('sending a draft queues one mail job', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { email: 'orders@acme.example.com' })
  const { id } = await makeOrder(alice, { supplierId })
  const answer = await send(alice, id)
  t.equal(answer.statusCode, 200)
  const { sentAt } = answer.json().data
  t.strictSame(answer.json(), { success: true, data: { id, status: 'sent', sentAt } })
  t.match(sentAt, timestamp)

  const [mail, ...more] = await mailsOf(db, alice, id)
  t.strictSame(more, [])
  const recipient = 'orders@acme.example.com'
  t.strictSame(mail, {
    id: mail?.id,
    sendNo: 1,
    state: 'queued',
    reason: '',
    recipient,
    createdBy: alice.userId,
  })
  const payload = { shopId: alice.shopId, outgoingMailId: mail?.id }
  t.strictSame(await mailJobs(db, alice), [payload])
  t.match(await readOrder(alice, id), {
    status: 'sent',
    sentAt,
    emailStatus: 'queued',
    emailReason: '',
    emailRecipient: recipient,
    version: 2,
  })
})

t.test('an order is sent once', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const before = await readOrder(alice, id)
  for (const body of [undefined, {}, { resend: false }]) {
    const { message } = expectFailure(t, await send(alice, id, body), 409, 'conflict')
    t.match(message, /already/)
  }
  t.equal((await mailJobs(db, alice)).length, 1)
  t.strictSame(await readOrder(alice, id), before)
})

t.test('an order that was changed since it was read is not sent', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const preview = async () =>
    (await alice.get(`/api/purchase-orders/${id}/send-preview?attachments=false`)).json().data
  const { version } = await preview()
  await alice.put(`/api/purchase-orders/${id}`, { notes: 'Another user was here' })
  expectFailure(t, await send(alice, id, { version }), 409, 'stale_version')
  t.match(await readOrder(alice, id), { status: 'draft', mails: [] })
  expectFailure(t, await send(alice, id, { version: 0 }), 400, 'invalid_request')
  t.equal((await send(alice, id, { version: (await preview()).version })).statusCode, 200)
  expectFailure(t, await send(alice, id, { version: version + 1, resend: true }), 409, 'stale_version')
  expectFailure(t, await send(alice, 999_999, { version: 1 }), 404, 'not_found')
})

t.test('one of ten concurrent requests sends the order, with and without resend', async (t) => {
  const { db, alice } = await startApp(t)
  for (const body of [{}, { resend: true }]) {
    const { id } = await makeOrder(alice)
    const before = (await mailJobs(db, alice)).length
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(alice, id, body)))
    const sent = answers.filter(({ statusCode }) => statusCode === 200)
    t.equal(sent.length, 1)
    for (const answer of answers.filter((other) => !sent.includes(other)))
      expectFailure(t, answer, 409, 'conflict')
    t.equal((await mailsOf(db, alice, id)).length, 1)
    t.equal((await mailJobs(db, alice)).length, before + 1)
  }
})

t.test('an empty or null body counts as no body', async (t) => {
  const { alice } = await startApp(t)
  for (const body of ['', 'null']) {
    const { id } = await makeOrder(alice)
    const json = { 'content-type': 'application/json' }
    const answer = await alice.send('POST', `/api/purchase-orders/${id}/send`, body, json)
    t.equal(answer.statusCode, 200, body)
  }
})

t.test('a sent order can be mailed again after the first mail is finished', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const { sentAt } = await readOrder(alice, id)
  const [first] = await mailsOf(db, alice, id)
  const firstId = first?.id ?? 0

  const early = expectFailure(t, await send(alice, id, { resend: true }), 409, 'conflict')
  t.match(early.message, /still being sent/)
  await startMail(db, alice.shopId, firstId, pdfSha256)
  expectFailure(t, await send(alice, id, { resend: true }), 409, 'conflict', 'the mail is being sent')
  t.equal((await mailJobs(db, alice)).length, 1)

  await advanceMail(db, alice.shopId, firstId, { state: 'sent', messageId: 'message-1' })
  t.match(await readOrder(alice, id), { emailStatus: 'sent', emailReason: '' })
  const answer = await send(alice, id, { resend: true })
  t.strictSame(
    answer.json(),
    { success: true, data: { id, status: 'sent', sentAt } },
    'a second mail keeps sentAt',
  )
  const [, second, ...more] = await mailsOf(db, alice, id)
  t.match(second, { sendNo: 2, state: 'queued' })
  t.strictSame(more, [])
  t.strictSame(
    await mailJobs(db, alice),
    [firstId, second?.id].map((outgoingMailId) => ({ shopId: alice.shopId, outgoingMailId })),
  )
  t.match(await readOrder(alice, id), { emailStatus: 'queued', sentAt })
})

t.test('a failed mail can be sent again to the current address', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { email: 'typo@acme.example.com' })
  const { id } = await makeSentOrder(alice, { supplierId })
  const [mail] = await mailsOf(db, alice, id)
  const reason = 'The address does not exist.'
  await advanceMail(db, alice.shopId, mail?.id ?? 0, { state: 'failed', reason })
  t.match(await readOrder(alice, id), { emailStatus: 'failed', emailReason: reason, status: 'sent' })

  await alice.put(`/api/suppliers/${supplierId}`, { email: 'orders@acme.example.com' })
  t.equal((await send(alice, id, { resend: true })).statusCode, 200)
  const expected = { emailStatus: 'queued', emailReason: '', emailRecipient: 'orders@acme.example.com' }
  t.match(await readOrder(alice, id), expected)
})

t.test('a partially received order can be mailed again', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const [mail] = await mailsOf(db, alice, id)
  await advanceMail(db, alice.shopId, mail?.id ?? 0, { state: 'sent', messageId: 'message-1' })
  await makeStock(db, alice)
  await receive(alice, id, [1])
  expectFailure(t, await send(alice, id), 409, 'conflict')
  t.match((await send(alice, id, { resend: true })).json(), {
    success: true,
    data: { id, status: 'partial' },
  })
})

t.test('an order without lines cannot be sent', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: [] })
  const { message } = expectFailure(t, await send(alice, id), 409, 'conflict')
  t.match(message, /at least one line/)
  t.match(await readOrder(alice, id), { status: 'draft', sentAt: null, emailStatus: 'none' })
  t.strictSame(await mailJobs(db, alice), [])
})

t.test('a received or cancelled order cannot be sent', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (const status of ['received', 'cancelled'] as const) {
    const { id } = await makeOrderIn(alice, status)
    const before = [await mailsOf(db, alice, id), await mailJobs(db, alice)]
    for (const body of [{}, { resend: true }]) {
      expectFailure(t, await send(alice, id, body), 409, 'conflict', status)
    }
    t.strictSame([await mailsOf(db, alice, id), await mailJobs(db, alice)], before)
  }
})

t.test('an order without an address is sent but not mailed', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { email: null })
  await alice.post(`/api/suppliers/${supplierId}/contacts`, { name: 'Bob' })
  const { id } = await makeOrder(alice, { supplierId })
  t.match((await send(alice, id)).json(), { success: true, data: { status: 'sent', sentAt: timestamp } })
  t.match(await readOrder(alice, id), {
    status: 'sent',
    emailStatus: 'no_recipient',
    emailReason: /has an e-mail address/,
    emailRecipient: '',
  })
  t.strictSame(await mailJobs(db, alice), [])

  await alice.put(`/api/suppliers/${supplierId}`, { email: 'orders@acme.example.com' })
  t.equal(
    (await send(alice, id, { resend: true })).statusCode,
    200,
    'the order can be mailed after an address is added',
  )
  t.equal((await mailJobs(db, alice)).length, 1)
})

t.test('without an address of the supplier the mail goes to the first contact with one', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { email: null })
  for (const [name, email] of Object.entries({
    Ann: '',
    Bob: 'bob@acme.example.com',
    Cy: 'cy@acme.example.com',
  })) {
    await alice.post(`/api/suppliers/${supplierId}/contacts`, { name, email })
  }
  const first = await makeSentOrder(alice, { supplierId })
  t.equal((await readOrder(alice, first.id)).emailRecipient, 'bob@acme.example.com')

  await alice.put(`/api/suppliers/${supplierId}`, { email: 'orders@acme.example.com' })
  const second = await makeSentOrder(alice, { supplierId })
  t.equal((await readOrder(alice, second.id)).emailRecipient, 'orders@acme.example.com')
})

t.test('another shop cannot send an order', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const { id } = await makeOrder(alice)
  expectFailure(t, await send(mallory, id), 404, 'not_found')
  expectFailure(t, await send(mallory, id, { resend: true }), 404, 'not_found')
  t.equal((await readOrder(alice, id)).status, 'draft')
  t.strictSame([...(await mailJobs(db, alice)), ...(await mailJobs(db, mallory))], [])
})
