import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, isUnavailable, openDb, row, sql } from '../../../shared/db/db.ts'
import { conflict } from '../../../shared/errors.ts'
import { keepTransactionOpen, openTestDb } from '../../support/core/database.ts'
import { until } from '../../support/core/until.ts'

const Pid = row(Type.Object({ pid: Type.Integer() }))
const pidOf = (db: Db) => db.oneFirst(sql.type(Pid)`select pg_backend_pid() as pid`)
const emptyQuery = sql.typeAlias('void')`select`

t.test('an error in a transaction rolls it back and keeps the connection', async (t) => {
  const { db } = await openTestDb(t, 1)
  await db.query(sql.typeAlias('void')`create table thing (name text not null unique)`)
  const add = (name: string | null) => sql.typeAlias('void')`insert into thing (name) values (${name})`
  await db.query(add('first'))
  const pid = await pidOf(db)
  const refusals = {
    'a refusal in a transaction': () =>
      db.transaction(async (tx) => {
        await tx.query(add('refused'))
        throw conflict('Not now.')
      }),
    'a refusal in a nested transaction': () =>
      db.transaction(async (tx) => {
        await tx.query(add('refused'))
        await tx.transaction(async () => {
          throw conflict('Not now.')
        })
      }),
    'a violated constraint in a transaction': () =>
      db.transaction(async (tx) => {
        await tx.query(add('refused'))
        await tx.query(add('first'))
      }),
    'a violated constraint outside a transaction': () => db.query(add('first')),
    'a missing value': () => db.query(add(null)),
    'a missing row': () => db.one(sql.type(Pid)`select 1 as pid where false`),
  }
  for (const [name, refuse] of Object.entries(refusals)) {
    await t.rejects(async () => void (await refuse()), name)
    t.equal(await pidOf(db), pid, `${name} leaves the connection`)
  }
  const names = sql.type(row(Type.Object({ name: Type.String() })))`select name from thing`
  t.strictSame(await db.anyFirst(names), ['first'])
})

t.test('the pool discards a connection after an unexpected error', async (t) => {
  const { db } = await openTestDb(t, 1)
  const pid = await pidOf(db)
  const bug = db.transaction(async () => {
    throw new TypeError('unexpected')
  })
  await t.rejects(bug, { message: 'unexpected' })
  t.not(await pidOf(db), pid)
})

t.test('a query that waits too long for a connection fails and does not run later', async (t) => {
  const { config } = await openTestDb(t)
  const db = await openDb(config, 1, { waitMs: 2_000, maxWaiting: 3 })
  t.teardown(() => db.end())
  const release = await keepTransactionOpen(t, db, (tx) => tx.query(emptyQuery))

  let hasRun = false
  const tooLate = db.transaction(async () => {
    hasRun = true
  })
  const others = [db.query(emptyQuery), db.query(emptyQuery)]
  let refused = 0
  for (const waiting of [tooLate, ...others]) waiting.catch(() => (refused += 1))
  const tooMany = db.query(emptyQuery)
  await t.rejects(tooMany, { message: 'Too many queries are waiting for a connection.' })
  t.equal(refused, 0, 'the pool refuses it before the time of the others is over')
  for (const waiting of [tooLate, ...others]) {
    const error = await waiting.then(
      () => null,
      (reason: unknown) => reason,
    )
    t.match(error, { message: 'No connection within 2000 ms.' })
    t.ok(isUnavailable(error))
  }

  await release()
  await until(() => db.state().waitingClients === 0, 'no query waits')
  await db.query(emptyQuery)
  t.notOk(hasRun, 'the transaction that failed does not run later')
  await until(() => db.state().idleConnections === 1, 'the connection is free')
})
