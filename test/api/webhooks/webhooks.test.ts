import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { startApp } from '../../support/core/app.ts'
import { testKeys } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'
import { deliveryJobs } from '../../support/core/worker.ts'
import { deliver, orderBody, sign } from '../../support/platform/webhooks.ts'

const Stored = Type.Object({ topic: Type.String(), webhookId: Type.String(), payload: Type.Any() })

const stored = (db: Db, { shopId }: Person) =>
  db.any(sql.type(row(Stored))`
    select topic, webhook_id, payload from webhook_delivery where shop_id = ${shopId} order by id
  `)

const body = orderBody(1, [[1, 1, 1]])

t.test('a delivery is stored with its job before the server acknowledges it', async (t) => {
  const { app, db, alice } = await startApp(t)
  const raw = Buffer.from('{ "id":12345678901234567890 ,\n"note":"Leave it with Ada","line_items":[]}')
  const answer = await deliver(app, sign(alice, 'orders/create', raw, { 'x-platform-webhook-id': 'w-1' }))
  t.equal(answer.statusCode, 200)
  const [delivery, ...others] = await stored(db, alice)
  t.strictSame(others, [])
  t.match(delivery, { topic: 'ORDERS_CREATE', webhookId: 'w-1' })
  t.equal(String(delivery?.payload), '{"id":12345678901234567890,"line_items":[]}', 'only what the job reads')
  t.equal((await deliveryJobs(db, jobs.applyOrders, alice.shopId)).length, 1)
})

t.test('all spellings of a topic are equal', async (t) => {
  const { app, db, alice } = await startApp(t)
  for (const topic of ['ORDERS_CREATE', 'orders/create', 'Orders.Create'])
    await deliver(app, sign(alice, topic, body))
  t.strictSame(
    (await stored(db, alice)).map(({ topic }) => topic),
    ['ORDERS_CREATE', 'ORDERS_CREATE', 'ORDERS_CREATE'],
  )
})

t.test('a delivery without a valid signature is refused and not stored', async (t) => {
  const { app, db, alice } = await startApp(t)
  const valid = sign(alice, 'orders/create', body)
  const signature = valid.headers['x-platform-hmac-sha256'] ?? ''
  const other = createHmac('sha256', 'another secret').update(valid.payload).digest('base64')
  const broken: Record<string, string> = {
    'no signature': '',
    'another secret': other,
    hex: Buffer.from(signature, 'base64').toString('hex'),
    shortened: signature.slice(0, -4),
    'with a suffix': `${signature}AAAA`,
    'with ignored characters': `${signature.slice(0, 10)} ${signature.slice(10)}`,
    nonsense: '\u00e4\u00f6',
  }
  for (const [name, value] of Object.entries(broken)) {
    const answer = await deliver(app, {
      ...valid,
      headers: { ...valid.headers, 'x-platform-hmac-sha256': value },
    })
    t.match(answer.json(), { success: false, error: { code: 'unauthorized' } }, name)
    t.equal(answer.statusCode, 401, name)
  }
  const { 'x-platform-hmac-sha256': _, ...unsigned } = valid.headers
  t.equal((await deliver(app, { ...valid, headers: unsigned })).statusCode, 401)
  const changed = Buffer.concat([valid.payload, Buffer.from(' ')])
  t.equal((await deliver(app, { ...valid, payload: changed })).statusCode, 401, 'an added byte')
  t.strictSame(await stored(db, alice), [])
})

t.test('during a rotation deliveries with the previous secret are accepted', async (t) => {
  const previous = 'the-previous-secret-with-some-length'
  const { app, db, alice } = await startApp(t, { env: { PLATFORM_API_SECRET_PREVIOUS: previous } })
  const delivery = sign(alice, 'orders/create', body)
  const old = createHmac('sha256', previous).update(delivery.payload).digest('base64')
  await deliver(app, { ...delivery, headers: { ...delivery.headers, 'x-platform-hmac-sha256': old } })
  t.equal((await stored(db, alice)).length, 1)
})

t.test('a repeated delivery is acknowledged and makes no second job', async (t) => {
  const { app, db, alice, mallory } = await startApp(t)
  const delivery = sign(alice, 'orders/create', body)
  const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(app, delivery)))
  t.strictSame(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  t.equal((await stored(db, alice)).length, 1)
  t.equal((await deliveryJobs(db, jobs.applyOrders, alice.shopId)).length, 1)

  const { 'x-platform-webhook-id': id = '' } = delivery.headers
  await deliver(app, sign(mallory, 'orders/create', body, { 'x-platform-webhook-id': id }))
  t.equal((await stored(db, mallory)).length, 1, 'another shop can use the same webhook id')
})

