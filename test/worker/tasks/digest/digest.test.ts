import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { raiseAlert } from '../../../../shared/domain/kit/alerts/alerts.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { Person } from '../../../support/core/people.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { recipient, startDigests, turnOnDigest } from '../../../support/make/digests.ts'
import { line, makeOrder, makeSentOrder, makeSupplier } from '../../../support/make/orders.ts'
import { insertRule, makeRule, setVelocity } from '../../../support/make/reorder.ts'
import { setTimeZone } from '../../../support/make/sales.ts'
import { makeStock, setPrimaryCountry, variantGid } from '../../../support/make/stock.ts'
import { makeFailedPush } from '../../../support/platform/stock-pushes.ts'

const headerOf = (headers: readonly { Name: string; Value: string }[], name: string) =>
  headers.find((header) => header.Name === name)?.Value ?? ''

const MailRow = Type.Object({ state: Type.String(), recipient: Type.String(), reason: Type.String() })

const mailRows = (db: Db, { shopId }: Person) =>
  db.any(sql.type(row(MailRow))`
    select state, recipient, reason from digest_mail where shop_id = ${shopId} order by id
  `)

const statesOf = (db: Db, { shopId }: Person) =>
  db.anyFirst(sql.type(row(Type.Object({ state: Type.String() })))`
    select state from digest where shop_id = ${shopId} order by day
  `)

/** Makes stock that is low, and lasts for years. */
async function makeLowStock(db: Parameters<typeof insertRule>[0], shop: Person): Promise<void> {
  await makeStock(db, shop, { available: 1 })
  await insertRule(db, shop)
}

