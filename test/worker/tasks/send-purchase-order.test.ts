import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import type { Faults } from '../../../dev/platform/faults.ts'
import { row, sql } from '../../../shared/db.ts'
import { jobs } from '../../../shared/jobs.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { startApp } from '../../support/app.ts'
import { line, makeOrder, makeSupplier } from '../../support/orders.ts'
import { enqueued, startTasks } from '../../support/worker.ts'

type Fault = Faults['mails'][number]['fault']

const MailRow = Type.Object({ state: Type.String(), reason: Type.String(), messageId: Type.String() })

/** An order of alice's that was sent and waits for its mail, and what tests do to it. */
async function startSending(t: Test, recipient = 'orders@acme.example.com') {
  const { db, alice, mallory } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  const supplierId = await makeSupplier(alice, { name: 'Acme & Co', email: recipient })
  const order = await makeOrder(alice, {
    supplierId,
    notes: 'margin is 40 %',
    supplierNotes: 'Ring <twice>',
    lineItems: [line(1, { title: 'Blue mug', quantity: 3, costPrice: 2.5 })],
  })
  await alice.post(`/api/purchase-orders/${order.id}/send`)
  const [payload] = await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)
  if (!payload) throw new Error('nothing was enqueued')

  return {
    alice,
    mallory,
    db,
    order,
    payload,
    platform,
    /** One attempt of the job: what it failed with, or undefined. */
    attempt: (options?: { isLast?: boolean; signal?: AbortSignal }) =>
      perform(jobs.sendPurchaseOrder, payload, options).then(
        () => undefined,
        (error: Error) => error.message,
      ),
    perform,
    fail: (...faults: Fault[]) => platform.faults.set({ mails: faults.map((fault) => ({ fault })) }),
    mailRow: () =>
      db.one(sql.type(row(MailRow))`
        select state, reason, message_id from outgoing_mail
        where shop_id = ${alice.shopId} order by id desc limit 1
      `),
    /** Lets time pass since the mail service was asked. */
    age: (seconds: number) =>
      db.query(sql.typeAlias('void')`
        update outgoing_mail set requested_at = requested_at - make_interval(secs => ${seconds})
        where shop_id = ${alice.shopId}
      `),
    read: async () => (await alice.get(`/api/purchase-orders/${order.id}`)).json().data,
  }
}

t.test('an order is mailed once with its PDF, however often the job runs', async (t) => {
  const { alice, db, order, platform, attempt, mailRow, read } = await startSending(t)
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, company_name, email, currency)
    values (${alice.shopId}, 'Kestrel & Vine', 'buying@kestrel.example.com', 'GBP')
  `)
  t.equal(await attempt(), undefined)
  t.equal(await attempt(), undefined)

  const [mail, ...others] = platform.mails()
  t.strictSame(others, [])
  t.match(mail, {
    From: { Email: 'orders@quartermaster.example', Name: 'Quartermaster' },
    To: [{ Email: 'orders@acme.example.com' }],
    ReplyTo: 'buying@kestrel.example.com',
    Subject: 'Purchase order PO-00001 from Kestrel & Vine',
    Metadata: { reference: /^[0-9a-f-]{36}$/ },
    Attachments: [{ Name: 'PO-00001.pdf', ContentType: 'application/pdf' }],
  })
  t.match(mail?.TextBody, /Dear Acme & Co,[\s\S]*PO-00001[\s\S]*Total: £7\.50[\s\S]*Ring <twice>/)
  t.match(mail?.HtmlBody, 'Dear Acme &amp; Co,')
  t.match(mail?.HtmlBody, 'Ring &lt;twice&gt;')
  const { text } = await readPdf(Buffer.from(mail?.Attachments[0]?.Content ?? '', 'base64'))
  for (const part of ['PO-00001', 'Kestrel & Vine', 'Blue mug', '£7.50', 'Ring <twice>']) t.match(text, part)
  for (const all of [text, mail?.TextBody, mail?.HtmlBody]) t.notMatch(all, 'margin')

  t.match(await mailRow(), { state: 'sent', reason: '', messageId: mail?.MessageID })
  t.match(await read(), { id: order.id, emailStatus: 'sent', emailReason: '', status: 'sent' })
})

t.test('a mail that was certainly not taken is tried again at once', async (t) => {
  const { platform, attempt, fail, read } = await startSending(t)
  fail('answer-429')
  t.match(await attempt(), 'cannot be reached')
  t.match(await read(), { emailStatus: 'queued', emailReason: /tried again/ })
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'sent', emailReason: '' })
  t.equal(platform.mails().length, 1)
})

t.test('a mail service that is away is tried again, and the last attempt ends it', async (t) => {
  const { platform, attempt, read } = await startSending(t)
  await platform.close()
  t.match(await attempt(), 'cannot be reached')
  t.match(await read(), { emailStatus: 'queued' })
  t.match(await attempt({ isLast: true }), 'cannot be reached')
  t.match(await read(), { emailStatus: 'failed', emailReason: 'The mail service could not be reached.' })
})

t.test('a mail that was taken without saying so is found, and never sent again', async (t) => {
  for (const fault of ['accept-drop', 'accept-500', 'accept-garbage'] as const) {
    await t.test(fault, async (t) => {
      const { platform, attempt, fail, mailRow, read } = await startSending(t)
      fail(fault)
      t.match(await attempt(), 'did not say whether')
      t.match(await read(), { emailStatus: 'unknown', emailReason: /is being asked/ })
      t.equal(await attempt(), undefined)
      t.equal(platform.mails().length, 1)
      t.match(await mailRow(), { state: 'sent', messageId: platform.mails()[0]?.MessageID })
    })
  }
})

t.test('a mail that was not taken is sent again only when the service is sure not to know it', async (t) => {
  for (const fault of ['drop', 'answer-500', 'answer-503'] as const) {
    await t.test(fault, async (t) => {
      const { platform, attempt, fail, age, read } = await startSending(t)
      fail(fault)
      t.match(await attempt(), 'did not say whether')
      t.match(await attempt(), 'does not know the mail yet')
      t.match(await read(), { emailStatus: 'unknown' })
      t.equal(platform.mails().length, 0)
      await age(61)
      t.equal(await attempt(), undefined)
      t.equal(platform.mails().length, 1)
      t.match(await read(), { emailStatus: 'sent' })
    })
  }
})

t.test('a mail that the search shows late is not sent twice', async (t) => {
  const { platform, attempt, fail } = await startSending(t)
  fail('accept-drop')
  platform.faults.set({ searchLagMs: 60_000 })
  await attempt()
  t.match(await attempt(), 'does not know the mail yet')
  platform.faults.set({ searchLagMs: 0 })
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('a request without an answer is given up, and asked about', async (t) => {
  const { platform, attempt, fail } = await startSending(t)
  fail('accept-hang')
  t.match(await attempt(), 'did not say whether')
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('a process that died between mark and answer leaves a mail that is asked about', async (t) => {
  const { db, alice, platform, attempt, age, read } = await startSending(t)
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set state = 'sending', requested_at = now() where shop_id = ${alice.shopId}
  `)
  t.match(await attempt(), 'does not know the mail yet')
  t.match(await read(), { emailStatus: 'unknown' })
  await age(61)
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('when the service cannot be asked for five minutes, a person decides', async (t) => {
  const { alice, order, platform, attempt, fail, age, read } = await startSending(t)
  const resend = () => alice.post(`/api/purchase-orders/${order.id}/send`, { resend: true })
  fail('accept-drop')
  platform.faults.set({ failingSearches: 2 })
  await attempt()
  t.match(await attempt(), /./, 'the search fails')
  t.equal((await resend()).statusCode, 409, 'while it is being asked, nobody sends it again')
  await age(301)
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'unknown', emailReason: /Ask the supplier/ })
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1, 'nothing is sent by itself any more')

  t.equal((await resend()).statusCode, 200)
  t.match(await read(), { emailStatus: 'queued' })
})

