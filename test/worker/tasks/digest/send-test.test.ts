import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { unsubscribe } from '../../../../shared/domain/views/digest/unsubscribe.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { expectFailure } from '../../../support/core/app.ts'
import type { Person } from '../../../support/core/people.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { recipient, startDigests, turnOnDigest } from '../../../support/make/digests.ts'
import { post } from '../../../support/make/everything.ts'
import { insertRule } from '../../../support/make/reorder.ts'
import { makeStock } from '../../../support/make/stock.ts'

const second = 'second@kestrel.example.com'

/** A digest that is off, with a recipient, and the steps of a test. */
async function start(t: Test) {
  const context = await startDigests(t)
  const { alice, send } = context
  await alice.put('/api/digest', { recipients: [recipient] })
  const request = (person: Person = alice) => person.post('/api/digest/test')
  return {
    ...context,
    request,
    lastTest: async (person: Person = alice) => (await person.get('/api/digest/test')).json().data.last,
    /** Requests a test, and runs the worker's jobs. */
    sendTest: async () => {
      const response = await request()
      if (response.statusCode !== 200) throw new Error(response.body)
      await send(alice)
    },
  }
}

async function makeLowStock(db: Parameters<typeof insertRule>[0], shop: Person): Promise<void> {
  await makeStock(db, shop, { available: 1 })
  await insertRule(db, shop)
}

t.test('a test has the digest of this moment, says that it is one, and the worker sends it', async (t) => {
  const { db, alice, request, send, lastTest, mails } = await start(t)
  await alice.put('/api/digest', { recipients: [recipient, second] })
  await makeLowStock(db, alice)
  t.equal(await lastTest(), null)
  const answer = (await request()).json().data
  t.match(answer, {
    requestedAt: /Z$/,
    mails: [
      { recipient, state: 'pending', reason: '' },
      { recipient: second, state: 'pending' },
    ],
  })
  t.equal(mails().length, 0, 'web sends no e-mail')
  await send(alice)
  t.equal(mails().length, 2)
  t.strictSame(
    mails().flatMap(({ To }) => To.map(({ Email }) => Email)),
    [recipient, second],
    'each recipient has a mail of their own',
  )
  const [{ Subject, TextBody = '', HtmlBody = '', Headers = [] } = {}] = mails()
  t.equal(Subject, 'Test: Quartermaster: 1 product low')
  t.match(
    TextBody,
    /^This is a test of the daily digest\. It does not replace the digest of the day\. Something is new/,
  )
  t.match(TextBody, '- New: Mug 1 - Size 1 (SKU-1): 1 in stock, reorder point 5')
  t.match(HtmlBody, '<p>This is a test of the daily digest.')
  t.ok(
    Headers.some(({ Name }) => Name === 'List-Unsubscribe'),
    'the recipient can unsubscribe',
  )
  t.match(await lastTest(), { mails: [{ state: 'sent', reason: '' }, { state: 'sent' }] })
})

t.test('a test does not count as the digest of the day', async (t) => {
  const { db, alice, sendTest, pass, mails } = await start(t)
  await makeLowStock(db, alice)
  await turnOnDigest(db, alice)
  await sendTest()
  t.match((await alice.get('/api/digest')).json().data, { last: null })
  t.match((await alice.get('/api/digest/preview')).json().data, { isNew: true })
  await pass('2026-11-23T08:00:00Z')
  t.equal(mails().length, 2)
  t.match(mails()[1]?.TextBody, /^Low stock \(1\)\n- New: Mug 1/, 'what the test contained is still new')
  t.match((await alice.get('/api/digest')).json().data.last, { day: '2026-11-23', sent: 1 })
  await sendTest()
  t.match((await alice.get('/api/digest')).json().data.last, { day: '2026-11-23', sent: 1 })
  t.match(mails()[2]?.TextBody, /Nothing is new since the last digest, so no digest would be sent now/)
  t.match(mails()[2]?.TextBody, '\n- Mug 1', 'it has content although nothing is new')
})

t.test('a test says when nothing needs attention', async (t) => {
  const { sendTest, mails } = await start(t)
  await sendTest()
  t.match(mails(), [
    {
      Subject: 'Test: Quartermaster: nothing needs attention',
      TextBody: /^This is a test .* Nothing needs attention now, so no digest would be sent\.\n\nYou get/,
    },
  ])
})

