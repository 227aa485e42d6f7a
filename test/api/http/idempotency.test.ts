import t from 'tap'
import { mintSessionToken } from '../../../dev/simulator/session-token.ts'
import { type Db, sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { testKeys } from '../../support/core/database.ts'
import { listEndpoints } from '../../support/core/endpoints.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import type { Person } from '../../support/core/people.ts'
import { allRowsOf, keysOf, post, put } from '../../support/make/everything.ts'
import { line, mailsOf, makeOrder, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'

const age = (db: Db, { shopId }: Person, key: string, hours: number) =>
  db.query(sql.typeAlias('void')`
    update idempotency_key
    set created_at = created_at - make_interval(hours => ${hours})
    where shop_id = ${shopId} and key = ${key}
  `)

const supplierNames = async (person: Person) => {
  const { data }: { data: { name: string }[] } = (await person.get('/api/suppliers')).json()
  return data.map(({ name }) => name)
}

t.test('a repeated request with the same key gets the first answer byte for byte', async (t) => {
  const { db, alice } = await startApp(t)
  const first = await post(alice, '/api/suppliers', 'k-1', { name: 'Acme', notes: 'é “€” \n 😀' })
  t.equal(first.statusCode, 201)
  t.notOk('idempotent-replayed' in first.headers)
  const plain = await alice.post('/api/suppliers', { name: 'Other' })
  t.equal(first.headers['content-type'], plain.headers['content-type'], 'the same type as without a key')
  t.strictSame(Object.keys(first.json().data), Object.keys(plain.json().data))

  await alice.put(`/api/suppliers/${first.json().data.id}`, { name: 'Acme and Sons' })
  const again = await post(alice, '/api/suppliers', 'k-1', { name: 'Acme', notes: 'é “€” \n 😀' })
  t.equal(again.statusCode, 201)
  t.strictSame(again.rawPayload, first.rawPayload, 'the answer stays although the record has changed')
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.headers['content-type'], first.headers['content-type'])
  t.strictSame(await supplierNames(alice), ['Other', 'Acme and Sons'])
  t.strictSame(await keysOf(db, alice), ['k-1'])
})

t.test('a repeated send request sends the order and its e-mail once', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const send = () => post(alice, `/api/purchase-orders/${id}/send`, 'send-it', {})
  const first = await send()
  t.match(first.json(), { success: true, data: { id, status: 'sent' } })
  t.strictSame((await send()).rawPayload, first.rawPayload)
  const resend = () => post(alice, `/api/purchase-orders/${id}/send`, 'send-it-again', { resend: true })
  expectFailure(t, await resend(), 409, 'conflict', 'a request with another key runs again')
  t.equal((await mailsOf(db, alice, id)).length, 1)
  const tasks = (await queuedJobs(db, alice)).map(({ task }) => task)
  t.equal(tasks.filter((task) => task === jobs.sendPurchaseOrder.name).length, 1)
})

t.test('every request without a key has an effect', async (t) => {
  const { db, alice } = await startApp(t)
  for (let times = 0; times < 2; times += 1) await alice.post('/api/suppliers', { name: 'Acme' })
  t.strictSame(await supplierNames(alice), ['Acme', 'Acme'])
  t.strictSame(await keysOf(db, alice), [])
})

t.test('a key belongs to one request', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const otherId = await makeSupplier(alice)
  const body = { name: 'Acme' }
  t.equal((await put(alice, `/api/suppliers/${supplierId}`, 'k', body)).statusCode, 200)
  const before = await allRowsOf(db, alice)
  const others = {
    'another body': await put(alice, `/api/suppliers/${supplierId}`, 'k', { name: 'Acme!' }),
    'another address': await put(alice, `/api/suppliers/${otherId}`, 'k', body),
    'another method and address': await post(alice, '/api/suppliers', 'k', body),
    'another path without a body': await post(alice, '/api/sync', 'k'),
  }
  for (const [name, answer] of Object.entries(others)) {
    const { message } = expectFailure(t, answer, 409, 'idempotency_key_reused', name)
    t.match(message, 'Idempotency-Key')
  }
  t.strictSame(await allRowsOf(db, alice), before)
  t.equal((await put(alice, `/api/suppliers/${supplierId}`, 'k', body)).statusCode, 200)
})