t.test('a delivery without an id is identified by its topic, content and time', async (t) => {
  const { app, db, alice } = await startApp(t)
  const { payload, headers } = sign(alice, 'orders/create', body)
  const { 'x-platform-webhook-id': _, ...withoutId } = headers
  const later = { 'x-platform-triggered-at': '2026-11-02T00:00:00Z' }
  const topic = { 'x-platform-topic': 'products/update' }
  for (const changed of [{}, {}, topic, later]) {
    await deliver(app, { payload, headers: { ...withoutId, ...changed } })
  }
  t.strictSame(
    (await stored(db, alice)).map(({ topic }) => topic),
    ['ORDERS_CREATE', 'PRODUCTS_UPDATE', 'ORDERS_CREATE'],
  )
})

t.test('an invalid time header does not affect concurrent deliveries', async (t) => {
  const { app, db, alice } = await startApp(t)
  const times = [
    '+200000-01-01T00:00:00Z',
    '-000500-01-01T00:00:00Z',
    'yesterday',
    '9999-12-31T23:59:59Z',
    '',
  ]
  const answers = await Promise.all(
    [...times, '2026-11-01T00:00:00.123456789Z'].map((time) =>
      deliver(app, sign(alice, 'orders/create', body, { 'x-platform-triggered-at': time })),
    ),
  )
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  t.equal((await stored(db, alice)).length, 6)
})

t.test('deliveries of unknown topics and shops are acknowledged and not stored', async (t) => {
  const { app, db, alice } = await startApp(t)
  const unknownShop = { shopDomain: 'unknown.myshop.example' }
  for (const delivery of [
    sign(alice, 'carts/update', body),
    sign(alice, '', body),
    sign(alice, '__proto__', body),
    sign(unknownShop, 'orders/create', body),
    sign({ shopDomain: 'evil.example' }, 'orders/create', body),
  ]) {
    t.equal((await deliver(app, delivery)).statusCode, 200)
  }
  t.strictSame(await stored(db, alice), [])
})

t.test('any signed payload up to 5 MiB is stored, and nothing of one that is not JSON', async (t) => {
  const { app, db, alice } = await startApp(t)
  const order = JSON.stringify(orderBody(1, []))
  const bodies = [
    Buffer.from([0xff, 0xfe, 0x00]),
    Buffer.alloc(0),
    Buffer.from('not json'),
    Buffer.alloc(5 * 1024 * 1024, 'x'),
    Buffer.from(order.padEnd(5 * 1024 * 1024)),
  ]
  for (const bytes of bodies) {
    const { headers, payload } = sign(alice, 'orders/create', bytes)
    const { 'content-type': _, ...untyped } = headers
    t.equal((await deliver(app, { headers: untyped, payload })).statusCode, 200, `${bytes.length} bytes`)
  }
  t.strictSame(
    (await stored(db, alice)).map(({ payload }) => String(payload)),
    ['', '', '', '', order],
  )
  const tooLarge = sign(alice, 'orders/create', Buffer.alloc(5 * 1024 * 1024 + 1, 'x'))
  t.equal((await deliver(app, tooLarge)).statusCode, 413)
})

t.test('concurrent deliveries are stored in few jobs', async (t) => {
  const { app, db, alice } = await startApp(t)
  const count = 300
  const answers = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      deliver(app, sign(alice, 'orders/create', orderBody(number + 1, []))),
    ),
  )
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  const lists = await deliveryJobs(db, jobs.applyOrders, alice.shopId)
  t.equal(lists.flat().length, count)
  t.equal(new Set(lists.flat().map(({ deliveryId }) => deliveryId)).size, count)
  t.ok(lists.length < count / 3, `${lists.length} jobs`)
  t.ok(lists.every(({ length }) => length <= 50))
})

t.test('the endpoint accepts only POST and ignores session tokens', async (t) => {
  const { app, alice } = await startApp(t)
  t.equal((await app.inject({ url: '/webhooks' })).statusCode, 405)
  const answer = await app.inject({
    method: 'POST',
    url: '/webhooks',
    headers: { authorization: `Bearer ${alice.token}`, 'x-platform-topic': 'orders/create' },
    payload: '{}',
  })
  t.equal(answer.statusCode, 401)
  t.notMatch(answer.body, testKeys.PLATFORM_API_SECRET)
})

t.test('concurrent large deliveries are stored in small jobs', async (t) => {
  const { app, db, alice } = await startApp(t)
  const large = Array.from({ length: 12 }, (_, number) =>
    sign(alice, 'products/update', { id: number, title: 'x'.repeat(3 * 1024 * 1024) }),
  )
  const answers = await Promise.all(large.map((delivery) => deliver(app, delivery)))
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  const lists = await deliveryJobs(db, jobs.applyProducts, alice.shopId)
  t.equal(lists.flat().length, 12)
  t.ok(
    lists.every(({ length }) => length <= 2),
    'no job has more than two of them',
  )
})
