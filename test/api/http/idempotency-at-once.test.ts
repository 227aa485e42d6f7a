import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked, useOwnDatabase } from '../../support/core/database.ts'
import { listEndpoints, makeRequest } from '../../support/core/endpoints.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import { hashesOf, keysOf, post } from '../../support/make/everything.ts'
import { line, mailsOf, makeOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

// the test compares all rows of a shop at each endpoint, and the rows of other test files would make that slow
useOwnDatabase()

const Count = Type.Object({ count: Type.Integer() })

t.test('one of several concurrent requests has an effect, and all get its answer', async (t) => {
  const { db, alice } = await startApp(t, { poolSize: 5 })
  const body = { supplierId: await makeSupplier(alice), lineItems: [line(1)] }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(alice, '/api/purchase-orders', 'k', body)),
  )
  t.strictSame(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201]))
  t.equal(new Set(answers.map((answer) => answer.body)).size, 1)
  t.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
  t.equal((await alice.get('/api/purchase-orders')).json().data.length, 1)
  t.strictSame(await keysOf(db, alice), ['k'])
})

t.test('a concurrent second request waits for the first', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const release = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      select from purchase_order where shop_id = ${alice.shopId} and id = ${id} for update
    `),
  )
  const first = post(alice, `/api/purchase-orders/${id}/send`, 'k')
  await untilBlocked(db, 1)
  const second = post(alice, `/api/purchase-orders/${id}/send`, 'k')
  const other = post(alice, `/api/purchase-orders/${id}/send`, 'k', { resend: true })
  await untilBlocked(db, 3)
  await release()
  t.equal((await first).statusCode, 200)
  t.notOk('idempotent-replayed' in (await first).headers)
  t.equal((await second).body, (await first).body)
  t.equal((await second).headers['idempotent-replayed'], 'true')
  expectFailure(t, await other, 409, 'idempotency_key_reused')
  t.equal((await mailsOf(db, alice, id)).length, 1)
})

t.test('a second request runs when the first is refused', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const release = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      update supplier set archived_at = now() where shop_id = ${alice.shopId} and id = ${supplierId}
    `),
  )
  const order = { supplierId, lineItems: [line(1)] }
  const first = post(alice, '/api/purchase-orders', 'k', order)
  await untilBlocked(db, 1)
  const second = post(alice, '/api/suppliers', 'k', { name: 'Acme' })
  await untilBlocked(db, 2)
  await release()
  expectFailure(t, await first, 422, 'unknown_supplier')
  t.equal((await second).statusCode, 201, 'the refused request has released the key')
})

t.test('a request that waits too long is refused and has no effect', async (t) => {
  const { db, alice } = await startApp(t)
  const release = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      insert into idempotency_key (shop_id, key, request_hash) values (${alice.shopId}, 'k', '')
    `),
  )
  const answer = await post(alice, '/api/suppliers', 'k', { name: 'Acme' })
  expectFailure(t, answer, 503, 'unavailable')
  t.equal(answer.headers['retry-after'], '2')
  t.strictSame((await alice.get('/api/suppliers')).json().data, [])
  await release()
})

t.test('a transaction that Postgres rolled back is repeated and answered once', async (t) => {
  const { db, alice } = await startApp(t)
  await db.query(sql.typeAlias('void')`
    create sequence tries;
  `)
  await db.query(sql.typeAlias('void')`
    create function fail_first() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then raise exception using errcode = '40001'; end if;
      return null;
    end $$
  `)
  await db.query(sql.typeAlias('void')`
    create constraint trigger fail_first after insert on catalog_sync deferrable initially deferred
    for each row execute function fail_first()
  `)
  const first = await post(alice, '/api/sync', 'k')
  await db.query(sql.typeAlias('void')`drop trigger fail_first on catalog_sync`)
  t.equal(first.statusCode, 201)
  const tries = await db.oneFirst(sql.type(row(Count))`select last_value as count from tries`)
  t.equal(tries, 2)
  t.equal((await post(alice, '/api/sync', 'k')).body, first.body)
  t.strictSame(
    (await queuedJobs(db, alice)).map(({ task }) => task),
    [jobs.syncCatalog.name],
  )
})

/** A POST because its body is too long for an address. */
const onlyReads = /\/(preview|find)$/

t.test('every POST and PUT can be repeated with its key and uses one connection', async (t) => {
  const { app, db, alice } = await startApp(t, { poolSize: 1 })
  await makeStock(db, alice, { variants: 2, locations: 2, available: 3 })
  await db.query(sql.typeAlias('void')`update product set vendor = 'Loom' where shop_id = ${alice.shopId}`)
  const endpoints = (await listEndpoints(app)).filter(
    ({ method, path }) => (method === 'POST' || method === 'PUT') && !onlyReads.test(path),
  )
  t.ok(endpoints.length >= 9)
  for (const endpoint of endpoints) {
    const { url, body } = await makeRequest(endpoint, alice, db)
    const send = () =>
      alice.send(endpoint.method, url, body, { 'idempotency-key': endpoint.name.replace(' ', ':') })
    const before = await hashesOf(db, alice)
    const first = await send()
    t.ok(first.statusCode < 300, `${endpoint.name} answers ${first.statusCode} ${first.body}`)
    const after = await hashesOf(db, alice)
    t.strictNotSame(
      { ...after, idempotency_key: '' },
      { ...before, idempotency_key: '' },
      `${endpoint.name} has an effect`,
    )

    const again = await send()
    t.equal(again.statusCode, first.statusCode, endpoint.name)
    t.strictSame(again.rawPayload, first.rawPayload, endpoint.name)
    t.equal(again.headers['idempotent-replayed'], 'true', endpoint.name)
    t.strictSame(await hashesOf(db, alice), after, `${endpoint.name} has no second effect`)
  }
})
