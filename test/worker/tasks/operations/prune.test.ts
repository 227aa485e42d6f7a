import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { keepTransactionOpen, useOwnDatabase } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { makeAlert } from '../../../support/make/alerts.ts'
import { keysOf } from '../../../support/make/everything.ts'
import { makeImport, readImport } from '../../../support/make/imports.ts'
import { statesOf } from '../../../support/platform/stock-pushes.ts'
import { deliver, orderBody, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

useOwnDatabase()

t.test('settled deliveries are deleted after 30 days; pending and failed ones stay', async (t) => {
  const { app, db, alice, perform } = await startDeliveries(t)
  const ages = { applied: 31, ignored: 31, rejected: 31, received: 400, failed: 400, 'applied ': 29 }
  for (const [at, [state, days]] of Object.entries(ages).entries()) {
    await deliver(
      app,
      sign(alice, 'orders/create', orderBody(at + 1, []), { 'x-platform-webhook-id': `w-${at}` }),
    )
    await db.query(sql.typeAlias('void')`
      update webhook_delivery
      set state = ${state.trim()}, received_at = now() - make_interval(days => ${days})
      where shop_id = ${alice.shopId} and webhook_id = ${`w-${at}`}
    `)
  }
  for (let runs = 0; runs < 2; runs += 1) await perform(jobs.prune, {})
  const remaining = await db.anyFirst(sql.type(row(Type.Object({ state: Type.String() })))`
    select state from webhook_delivery where shop_id = ${alice.shopId} order by id
  `)
  t.strictSame(remaining, ['received', 'failed', 'applied'])
})

t.test('the records of requests about customers stay for a year', async (t) => {
  const { app, db, alice, perform } = await startDeliveries(t)
  for (const days of [364, 366]) {
    const id = `w-${days}`
    await deliver(app, sign(alice, 'customers/redact', {}, { 'x-platform-webhook-id': id }))
    await db.query(sql.typeAlias('void')`
      update webhook_delivery
      set state = 'applied', received_at = now() - make_interval(days => ${days})
      where shop_id = ${alice.shopId} and webhook_id = ${id}
    `)
  }
  await perform(jobs.prune, {})
  const remaining = await db.anyFirst(sql.type(row(Type.Object({ webhookId: Type.String() })))`
    select webhook_id from webhook_delivery where shop_id = ${alice.shopId}
  `)
  t.strictSame(remaining, ['w-364'])
})

t.test('idempotency keys are deleted after 24 hours, in any number', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  await db.query(sql.typeAlias('void')`
    insert into idempotency_key (shop_id, key, request_hash, status, body, created_at)
    select ${alice.shopId}, case when age >= 24 then 'old-' else 'young-' end || age || '-' || number, '', 200, '{}',
      now() - make_interval(hours => age)
    from (values (0, 1), (23, 1), (24, 1), (400, 10001)) as keys (age, amount), generate_series(1, amount) as number
  `)
  const { shopId } = await makeShop(db, 'other')
  await db.query(sql.typeAlias('void')`
    insert into idempotency_key (shop_id, key, request_hash, created_at)
    values (${shopId}, 'old', '', now() - interval '25 hours'), (${shopId}, 'young', '', now())
  `)
  await perform(jobs.prune, {})
  t.strictSame(await keysOf(db, alice), ['young-0-1', 'young-23-1'])
  t.strictSame(await keysOf(db, { shopId }), ['young'])
})

