import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Type } from '@sinclair/typebox'
import pg from 'pg'
import { createPool, type DatabasePool, type DriverClient } from 'slonik'
import t, { type Test } from 'tap'
import { isUnavailable, openDb, row, sql } from '../../../shared/db/db.ts'
import { createDriver } from '../../../shared/db/driver.ts'
import { createDatabase, testConfig } from '../../support/core/database.ts'
import { startTimer } from '../../support/core/timers.ts'

const Value = row(Type.Object({ value: Type.Unknown() }))

/** A pool with one connection, without the statement timeout of `openDb`, which would come before the driver's limit. */
async function openPool(t: Test, url: string): Promise<DatabasePool> {
  const pool = await createPool(url, {
    driverFactory: createDriver({ connectionString: url }),
    maxPoolSize: 1,
    connectionRetryLimit: 0,
  })
  t.teardown(() => pool.end())
  return pool
}

/** A connection of the driver alone: slonik would wait for the first query before it sends the second. */
async function openClient(t: Test, url: string): Promise<DriverClient> {
  const driver = await createDriver({ connectionString: url })({
    driverConfiguration: {
      connectionUri: url,
      connectionTimeout: 'DISABLE_TIMEOUT',
      idleInTransactionSessionTimeout: 'DISABLE_TIMEOUT',
      statementTimeout: 'DISABLE_TIMEOUT',
      typeParsers: [],
    },
  })
  const client = await driver.createClient()
  client.acquire()
  t.teardown(() => client.destroy())
  return client
}

t.test('the driver converts numbers and instants, and leaves dates as text', async (t) => {
  const db = await openDb(testConfig(await createDatabase('nothing')), 1)
  t.teardown(() => db.end())
  const values = {
    '9007199254740991::int8': 9007199254740991,
    '12.50::numeric': 12.5,
    "'2026-11-01'::date": '2026-11-01',
    "'2026-11-01 10:00:00.1234+00'::timestamptz": '2026-11-01T10:00:00.123Z',
    "'2026-11-01 10:00:00+02'::timestamptz": '2026-11-01T08:00:00.000Z',
    "'infinity'::float8": Number.POSITIVE_INFINITY,
    'null::int8': null,
    '\'{"a":[1]}\'::jsonb': { a: [1] },
  }
  for (const [text, value] of Object.entries(values)) {
    const query = { ...sql.type(Value)`select`, sql: `select ${text} as value` }
    t.strictSame(await db.oneFirst(query), value, text)
  }
})

t.test('an error of a statement keeps its code and leaves the connection usable', async (t) => {
  const db = await openPool(t, await createDatabase('nothing'))
  await db.connect(async (connection) => {
    const failure = connection.query(sql.typeAlias('void')`select 1 / 0`)
    const error: unknown = await failure.catch((error: unknown) => error)
    t.match(error, { code: '22012', message: 'division by zero' })
    t.notOk(isUnavailable(error))
    t.equal(await connection.oneFirst(sql.type(Value)`select 1 as value`), 1)
  })
})

t.test('the driver refuses two statements in one query', async (t) => {
  const db = await openPool(t, await createDatabase('nothing'))
  await t.rejects(db.query(sql.typeAlias('void')`select; select`), { message: /one statement/ })
})

t.test('a query without an answer after 9 s fails, and the driver closes its connection', async (t) => {
  const url = await createDatabase('nothing')
  const client = await openClient(t, url)
  await client.query('create table done (what text)')
  const hasWaited = startTimer(8_900)
  const first = client.query('select pg_sleep(12)')
  const second = client.query("insert into done values ('the queued statement')")
  const [error] = await Promise.all([first, second].map((query) => query.catch((error: unknown) => error)))
  t.ok(hasWaited())
  t.match(error, { message: 'Query read timeout' })
  t.ok(isUnavailable(error))
  await t.rejects(second)
  await t.rejects(client.query('select'), 'the connection is not used again')
  const db = await openPool(t, url)
  const rows = await db.oneFirst(
    sql.type(Value)`select (select count(*) from done) as value from pg_sleep(4)`,
  )
  t.equal(rows, 0, 'the queued statement did not run later')
})

t.test('the pool replaces a connection that the driver has closed', async (t) => {
  const db = await openPool(t, await createDatabase('nothing'))
  const pid = sql.type(Value)`select pg_backend_pid() as value`
  const first = await db.oneFirst(pid)
  await t.rejects(db.query(sql.typeAlias('void')`select pg_sleep(30)`), { message: 'Query read timeout' })
  t.not(await db.oneFirst(pid), first)
})

const hundredRows = `
  select n, 'gid://shopify/ProductVariant/' || n as variant_id, 'A product with a long name, number ' || n as title
  from generate_series(1, 100) n`

setFlagsFromString('--expose-gc')
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc')

/** The bytes per statement that minor collections promote to the old space although no code references the result. */
async function promotedBytes(query: () => Promise<unknown>): Promise<number> {
  const statements = 10
  const growth: number[] = []
  for (let round = 0; round < 9; round += 1) {
    collect({ type: 'minor' })
    const before = oldBytes()
    for (let count = 0; count < statements; count += 1) await query()
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    growth.push((oldBytes() - before) / statements)
  }
  return growth.sort((a, b) => a - b)[4] ?? 0
}

const oldBytes = () =>
  getHeapSpaceStatistics().reduce((sum, { space_name, space_used_size }) => {
    return space_name === 'old_space' ? sum + space_used_size : sum
  }, 0)

t.test('the driver releases a result after its use', async (t) => {
  const url = await createDatabase('nothing')
  const ours = await openClient(t, url)
  const oursBytes = await promotedBytes(() => ours.query(hundredRows))
  const client = new pg.Client({ connectionString: url, query_timeout: 60_000 })
  await client.connect()
  t.teardown(() => client.end())
  const promisedBytes = await promotedBytes(() => client.query(hundredRows))
  t.comment({ oursBytes, promisedBytes })
  t.ok(
    promisedBytes > 10_000,
    'promises and timeouts of `pg` promote results; otherwise our driver is unnecessary',
  )
  t.ok(oursBytes < promisedBytes / 4, 'our driver does not')
})