t.test('a test needs a saved recipient, also after the last one has unsubscribed', async (t) => {
  const { db, alice, mallory, request, lastTest } = await start(t)
  const refused = async (person: Person) => {
    const { message, details } = expectFailure(
      t,
      await request(person),
      422,
      'digest_without_recipients',
      'refused',
    )
    t.match(message, /Enter at least one recipient and save.*unsubscribed must be added again/)
    t.match(details, [{ path: '/recipients' }])
  }
  await refused(mallory)
  await unsubscribe(db, alice.shopId, recipient, new Date())
  await refused(alice)
  t.equal(await lastTest(), null)
  t.strictSame(await enqueued(db, jobs.sendDigest, alice.shopId), [])
})

t.test('a recipient who unsubscribes before the test is sent gets none', async (t) => {
  const { db, alice, request, send, lastTest, mails } = await start(t)
  await alice.put('/api/digest', { recipients: [recipient, second] })
  await request()
  await unsubscribe(db, alice.shopId, recipient, new Date())
  await send(alice)
  t.strictSame(
    mails().flatMap(({ To }) => To.map(({ Email }) => Email)),
    [second],
  )
  t.match(await lastTest(), {
    mails: [
      { recipient, state: 'failed', reason: 'The address is no longer a recipient.' },
      { recipient: second, state: 'sent' },
    ],
  })
})

t.test('a refused address is named with its reason', async (t) => {
  const { alice, sendTest, lastTest } = await start(t)
  await alice.put('/api/digest', { recipients: ['inactive@kestrel.example.com'] })
  await sendTest()
  t.match(await lastTest(), { mails: [{ state: 'failed', reason: /bounced/ }] })
})

t.test('one test waits at a time, also of requests at once', async (t) => {
  const { db, alice, request, send, mails } = await start(t)
  const statuses = (await Promise.all([request(), request(), request()])).map(({ statusCode }) => statusCode)
  t.strictSame(statuses.sort(), [200, 409, 409])
  expectFailure(t, await request(), 409, 'digest_test_pending')
  t.equal((await enqueued(db, jobs.sendDigest, alice.shopId)).length, 1)
  await send(alice)
  t.equal((await request()).statusCode, 200)
  await send(alice)
  t.equal(mails().length, 2)
})

t.test('a shop sends at most ten tests within 24 hours', async (t) => {
  const { db, alice, request, sendTest, mails } = await start(t)
  for (let times = 0; times < 10; times += 1) await sendTest()
  expectFailure(t, await request(), 409, 'too_many_digest_tests')
  t.equal(mails().length, 10)
  await db.query(sql.typeAlias('void')`
    update digest set created_at = created_at - interval '1 day' where shop_id = ${alice.shopId}
  `)
  t.equal((await request()).statusCode, 200)
})

t.test('a repeated request with the same key sends one test', async (t) => {
  const { alice, send, mails } = await start(t)
  const first = await post(alice, '/api/digest/test', 'test-1')
  t.equal(first.statusCode, 200)
  await send(alice)
  t.strictSame((await post(alice, '/api/digest/test', 'test-1')).rawPayload, first.rawPayload)
  await send(alice)
  t.equal(mails().length, 1)
})

t.test('a test without a clear response is searched, and not sent again', async (t) => {
  const { db, alice, request, perform, platform, lastTest } = await start(t)
  await request()
  const [payload] = await enqueued(db, jobs.sendDigest, alice.shopId)
  if (!payload) throw new Error('no job was enqueued')
  platform.faults.set({ mails: [{ fault: 'accept-drop' }] })
  await perform(jobs.sendDigest, payload)
  t.match(await lastTest(), { mails: [{ state: 'pending', reason: /is being checked/ }] })
  expectFailure(t, await request(), 409, 'digest_test_pending')
  await perform(jobs.sendDigest, payload)
  t.match(await lastTest(), { mails: [{ state: 'sent' }] })
  t.equal(platform.mails().length, 1)
})

t.test('a test has nothing of another shop, and another shop neither sees nor blocks it', async (t) => {
  const { db, mallory, request, send, alice, lastTest, mails } = await start(t)
  await makeLowStock(db, mallory)
  await mallory.put('/api/digest', { recipients: ['mallory@other.example.com'] })
  await request(mallory)
  t.equal(await lastTest(), null)
  t.equal((await request()).statusCode, 200, "mallory's waiting test does not block alice's")
  t.match(await lastTest(mallory), { mails: [{ recipient: 'mallory@other.example.com' }] })
  await send(alice)
  t.match(mails(), [{ To: [{ Email: recipient }], TextBody: /Nothing needs attention now/ }])
  t.match(await lastTest(), { mails: [{ recipient, state: 'sent' }] })
  t.match(await lastTest(mallory), { mails: [{ state: 'pending' }] })
})
