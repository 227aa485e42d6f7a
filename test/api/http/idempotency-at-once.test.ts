import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { holdOpen, untilWaiting } from '../../support/core/database.ts'
import { listEndpoints, makeRequest } from '../../support/core/endpoints.ts'
import { keysOf, post } from '../../support/core/idempotency.ts'
import { everythingOf } from '../../support/make/everything.ts'
import { line, mailsOf, makeOrder, makeSupplier, queuedJobs } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const Count = Type.Object({ count: Type.Integer() })

t.test('of many at once one has an effect, and all get its answer', async (t) => {
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

t.test('the second of two at once waits for the first', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const letGo = await holdOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      select from purchase_order where shop_id = ${alice.shopId} and id = ${id} for update
    `),
  )
  const first = post(alice, `/api/purchase-orders/${id}/send`, 'k')
  await untilWaiting(db, 1)
  const second = post(alice, `/api/purchase-orders/${id}/send`, 'k')
  const other = post(alice, `/api/purchase-orders/${id}/send`, 'k', { resend: true })
  await untilWaiting(db, 3)
  await letGo()
  t.equal((await first).statusCode, 200)
  t.notOk('idempotent-replayed' in (await first).headers)
  t.equal((await second).body, (await first).body)
  t.equal((await second).headers['idempotent-replayed'], 'true')
  expectFailure(t, await other, 409, 'idempotency_key_reused')
  t.equal((await mailsOf(db, alice, id)).length, 1)
})

t.test('the second works itself when the first is refused', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const letGo = await holdOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      update supplier set archived_at = now() where shop_id = ${alice.shopId} and id = ${supplierId}
    `),
  )
  const order = { supplierId, lineItems: [line(1)] }
  const first = post(alice, '/api/purchase-orders', 'k', order)
  await untilWaiting(db, 1)
  const second = post(alice, '/api/suppliers', 'k', { name: 'Acme' })
  await untilWaiting(db, 2)
  await letGo()
  expectFailure(t, await first, 422, 'unknown_supplier')
  t.equal((await second).statusCode, 201, 'the key was of no request any more')
})

t.test('who waits for too long hears so, and nothing has happened', async (t) => {
  const { db, alice } = await startApp(t)
  const letGo = await holdOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      insert into idempotency_key (shop_id, key, request_hash) values (${alice.shopId}, 'k', '')
    `),
  )
  const answer = await post(alice, '/api/suppliers', 'k', { name: 'Acme' })
  expectFailure(t, answer, 503, 'unavailable')
  t.equal(answer.headers['retry-after'], '2')
  t.strictSame((await alice.get('/api/suppliers')).json().data, [])
  await letGo()
})

t.test('a transaction that the database has undone is done again, and answered once', async (t) => {
  const { db, alice } = await startApp(t)
  await db.query(sql.typeAlias('void')`
    create sequence tries;
  `)
  await db.query(sql.typeAlias('void')`
    create function undo_first() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then raise exception using errcode = '40001'; end if;
      return null;
    end $$
  `)
  await db.query(sql.typeAlias('void')`
    create constraint trigger undo_first after insert on catalog_sync deferrable initially deferred
    for each row execute function undo_first()
  `)
  const first = await post(alice, '/api/sync', 'k')
  await db.query(sql.typeAlias('void')`drop trigger undo_first on catalog_sync`)
  t.equal(first.statusCode, 201)
  const tries = await db.oneFirst(sql.type(row(Count))`select last_value as count from tries`)
  t.equal(tries, 2)
  t.equal((await post(alice, '/api/sync', 'k')).body, first.body)
  t.strictSame(
    (await queuedJobs(db, alice)).map(({ task }) => task),
    [jobs.syncCatalog.name],
  )
})

t.test('every POST and PUT can be repeated with its key, and needs one connection for it', async (t) => {
  const { app, db, alice } = await startApp(t, { poolSize: 1 })
  await makeStock(db, alice, { variants: 2, locations: 2, available: 3 })
  const endpoints = (await listEndpoints(app)).filter(({ method }) => method === 'POST' || method === 'PUT')
  t.ok(endpoints.length >= 9)
  for (const endpoint of endpoints) {
    const { url, body } = await makeRequest(endpoint, alice, db)
    const send = () =>
      alice.send(endpoint.method, url, body, { 'idempotency-key': endpoint.name.replace(' ', ':') })
    const before = await everythingOf(db, alice)
    const first = await send()
    t.ok(first.statusCode < 300, `${endpoint.name} answers ${first.statusCode} ${first.body}`)
    const after = await everythingOf(db, alice)
    t.strictNotSame(
      { ...after, idempotency_key: [] },
      { ...before, idempotency_key: [] },
      `${endpoint.name} has an effect`,
    )

    const again = await send()
    t.equal(again.statusCode, first.statusCode, endpoint.name)
    t.strictSame(again.rawPayload, first.rawPayload, endpoint.name)
    t.equal(again.headers['idempotent-replayed'], 'true', endpoint.name)
    t.strictSame(await everythingOf(db, alice), after, `${endpoint.name} has no second effect`)
  }
})