t.test('the whitespace of the body and the user of the shop do not make another request', async (t) => {
  const { alice } = await startApp(t)
  const send = (body: string, headers = {}) =>
    alice.send('POST', '/api/suppliers', body, {
      'content-type': 'application/json',
      'idempotency-key': 'k',
      ...headers,
    })
  const first = await send('{"name":"Acme","phone":"1"}')
  t.equal(first.statusCode, 201)
  t.equal((await send('{ "name": " \\u0041cme ", "phone": "1" }')).body, first.body)
  const token = await mintSessionToken({
    shop: alice.shopDomain,
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    userId: 'alice-2',
    lifetimeSeconds: 60,
  })
  const colleague = { authorization: `Bearer ${token}` }
  t.equal((await send('{"name":"Acme","phone":"1"}', colleague)).body, first.body)
  const reordered = await send('{"phone":"1","name":"Acme"}')
  expectFailure(t, reordered, 409, 'idempotency_key_reused', 'fields in another order')
})

t.test('a refused request does not use its key', async (t) => {
  const { db, alice } = await startApp(t)
  const order = { supplierId: 999_999_999, lineItems: [line(1)] }
  expectFailure(t, await post(alice, '/api/suppliers', 'k', { name: '' }), 400, 'invalid_request')
  expectFailure(
    t,
    await post(alice, '/api/suppliers/999999999/contacts', 'k', { name: 'Bob' }),
    404,
    'not_found',
  )
  expectFailure(t, await post(alice, '/api/purchase-orders', 'k', order), 422, 'unknown_supplier')
  t.strictSame(await keysOf(db, alice), [])

  const supplierId = await makeSupplier(alice)
  t.equal((await post(alice, '/api/purchase-orders', 'k', { ...order, supplierId })).statusCode, 201)
  t.strictSame(await keysOf(db, alice), ['k'])
})

t.test('a refusal by a database constraint has its own code and leaves no trace', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const before = await allRowsOf(db, alice)
  const lineItems = Array.from({ length: 11 }, (_, at) =>
    line(at + 1, { quantity: 1_000_000_000, costPrice: 1_000_000_000 }),
  )
  const answer = await post(alice, '/api/purchase-orders', 'k', { supplierId, lineItems })
  expectFailure(t, answer, 422, 'total_too_large')
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('a repeated request gets the first answer after a change of state', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const cancel = () => post(alice, `/api/purchase-orders/${id}/cancel`, 'k')
  const first = await cancel()
  t.equal(first.statusCode, 200)
  expectFailure(t, await alice.post(`/api/purchase-orders/${id}/cancel`), 409, 'conflict')
  await alice.delete(`/api/purchase-orders/${id}`)
  t.equal((await cancel()).body, first.body, 'the answer stays although the record is deleted')
})

t.test('a repeated request gets the status of the first answer', async (t) => {
  const { alice } = await startApp(t)
  t.equal((await post(alice, '/api/sync', 'started')).statusCode, 201)
  t.equal((await post(alice, '/api/sync', 'running')).statusCode, 200)
  t.equal((await post(alice, '/api/sync', 'started')).statusCode, 201)
  t.equal((await post(alice, '/api/sync', 'running')).statusCode, 200)
})

t.test('a key expires after 24 hours', async (t) => {
  const { db, alice } = await startApp(t)
  const create = (name: string) => post(alice, '/api/suppliers', 'k', { name })
  const first = await create('Acme')
  await age(db, alice, 'k', 23)
  t.equal((await create('Acme')).body, first.body)
  await age(db, alice, 'k', 1)
  const later = await create('Brand')
  t.equal(later.statusCode, 201, 'an expired key accepts another body')
  t.notOk('idempotent-replayed' in later.headers)
  t.equal((await create('Brand')).body, later.body, 'the key is valid for another 24 hours')
  expectFailure(t, await create('Acme'), 409, 'idempotency_key_reused')
  t.strictSame(await supplierNames(alice), ['Brand', 'Acme'])
})