t.test('a resend takes an unknown mail out of the hands of its job', async (t) => {
  const { alice, order, platform, attempt, fail, age } = await startSending(t)
  fail('drop')
  await attempt()
  await age(301)
  const resend = await alice.post(`/api/purchase-orders/${order.id}/send`, { resend: true })
  t.equal(resend.statusCode, 200)
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 0, 'the first job leaves it to the second')
})

t.test('an address that the service refuses ends the mail with a reason', async (t) => {
  for (const [address, reason] of [
    ['inactive@acme.example.com', /bounced/],
    ['double..dot@acme.example.com', /Check the address/],
  ] as const) {
    const { platform, attempt, read } = await startSending(t, address)
    t.equal(await attempt(), undefined)
    t.match(await read(), { status: 'sent', emailStatus: 'failed', emailReason: reason })
    t.equal(platform.mails().length, 0)
  }
})

t.test('an order that was cancelled or deleted meanwhile is not mailed', async (t) => {
  const { alice, order, platform, attempt, read } = await startSending(t)
  await alice.post(`/api/purchase-orders/${order.id}/cancel`)
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'failed', emailReason: /cancelled/ })
  await alice.delete(`/api/purchase-orders/${order.id}`)
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 0)
})

t.test('an order that was cancelled while its mail was unknown is not mailed either', async (t) => {
  const { alice, order, platform, attempt, fail, age, read } = await startSending(t)
  fail('drop')
  await attempt()
  await alice.post(`/api/purchase-orders/${order.id}/cancel`)
  await age(61)
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'failed', emailReason: /cancelled/ })
  t.equal(platform.mails().length, 0)
})

t.test('a stop interrupts a waiting request, and the next attempt asks about it', async (t) => {
  const { platform, attempt, fail, read } = await startSending(t)
  fail('accept-hang')
  t.match(await attempt({ signal: AbortSignal.timeout(1_000) }), 'did not say whether')
  t.match(await read(), { emailStatus: 'unknown' })
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('a job that names the mail of another shop does nothing', async (t) => {
  const { mallory, payload, platform, perform, mailRow } = await startSending(t)
  await perform(jobs.sendPurchaseOrder, { ...payload, shopId: mallory.shopId })
  t.equal(platform.mails().length, 0)
  t.match(await mailRow(), { state: 'queued' })
})

t.test('a payload that does not fit fails the job', async (t) => {
  const { payload, perform } = await startSending(t)
  const broken = { ...payload, outgoingMailId: 'x' as unknown as number }
  await t.rejects(
    perform(jobs.sendPurchaseOrder, broken),
    /does not fit send-purchase-order: \/outgoingMailId/,
  )
})
