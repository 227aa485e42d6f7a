import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import type { Faults } from '../../../../dev/simulator/faults.ts'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { readPdf } from '../../../shared/pdf/read-pdf.ts'
import { startApp } from '../../../support/core/app.ts'
import { until } from '../../../support/core/until.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { line, makeOrder, makeSupplier } from '../../../support/make/orders.ts'

type Fault = Faults['mails'][number]['fault']

const MailRow = Type.Object({ state: Type.String(), reason: Type.String(), messageId: Type.String() })

/** A sent order of alice's with its mail in the queue, and what tests do with it. */
async function startSending(
  t: Test,
  {
    recipient = 'orders@acme.example.com',
    serverToken,
    prepare = async () => {},
  }: {
    recipient?: string
    serverToken?: string
    /** Changes the shop before the order is sent. */
    prepare?: (db: Db, shopId: number) => Promise<unknown>
  } = {},
) {
  const { db, alice, mallory } = await startApp(t)
  await prepare(db, alice.shopId)
  const { platform, perform } = await startTasks(t, db, { serverToken })
  const supplierId = await makeSupplier(alice, { name: 'Acme & Co', email: recipient })
  const order = await makeOrder(alice, {
    supplierId,
    notes: 'margin is 40 %',
    supplierNotes: 'Ring <twice>',
    lineItems: [line(1, { title: 'Blue mug', quantity: 3, costPrice: 2.5 })],
  })
  await alice.post(`/api/purchase-orders/${order.id}/send`)
  const [payload] = await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)
  if (!payload) throw new Error('no job was enqueued')

  return {
    alice,
    mallory,
    db,
    order,
    payload,
    platform,
    /** Runs one attempt of the job. Returns its error, or undefined. */
    attempt: (options?: { isLast?: boolean; signal?: AbortSignal }) =>
      perform(jobs.sendPurchaseOrder, payload, options).then(
        () => undefined,
        (error: Error) => error.message,
      ),
    perform,
    fail: (...faults: Fault[]) => platform.faults.set({ mails: faults.map((fault) => ({ fault })) }),
    jobsOfMail: async () => (await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)).length,
    mailRow: () =>
      db.one(sql.type(row(MailRow))`
        select state, reason, message_id from outgoing_mail
        where shop_id = ${alice.shopId} order by id desc limit 1
      `),
    /** Moves the request to the mail service into the past. */
    age: (seconds: number) =>
      db.query(sql.typeAlias('void')`
        update outgoing_mail set requested_at = requested_at - make_interval(secs => ${seconds})
        where shop_id = ${alice.shopId}
      `),
    /** Makes the title of the mail's first line this long. */
    lengthenTitle: (length: number) =>
      db.query(sql.typeAlias('void')`
        update outgoing_mail set content = jsonb_set(content, '{lines,0,title}', to_jsonb(repeat('x', ${length}::int)))
        where shop_id = ${alice.shopId}
      `),
    read: async () => (await alice.get(`/api/purchase-orders/${order.id}`)).json().data,
  }
}

t.test('an order is mailed once with its PDF, however often the job runs', async (t) => {
  const { order, platform, attempt, mailRow, read } = await startSending(t, {
    prepare: (db, shopId) =>
      db.query(sql.typeAlias('void')`
        insert into shop_setting (shop_id, company_name, email, currency)
        values (${shopId}, 'Kestrel & Vine', 'buying@kestrel.example.com', 'GBP')
      `),
  })
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

t.test('a mail that the service certainly refused is retried by its job', async (t) => {
  const { platform, attempt, fail, read } = await startSending(t)
  fail('answer-429')
  t.match(await attempt(), 'answered 429')
  t.match(await read(), { emailStatus: 'queued', emailReason: /tried again/ })
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'sent', emailReason: '' })
  t.equal(platform.mails().length, 1)
})

t.test('an unavailable mail service is retried, and the last attempt fails the mail', async (t) => {
  const { platform, attempt, read } = await startSending(t)
  await platform.close()
  t.match(await attempt(), 'No connection to the mail service')
  t.match(await read(), { emailStatus: 'queued', emailReason: /cannot be reached/ })
  t.match(await attempt({ isLast: true }), 'No connection')
  t.match(await read(), { emailStatus: 'failed', emailReason: /Send it again/ })
})