t.test('a refused request does not renew an expired key', async (t) => {
  const { db, alice } = await startApp(t)
  const create = (supplierId: number) =>
    post(alice, '/api/purchase-orders', 'k', { supplierId, lineItems: [line(1)] })
  const supplierId = await makeSupplier(alice)
  const first = await create(supplierId)
  await age(db, alice, 'k', 25)
  expectFailure(t, await create(999_999_999), 422, 'unknown_supplier')
  const later = await create(supplierId)
  t.equal(later.statusCode, 201)
  t.not(later.json().data.id, first.json().data.id)
})

t.test('two shops can use the same key', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const first = await post(alice, '/api/suppliers', 'k', { name: 'Acme' })
  const same = await post(mallory, '/api/suppliers', 'k', { name: 'Acme' })
  t.equal(same.statusCode, 201)
  t.notOk('idempotent-replayed' in same.headers)
  t.not(same.json().data.id, first.json().data.id)
  t.strictSame([await supplierNames(alice), await supplierNames(mallory)], [['Acme'], ['Acme']])
  t.strictSame([await keysOf(db, alice), await keysOf(db, mallory)], [['k'], ['k']])
})

t.test('the API refuses a malformed key', async (t) => {
  const { db, alice } = await startApp(t)
  const bad = ['', ' ', 'two words', 'tab\there', 'k\u0000', 'ключ', 'é', 'k'.repeat(256), 'one, two']
  for (const key of bad) {
    for (const answer of [
      await post(alice, '/api/suppliers', key, { name: 'Acme' }),
      await put(alice, '/api/suppliers/1', key, { name: 'Acme' }),
    ]) {
      const { details } = expectFailure(t, answer, 400, 'invalid_request', JSON.stringify(key.slice(0, 20)))
      t.match(details, [{ path: '/Idempotency-Key', message: /^must be / }])
    }
  }
  const good = [
    'k'.repeat(255),
    '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    '~!',
    "'; drop table shop;--".replaceAll(' ', ''),
  ]
  for (const key of good) {
    t.equal((await post(alice, '/api/suppliers', key, { name: 'Acme' })).statusCode, 201, key.slice(0, 20))
  }
  t.strictSame((await keysOf(db, alice)).toSorted(), good.toSorted())
})

t.test('reads and deletions ignore the key', async (t) => {
  const { db, alice } = await startApp(t)
  const id = await makeSupplier(alice)
  const headers = { 'idempotency-key': 'not a key' }
  t.equal((await alice.send('GET', '/api/suppliers', undefined, headers)).statusCode, 200)
  t.equal((await alice.send('HEAD', '/api/suppliers', undefined, headers)).statusCode, 200)
  t.equal((await alice.send('DELETE', `/api/suppliers/${id}`, undefined, headers)).statusCode, 200)
  expectFailure(t, await alice.send('PATCH', '/api/suppliers', undefined, headers), 405, 'method_not_allowed')
  expectFailure(t, await alice.send('POST', '/api/nope', undefined, headers), 404, 'not_found')
  const deletion = { 'idempotency-key': 'k' }
  expectFailure(t, await alice.send('DELETE', `/api/suppliers/${id}`, undefined, deletion), 404, 'not_found')
  t.strictSame(await keysOf(db, alice), [])
})

t.test('the OpenAPI document describes the header for every POST and PUT', async (t) => {
  const { app } = await startApp(t)
  const { paths } = (await app.inject('/openapi.json')).json()
  for (const { name, method, path } of await listEndpoints(app)) {
    const { parameters = [] } = paths[path][method.toLowerCase()]
    const headers = parameters.filter((parameter: { in: string }) => parameter.in === 'header')
    const expected = {
      name: 'Idempotency-Key',
      required: false,
      description: /24 hours/,
      schema: { type: 'string' },
    }
    if (method === 'POST' || method === 'PUT') t.match(headers, [expected], name)
    else t.strictSame(headers, [], name)
  }
})