t.test('a key that a request is using again stays, and prune does not wait for it', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  await db.query(sql.typeAlias('void')`
    insert into idempotency_key (shop_id, key, request_hash, created_at)
    select ${alice.shopId}, key, '', now() - interval '25 hours' from (values ('used'), ('old')) as keys (key)
  `)
  const commit = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      update idempotency_key set created_at = now() where shop_id = ${alice.shopId} and key = 'used'
    `),
  )
  await perform(jobs.prune, {})
  await commit()
  t.strictSame(await keysOf(db, alice), ['used'])
})

t.test('done and discarded pushes are deleted after 30 days; others stay', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  for (const [state, days] of [
    ['done', 31],
    ['discarded', 31],
    ['done', 29],
    ['failed', null],
    ['queued', null],
  ] as const) {
    await db.query(sql.typeAlias('void')`
      insert into stock_push (shop_id, form, reason, state, created_at, settled_at)
      values (
        ${alice.shopId}, 'adjust', 'other', ${state}, now() - interval '400 days', now() - make_interval(days => ${days})
      )
    `)
  }
  await perform(jobs.prune, {})
  t.strictSame(await statesOf(db, alice), ['done', 'failed', 'queued'])
})

t.test('alerts are deleted a year after they are resolved; open ones stay', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  const ids: number[] = []
  for (const days of [367, 364, null]) {
    const id = await makeAlert(db, alice, { isResolved: days !== null })
    await db.query(sql.typeAlias('void')`
      update alert
      set created_at = now() - interval '9 years', resolved_at = now() - make_interval(days => ${days})
      where shop_id = ${alice.shopId} and id = ${id}
    `)
    ids.push(id)
  }
  await perform(jobs.prune, {})
  const remaining = await db.anyFirst(
    sql.typeAlias('id')`select id from alert where shop_id = ${alice.shopId} order by id`,
  )
  t.strictSame(remaining, ids.slice(1))
})

t.test('digests and tests of them are deleted after 90 days, with their mails', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  await db.query(sql.typeAlias('void')`
    with made as (
      insert into digest (shop_id, day, state, created_at)
      select ${alice.shopId}, day, 'made', now() - make_interval(days => age)
      from unnest(array[91, 89]) as age, unnest(array[current_date - age, null]) as day
      returning shop_id, id
    )
    insert into digest_mail (shop_id, digest_id, recipient)
    select shop_id, id, 'buyer@kestrel.example.com' from made
  `)
  await perform(jobs.prune, {})
  const remaining = await db.anyFirst(sql.type(row(Type.Object({ age: Type.Integer() })))`
    select current_date - g.created_at::date as age
    from digest g
    join digest_mail m on m.shop_id = g.shop_id and m.digest_id = g.id
    where g.shop_id = ${alice.shopId}
  `)
  t.strictSame(remaining, [89, 89])
})

t.test('job runs are deleted after 7 days, in any number', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  await db.query(sql.typeAlias('void')`
    insert into job_run (job_id, task, shop_id, attempt, max_attempts, state, started_at, ended_at, ms, worker_id)
    select age, 'prune', ${alice.shopId}, 1, 12, 'done', at, at, 0, gen_random_uuid()
    from (values (6, 1), (8, 5001)) as runs (age, amount),
      lateral (select now() - make_interval(days => age) as at) as ended, generate_series(1, amount)
  `)
  await perform(jobs.prune, {})
  const remaining = await db.anyFirst(sql.type(row(Type.Object({ jobId: Type.Integer() })))`
    select job_id from job_run where shop_id = ${alice.shopId}
  `)
  t.strictSame(remaining, [6])
})

t.test('the file of an import is deleted after 30 days; the import and its rows stay', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  const [old, young] = [await makeImport(alice, db, 'done'), await makeImport(alice, db, 'done')]
  await db.query(sql.typeAlias('void')`
    update import_file
    set created_at = now() - make_interval(days => case when import_id = ${old} then 31 else 29 end)
    where shop_id = ${alice.shopId}
  `)
  await perform(jobs.prune, {})
  const ImportIds = Type.Object({ importId: Type.Integer() })
  t.strictSame(
    await db.anyFirst(
      sql.type(row(ImportIds))`select import_id from import_file where shop_id = ${alice.shopId}`,
    ),
    [young],
  )
  t.strictSame(
    await db.anyFirst(sql.type(row(ImportIds))`
      select import_id from import_row where shop_id = ${alice.shopId} order by import_id
    `),
    [old, young],
  )
})

t.test('an upload that was interrupted fails after an hour', async (t) => {
  const { db, alice, perform } = await startDeliveries(t)
  const old = await makeImport(alice, db, 'uploading')
  const fresh = await makeImport(alice, db, 'uploading')
  const done = await makeImport(alice, db, 'done')
  await db.query(sql.typeAlias('void')`
    update import set created_at = now() - interval '61 minutes' where shop_id = ${alice.shopId} and id <> ${fresh}
  `)
  await perform(jobs.prune, {})
  t.match(await readImport(alice, old), {
    state: 'failed',
    error: 'The upload was interrupted. Add the file again.',
  })
  t.match(await readImport(alice, fresh), { state: 'uploading' })
  t.match(await readImport(alice, done), { state: 'done', error: '' })
})