t.test('a configuration error is retried, with a message that names it', async (t) => {
  const { platform, attempt, read } = await startSending(t, { serverToken: 'another-token' })
  t.match(await attempt(), 'answered 401 (code 10)')
  t.match(await read(), { emailStatus: 'queued', emailReason: /does not accept our e-mail/ })
  t.equal(platform.mails().length, 0)
})

t.test('a mail accepted without confirmation is found and not sent again', async (t) => {
  for (const fault of ['accept-drop', 'accept-500', 'accept-garbage'] as const) {
    await t.test(fault, async (t) => {
      const { platform, attempt, fail, mailRow, read, jobsOfMail } = await startSending(t)
      fail(fault)
      t.equal(await attempt(), undefined)
      t.match(await read(), { emailStatus: 'unknown', emailReason: /is being checked/ })
      t.equal(await jobsOfMail(), 2, 'a new job checks the service')
      t.equal(await attempt(), undefined)
      t.equal(platform.mails().length, 1)
      t.match(await mailRow(), { state: 'sent', messageId: platform.mails()[0]?.MessageID })
    })
  }
})

t.test('an unconfirmed mail is sent again only when the service certainly does not have it', async (t) => {
  for (const fault of ['drop', 'answer-500', 'answer-503'] as const) {
    await t.test(fault, async (t) => {
      const { platform, attempt, fail, age, read, jobsOfMail } = await startSending(t)
      fail(fault)
      await attempt()
      t.equal(await attempt(), undefined)
      t.match(await read(), { emailStatus: 'unknown' })
      t.equal(platform.mails().length, 0, 'the search may not include it yet')
      await age(61)
      t.equal(await attempt(), undefined)
      t.match(await read(), { emailStatus: 'queued' })
      t.equal(await jobsOfMail(), 4, 'each check enqueued a new job')
      t.equal(await attempt(), undefined)
      t.equal(platform.mails().length, 1)
      t.match(await read(), { emailStatus: 'sent' })
    })
  }
})

t.test('a mail that is never confirmed is checked twelve times', async (t) => {
  const { platform, attempt, age, read } = await startSending(t)
  platform.faults.set({ mails: [{ fault: 'answer-500', times: 100 }] })
  for (let requests = 0; requests < 12; requests += 1) {
    t.equal(await attempt(), undefined)
    await age(61)
    t.equal(await attempt(), undefined)
  }
  t.match(await read(), { emailStatus: 'failed', emailReason: /does not accept/ })
  t.match(platform.faults.current().mails, [{ times: 88 }])
})