t.test('a digest says what needs attention, in plain text and HTML', async (t) => {
  const { db, alice, pass, mails } = await startDigests(t)
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, company_name) values (${alice.shopId}, ${'Kestrel\u2028& Vine'})
  `)
  await makeFailedPush(db, alice)
  await makeStock(db, alice, { available: 1, variants: 4 })
  // the dates are British without a setting
  await setPrimaryCountry(db, alice, 'GB')
  const supplierId = await makeSupplier(alice, { name: 'Acme <b>& Co', leadTimeDays: 14 })
  for (const variant of [1, 2]) {
    await makeRule(alice, { variantId: variantGid(variant), reorderPoint: 20, supplierId })
    await setVelocity(db, alice, variant, 60)
  }
  await makeRule(alice, { variantId: variantGid(3), reorderPoint: 20 })
  const draft = await makeOrder(alice, { supplierId, lineItems: [line(2, { variantId: variantGid(2) })] })
  const late = await makeSentOrder(alice, {
    supplierId,
    lineItems: [line(4)],
    expectedAt: '2026-01-01T12:00:00Z',
  })
  await alice.put(`/api/purchase-orders/${late.id}`, { expectedAt: '2026-03-03T12:00:00Z' })
  const message = 'The e-mail of PO-00009 to <i>Bros</i> was not sent.'
  await raiseAlert(db, alice.shopId, { type: 'mail_failed', subject: 'test/1', message })
  await turnOnDigest(db, alice, { hour: 8 })

  await pass('2026-11-23T08:00:00Z')
  const [mail, ...others] = mails()
  t.strictSame(others, [])
  t.match(mail, {
    From: { Email: 'orders@quartermaster.example' },
    To: [{ Email: recipient }],
    Metadata: { reference: /^[0-9a-f-]{36}$/ },
    Attachments: [],
  })
  t.match(
    mail?.Subject,
    /^Kestrel & Vine: 1 late order, 1 draft to send, 1 product to order, \d products? low, 1 failed e-mail/,
  )
  const { TextBody: text = '', HtmlBody: page = '', Headers: headers = [] } = mail ?? {}
  t.match(text, `- New: ${late.poNumber} of Acme <b>& Co was expected on 3 March 2026`)
  t.match(text, `- New: ${draft.poNumber} has 1 product to order today`)
  t.match(text, /- New: Mug 1.*: 6 in stock, order \d+ from Acme <b>& Co/)
  t.match(text, /- New: Mug 3.*: 1 in stock, reorder point 20/)
  t.match(text, `- New: ${message}`)
  t.match(text, 'Stock changes that didn’t sync (1)')
  t.match(text, /https?:\/\/\S+\/purchase-orders\?stage=overdue/)
  t.match(page, 'Acme &lt;b&gt;&amp; Co')
  t.match(page, '&lt;i&gt;Bros&lt;/i&gt;')
  t.notMatch(page, /<i>|Acme <b>/)
  const link =
    /^<(http:\/\/localhost\/unsubscribe\?token=[\w.-]+)>$/.exec(headerOf(headers, 'List-Unsubscribe'))?.[1] ??
    '-'
  t.equal(headerOf(headers, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
  t.match(text, `Unsubscribe: ${link}`)
  t.match(page, `<a href="${link}">Unsubscribe</a>`)
  t.match((await alice.get('/api/digest')).json().data.last, {
    day: '2026-11-23',
    state: 'made',
    sent: 1,
    failed: 0,
    pending: 0,
  })
})

t.test('a digest is sent only when something is new', async (t) => {
  const { db, alice, pass, mails } = await startDigests(t)
  await turnOnDigest(db, alice)
  await pass('2026-11-20T08:00:00Z')
  t.equal(mails().length, 0, 'nothing needs attention')
  await makeLowStock(db, alice)
  await pass('2026-11-21T08:00:00Z')
  await pass('2026-11-22T08:00:00Z')
  t.equal(mails().length, 1, 'the product is still low, and nothing else')
  await raiseAlert(db, alice.shopId, { type: 'mail_failed', subject: 'test/1', message: 'Not sent.' })
  await pass('2026-11-23T08:00:00Z')
  const [, second] = mails()
  t.match(second?.TextBody, '- New: Not sent.')
  t.match(second?.TextBody, /^- Mug 1/m, 'the mail also has what is not new')
  t.strictSame(await statesOf(db, alice), ['nothing_new', 'made', 'nothing_new', 'made'])
})

t.test('what was solved and comes back is new', async (t) => {
  const { db, alice, pass, mails } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice)
  const setLow = (isLow: boolean) =>
    db.query(sql.typeAlias('void')`
      update reorder_rule set reorder_point = ${isLow ? 5 : 0} where shop_id = ${alice.shopId}
    `)
  await pass('2026-11-20T08:00:00Z')
  await setLow(false)
  await pass('2026-11-21T08:00:00Z')
  await setLow(true)
  await pass('2026-11-22T08:00:00Z')
  t.equal(mails().length, 2)
})

t.test('several workers send one digest per shop, day and recipient', async (t) => {
  const { db, alice, claim, perform, mails } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice, { recipients: [recipient, 'second@kestrel.example.com'] })
  await Promise.all(Array.from({ length: 6 }, () => claim('2026-11-23T08:00:00Z')))
  await claim('2026-11-23T23:45:00Z')
  const digests = await enqueued(db, jobs.makeDigest, alice.shopId)
  t.equal(digests.length, 1)
  const [digest] = digests
  if (!digest) return
  await Promise.all(Array.from({ length: 4 }, () => perform(jobs.makeDigest, digest)))
  const sends = await enqueued(db, jobs.sendDigest, alice.shopId)
  t.equal(sends.length, 2)
  await Promise.all(
    [...sends, ...sends, ...sends].map((payload) => perform(jobs.sendDigest, payload).catch(() => {})),
  )
  t.strictSame(
    mails()
      .map(({ To }) => To.map(({ Email }) => Email))
      .sort(),
    [[recipient], ['second@kestrel.example.com']],
    'each recipient has a mail, which names no other',
  )
})

t.test('a mail without a clear response is searched, and not sent again', async (t) => {
  const { db, alice, claim, make, perform, platform } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice)
  await claim('2026-11-23T08:00:00Z')
  await make(alice)
  const [payload] = await enqueued(db, jobs.sendDigest, alice.shopId)
  if (!payload) throw new Error('no job was enqueued')
  platform.faults.set({ mails: [{ fault: 'accept-drop' }] })
  await perform(jobs.sendDigest, payload)
  t.match(await mailRows(db, alice), [{ state: 'unknown', reason: /is being checked/ }])
  t.equal((await enqueued(db, jobs.sendDigest, alice.shopId)).length, 2, 'a new job checks the service')
  await perform(jobs.sendDigest, payload)
  t.match(await mailRows(db, alice), [{ state: 'sent', reason: '' }])
  t.equal(platform.mails().length, 1)
})

t.test(
  'a worker that died during the request searches, and sends what the service does not have',
  async (t) => {
    const { db, alice, claim, make, perform, platform } = await startDigests(t)
    await makeLowStock(db, alice)
    await turnOnDigest(db, alice)
    await claim('2026-11-23T08:00:00Z')
    await make(alice)
    const [payload] = await enqueued(db, jobs.sendDigest, alice.shopId)
    if (!payload) throw new Error('no job was enqueued')
    await db.query(sql.typeAlias('void')`
    update digest_mail set state = 'sending', requested_at = now() - interval '2 minutes', request_count = 1
    where shop_id = ${alice.shopId}
  `)
    await perform(jobs.sendDigest, payload)
    t.match(await mailRows(db, alice), [{ state: 'queued' }])
    await perform(jobs.sendDigest, payload)
    t.match(await mailRows(db, alice), [{ state: 'sent' }])
    t.equal(platform.mails().length, 1)
  },
)

t.test('what was in a digest without a sent mail is new the next day', async (t) => {
  const { db, alice, claim, make, perform, pass, mails, platform } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice)
  await claim('2026-11-21T08:00:00Z')
  await make(alice)
  const [payload] = await enqueued(db, jobs.sendDigest, alice.shopId)
  if (!payload) throw new Error('no job was enqueued')
  platform.faults.set({ mails: [{ fault: 'answer-429' }] })
  await t.rejects(perform(jobs.sendDigest, payload, { isLast: true }))
  t.match(await mailRows(db, alice), [{ state: 'failed' }])
  await pass('2026-11-22T08:00:00Z')
  const [mail, ...others] = mails()
  t.match(mail?.TextBody, '- New: Mug 1')
  t.strictSame(others, [])
  await pass('2026-11-23T08:00:00Z')
  t.equal(mails().length, 1, 'the recipient has it')
})

t.test('a refused address fails its mail alone', async (t) => {
  const { db, alice, pass, mails } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice, { recipients: ['inactive@kestrel.example.com', recipient] })
  await pass('2026-11-22T08:00:00Z')
  t.match(await mailRows(db, alice), [
    { state: 'failed', recipient: 'inactive@kestrel.example.com', reason: /bounced/ },
    { state: 'sent', recipient },
  ])
  await pass('2026-11-23T08:00:00Z')
  t.equal(mails().length, 1, 'one recipient has it, so nothing is new')
})

t.test(
  'a busy service is tried again, and a mail without a response to its last attempt has failed',
  async (t) => {
    const { db, alice, claim, make, perform, platform } = await startDigests(t)
    await makeLowStock(db, alice)
    await turnOnDigest(db, alice)
    await claim('2026-11-23T08:00:00Z')
    await make(alice)
    const [payload] = await enqueued(db, jobs.sendDigest, alice.shopId)
    if (!payload) throw new Error('no job was enqueued')
    platform.faults.set({ mails: [{ fault: 'answer-429' }] })
    await t.rejects(perform(jobs.sendDigest, payload), /answered 429/)
    t.match(await mailRows(db, alice), [{ state: 'queued' }])
    await platform.close()
    await t.rejects(perform(jobs.sendDigest, payload, { isLast: true }), /No connection/)
    t.match(await mailRows(db, alice), [{ state: 'failed' }])
    t.match((await alice.get('/api/digest')).json().data.last, { sent: 0, failed: 1, pending: 0 })
  },
)

t.test('a recipient who was removed before the mail is sent gets none', async (t) => {
  const { db, alice, claim, make, send, mails } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice, { recipients: [recipient, 'second@kestrel.example.com'] })
  await claim('2026-11-23T08:00:00Z')
  await make(alice)
  await alice.put('/api/digest', { recipients: [recipient] })
  await send(alice)
  t.strictSame(
    (await mailRows(db, alice)).map(({ state }) => state),
    ['sent', 'withdrawn'],
  )
  t.equal(mails().length, 1)
})

t.test('a digest that was turned off, or is older than another one, is skipped', async (t) => {
  const { db, alice, claim, make, mails, send } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice)
  await claim('2026-11-22T08:00:00Z')
  await claim('2026-11-23T08:00:00Z')
  await make(alice)
  await send(alice)
  t.strictSame(await statesOf(db, alice), ['skipped', 'made'])
  t.equal(mails().length, 1)
  await claim('2026-11-24T08:00:00Z')
  await alice.put('/api/digest', { enabled: false })
  await make(alice)
  t.strictSame(await statesOf(db, alice), ['skipped', 'made', 'skipped'])
})

t.test("a shop's digest has nothing of another shop", async (t) => {
  const { db, alice, mallory, pass, mails } = await startDigests(t)
  await makeLowStock(db, mallory)
  const late = await makeSentOrder(mallory, { expectedAt: '2026-01-01T12:00:00Z' })
  await mallory.put(`/api/purchase-orders/${late.id}`, { expectedAt: '2026-03-03T12:00:00Z' })
  await raiseAlert(db, mallory.shopId, { type: 'mail_failed', subject: 'test/1', message: 'Not sent.' })
  await makeFailedPush(db, mallory)
  await turnOnDigest(db, alice)
  await pass('2026-11-23T08:00:00Z')
  t.equal(mails().length, 0)
  t.strictSame(await statesOf(db, alice), ['nothing_new'])
  t.strictSame(await statesOf(db, mallory), [], 'mallory has not turned it on')
})

t.test("the digest is due at its hour of the shop's day, also where clocks change", async (t) => {
  const cases: [place: string, timeZone: string, hour: number, from: string, until: string, due: string[]][] =
    [
      ['UTC', 'UTC', 8, '2026-11-22T00:00Z', '2026-11-24T00:00Z', ['2026-11-22T08:00', '2026-11-23T08:00']],
      ['+05:45', 'Asia/Kathmandu', 8, '2026-11-22T00:00Z', '2026-11-23T00:00Z', ['2026-11-22T02:15']],
      // on 2026-03-29 Paris has no hour 2: at 01:00 UTC it becomes 3
      [
        'no such hour',
        'Europe/Paris',
        2,
        '2026-03-28T12:00Z',
        '2026-03-30T12:00Z',
        ['2026-03-28T12:00', '2026-03-29T01:00', '2026-03-30T00:00'],
      ],
      // on 2026-10-25 Paris has hour 2 twice, at 00:00 and 01:00 UTC
      [
        'an hour twice',
        'Europe/Paris',
        2,
        '2026-10-24T12:00Z',
        '2026-10-26T12:00Z',
        ['2026-10-24T12:00', '2026-10-25T00:00', '2026-10-26T01:00'],
      ],
      [
        'an unknown zone is UTC',
        'Nowhere/Unknown',
        8,
        '2026-11-22T00:00Z',
        '2026-11-23T00:00Z',
        ['2026-11-22T08:00'],
      ],
    ]
  for (const [place, timeZone, hour, from, until, expected] of cases) {
    const { db, alice, claim } = await startDigests(t)
    await turnOnDigest(db, alice, { hour })
    await setTimeZone(db, alice, timeZone)
    /** The instants at which a digest is claimed, when the schedulers run every 15 minutes. */
    const due: string[] = []
    for (let at = Date.parse(from); at < Date.parse(until); at += 15 * 60_000) {
      const now = new Date(at).toISOString()
      await claim(now)
      const { length } = await enqueued(db, jobs.makeDigest, alice.shopId)
      if (length > due.length) due.push(now.slice(0, 16))
    }
    t.strictSame(due, expected, place)
    await alice.put('/api/digest', { enabled: false })
  }
})

t.test('a time zone farther west repeats a date, which has its digest already', async (t) => {
  const { db, alice, claim } = await startDigests(t)
  await setTimeZone(db, alice, 'Pacific/Auckland')
  await turnOnDigest(db, alice)
  await claim('2026-11-22T19:00:00Z') // 2026-11-23 08:00
  await setTimeZone(db, alice, 'America/New_York')
  await claim('2026-11-22T20:00:00Z') // 2026-11-22 15:00
  await claim('2026-11-23T14:00:00Z') // 2026-11-23 09:00
  t.equal((await enqueued(db, jobs.makeDigest, alice.shopId)).length, 1)
  await claim('2026-11-24T13:00:00Z')
  t.equal((await enqueued(db, jobs.makeDigest, alice.shopId)).length, 2)
})

t.test('an uninstalled shop gets no digest', async (t) => {
  const { db, alice, claim, perform, mails } = await startDigests(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice)
  await claim('2026-11-23T08:00:00Z')
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await claim('2026-11-24T08:00:00Z')
  const digests = await enqueued(db, jobs.makeDigest, alice.shopId)
  t.equal(digests.length, 1)
  for (const payload of digests) await perform(jobs.makeDigest, payload)
  t.equal((await enqueued(db, jobs.sendDigest, alice.shopId)).length, 0)
  t.equal(mails().length, 0)
})