t.test('a mail that the search returns late is not sent twice', async (t) => {
  const { platform, attempt, fail } = await startSending(t)
  fail('accept-drop')
  platform.faults.set({ searchLagMs: 60_000 })
  for (let attempts = 0; attempts < 3; attempts += 1) t.equal(await attempt(), undefined)
  platform.faults.set({ searchLagMs: 0 })
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('a request without a response times out, and its outcome is checked', async (t) => {
  const { platform, attempt, fail, read } = await startSending(t)
  fail('accept-hang')
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'unknown' })
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('a mail of a process that crashed before the response is checked', async (t) => {
  const { db, alice, platform, attempt, age, read } = await startSending(t)
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set state = 'sending', requested_at = now() where shop_id = ${alice.shopId}
  `)
  t.equal(await attempt({ isLast: true }), undefined)
  t.match(await read(), { emailStatus: 'unknown' })
  await age(61)
  for (let attempts = 0; attempts < 2; attempts += 1) t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test(
  'a mail is not sent again while its outcome is being checked; after five minutes the merchant decides',
  async (t) => {
    const { alice, order, platform, attempt, fail, age, read } = await startSending(t)
    const resend = async () =>
      (await alice.post(`/api/purchase-orders/${order.id}/send`, { resend: true })).statusCode
    fail('accept-drop')
    platform.faults.set({ failingSearches: 2 })
    await attempt()
    t.equal(await attempt(), undefined)
    await age(301)
    t.equal(await resend(), 409)
    t.equal(await attempt(), undefined)
    t.match(await read(), { emailStatus: 'unknown', emailReason: /Ask the supplier/ })
    t.equal(await attempt(), undefined)
    t.equal(platform.mails().length, 1, 'no mail is sent automatically any more')

    t.equal(await resend(), 200)
    t.match(await read(), { emailStatus: 'queued' })
  },
)

t.test('a mail whose job is dead or missing does not block sending the order again', async (t) => {
  for (const state of ['queued', 'sending', 'unknown']) {
    const { alice, db, order, attempt, platform, read } = await startSending(t)
    await db.query(sql.typeAlias('void')`
      update outgoing_mail set state = ${state}, requested_at = now() where shop_id = ${alice.shopId}
    `)
    const resend = () => alice.post(`/api/purchase-orders/${order.id}/send`, { resend: true })
    t.equal((await resend()).statusCode, 409, `${state}: its job is still queued`)
    await db.query(sql.typeAlias('void')`
      update graphile_worker._private_jobs set attempts = max_attempts
      where (payload->>'shopId')::bigint = ${alice.shopId}
    `)
    t.equal((await resend()).statusCode, 200, state)
    t.match(await read(), { emailStatus: 'queued' })
    t.equal(await attempt(), undefined)
    t.equal(platform.mails().length, 0, 'the first mail is settled')
  }
})

t.test('a worker that stops during the last attempt leaves the mail to the next one', async (t) => {
  const { attempt, lengthenTitle, read } = await startSending(t)
  await lengthenTitle(100_000)
  const aborted = AbortSignal.abort(new Error('stopped'))
  t.match(await attempt({ signal: aborted }), 'stopped')
  t.match(await read(), { emailStatus: 'queued' })
  t.match(await attempt({ signal: aborted, isLast: true }), 'stopped')
  t.match(await read(), { emailStatus: 'queued' })
})

t.test('an order that cannot be rendered fails immediately with the reason', async (t) => {
  const { attempt, lengthenTitle, read, platform } = await startSending(t)
  await lengthenTitle(400_000)
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'failed', emailReason: /too large for a PDF/ })
  t.equal(platform.mails().length, 0)
})

t.test('an address that the service refuses fails the mail with a reason', async (t) => {
  for (const [address, reason] of [
    ['inactive@acme.example.com', /bounced/],
    ['double..dot@acme.example.com', /Check the address/],
  ] as const) {
    const { platform, attempt, read } = await startSending(t, { recipient: address })
    t.equal(await attempt(), undefined)
    t.match(await read(), { status: 'sent', emailStatus: 'failed', emailReason: reason })
    t.equal(platform.mails().length, 0)
  }
})

t.test('an order that is cancelled or deleted before the job runs is not mailed', async (t) => {
  const { alice, order, platform, attempt, read } = await startSending(t)
  await alice.post(`/api/purchase-orders/${order.id}/cancel`)
  t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'failed', emailReason: /cancelled/ })
  await alice.delete(`/api/purchase-orders/${order.id}`)
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 0)
})

t.test('an order that is cancelled while its mail is unconfirmed is not mailed', async (t) => {
  const { alice, order, platform, attempt, fail, age, read } = await startSending(t)
  fail('drop')
  await attempt()
  await alice.post(`/api/purchase-orders/${order.id}/cancel`)
  await age(61)
  for (let attempts = 0; attempts < 2; attempts += 1) t.equal(await attempt(), undefined)
  t.match(await read(), { emailStatus: 'failed', emailReason: /cancelled/ })
  t.equal(platform.mails().length, 0)
})

t.test('a stop interrupts a waiting request, and the next attempt checks its outcome', async (t) => {
  const { platform, attempt, fail, read } = await startSending(t)
  fail('accept-hang')
  const stop = new AbortController()
  const ending = attempt({ signal: stop.signal })
  await until(() => platform.mails().length > 0, 'the mail service has the request')
  stop.abort()
  t.equal(await ending, undefined)
  t.match(await read(), { emailStatus: 'unknown' })
  t.equal(await attempt(), undefined)
  t.equal(platform.mails().length, 1)
})

t.test('a job with the mail of another shop does nothing', async (t) => {
  const { mallory, payload, platform, perform, mailRow } = await startSending(t)
  await perform(jobs.sendPurchaseOrder, { ...payload, shopId: mallory.shopId })
  t.equal(platform.mails().length, 0)
  t.match(await mailRow(), { state: 'queued' })
})

t.test('an invalid payload fails the job', async (t) => {
  const { payload, perform } = await startSending(t)
  const broken = { ...payload, outgoingMailId: 'x' as unknown as number }
  await t.rejects(
    perform(jobs.sendPurchaseOrder, broken),
    /Invalid payload for send-purchase-order: \/outgoingMailId/,
  )
})
