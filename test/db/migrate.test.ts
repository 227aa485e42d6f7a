import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import { migrate, migrationFiles, versionOf } from '../../db/migrate.ts'
import { withClient } from '../../dev/postgres/database.ts'
import { openDb } from '../../shared/db/db.ts'
import { readFunctionFiles } from '../../shared/db/function-files.ts'
import { requireKnownSchema, schemaVersion } from '../../shared/db/schema-state.ts'
import { roomOf, rooms } from '../../shared/domain/floors.ts'
import { createDatabase, testConfig, testEnvironment } from '../support/core/database.ts'
import { startProcess } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'

const run = (url: string) => migrate({ url, ssl: false })

const applied = (url: string): Promise<{ version: number; name: string }[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query('select version, name from schema_migration order by version')
    return rows
  })

/** The message with which this release refuses a database; '' when it accepts it. */
async function refusal(url: string): Promise<string> {
  const db = await openDb(testConfig(url), 1)
  try {
    await requireKnownSchema(db)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await db.end()
  }
}

/** A folder with the migrations of this release and further ones, whose statements are given in order. */
async function withNewMigrations(
  t: Test,
  ...statements: string[]
): Promise<{ folder: URL; files: string[] }> {
  const path = await mkdtemp(join(tmpdir(), 'quartermaster-migrations-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  await cp(new URL('../../db/migrations/', import.meta.url), path, { recursive: true })
  const files = statements.map((_, at) => `${String(schemaVersion + 1 + at).padStart(4, '0')}_new.sql`)
  for (const [at, text] of statements.entries()) await writeFile(join(path, files[at] ?? ''), text)
  return { folder: pathToFileURL(`${path}/`), files }
}

const baseline = 118

t.test('migrations are numbered without a gap, and the schema version is the last number', async (t) => {
  const versions = (await migrationFiles()).map(versionOf)
  t.strictSame(
    versions,
    Array.from({ length: schemaVersion - baseline + 1 }, (_, at) => baseline + at),
  )
})

/** What a migration after the baseline does with SQL functions, one sentence each. */
function functionsIn(statements: string, names: readonly string[]): string[] {
  const text = statements.replaceAll(/--.*$/gm, '')
  const created = [...text.matchAll(/\bcreate (?:or replace )?(?:function|procedure) (\w+)/gi)]
  return [
    ...created
      .filter(([, name]) => !new RegExp(`\\bcreate (unique )?index [^;]*\\b${name}\\(`).test(text))
      .map(([, name]) => `creates ${name}, which no index of it uses: it belongs to a room`),
    ...names
      .filter((name) => new RegExp(`(?<!drop function (if exists )?)\\b${name}\\(`).test(text))
      .map((name) => `calls ${name}, which another release may change`),
  ]
}

t.test('a migration after the baseline holds no function, and calls none of a room', async (t) => {
  const names = (await readFunctionFiles()).map(({ name }) => name)
  for (const file of (await migrationFiles()).filter((name) => versionOf(name) > baseline)) {
    const statements = await readFile(new URL(`../../db/migrations/${file}`, import.meta.url), 'utf8')
    t.strictSame(functionsIn(statements, names), [], file)
  }
  t.match(functionsIn('create or replace function allocate() returns void', []), [/^creates allocate/])
  t.match(functionsIn('select book_receipt(1, 2, 3, null)', names), [/^calls book_receipt/])
  const ofIndex = 'create function code(x text) ...; create index a on variant (shop_id, code(barcode))'
  for (const text of [ofIndex, 'drop function if exists allocate(numeric, int, numeric[])', '-- allocate()'])
    t.strictSame(functionsIn(text, names), [], text)
})

t.test('a migration that locks out readers does not validate rows until its end', async (t) => {
  for (const file of await migrationFiles()) {
    const statements = await readFile(new URL(`../../db/migrations/${file}`, import.meta.url), 'utf8')
    const isBoth = statements.includes('add constraint') && statements.includes('validate constraint')
    t.notOk(isBoth, file)
  }
})

const functionPaths = async () => (await readFunctionFiles()).map(({ path }) => path)

t.test('an empty database gets every migration in order, the job queue and every function', async (t) => {
  const url = await createDatabase('nothing')
  const files = await migrationFiles()
  const all = await run(url)
  t.strictSame(all.slice(0, files.length), files)
  t.strictSame(all.slice(files.length).sort(), await functionPaths())
  const places = all.slice(files.length).map((path) => {
    const { floor, room } = roomOf(path) ?? { floor: '', room: '' }
    return rooms.indexOf(`${floor}/${room}`)
  })
  t.strictSame(
    places,
    places.toSorted((a, b) => a - b),
    'the functions of lower rooms are first',
  )
  t.strictSame(
    await applied(url),
    files.map((name) => ({ version: versionOf(name), name })),
  )
  await withClient(url, (client) => client.query('select from graphile_worker.jobs'))
  t.equal(await refusal(url), '')
})

t.test('a second run changes nothing', async (t) => {
  const url = await createDatabase('nothing')
  await run(url)
  await withClient(url, (client) => client.query("insert into shop (domain) values ('alice.myshop.example')"))
  const before = await applied(url)
  t.strictSame(await run(url), [])
  t.strictSame(await applied(url), before)
  const { rowCount } = await withClient(url, (client) => client.query('select from shop'))
  t.equal(rowCount, 1)
})

t.test('concurrent runs apply each migration once', async (t) => {
  const url = await createDatabase('nothing')
  const runs = await Promise.all([run(url), run(url), run(url)])
  const files = await migrationFiles()
  t.strictSame(runs.flat().slice(0, files.length), files)
  t.strictSame(runs.flat().slice(files.length).sort(), await functionPaths())
  t.strictSame((await applied(url)).length, files.length)
})

t.test('a release refuses a database with another schema version and names the remedy', async (t) => {
  const empty = await createDatabase('nothing')
  t.match(
    await refusal(empty),
    `is at migration 0 and this release needs ${schemaVersion}: run "npm run migrate"`,
  )

  const older = await createDatabase()
  await withClient(older, (client) =>
    client.query('delete from schema_migration where version = $1', [schemaVersion]),
  )
  t.match(await refusal(older), /run "npm run migrate" first/)

  const newer = await createDatabase()
  await withClient(newer, (client) =>
    client.query("insert into schema_migration (version, name) values ($1, 'of tomorrow')", [
      schemaVersion + 1,
    ]),
  )
  t.match(await refusal(newer), /newer than this release knows .*deploy the newer release/)
})

const allocate = 'shared/domain/ledgers/costs/functions/allocate.sql'
const definitionOf = (url: string, name: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(`select pg_get_functiondef($1::regproc) as text`, [name])
    return rows[0].text
  })

/** Replaces a function as another release does: `text` is its new source. */
const replace = (url: string, name: string, text: string) =>
  withClient(url, async (client) => {
    await client.query(text)
    await client.query('insert into schema_function (name, hash) values ($1, $2)', [
      name,
      'of another release',
    ])
  })
const otherAllocate = `
  create or replace function allocate(amount numeric, digits int, weights numeric[]) returns numeric[]
  language sql immutable parallel safe as 'select weights'`

t.test('a run replaces the functions that differ from those of the release', async (t) => {
  const url = await createDatabase()
  const own = await definitionOf(url, 'allocate')
  await replace(url, 'allocate', otherAllocate)
  t.not(await definitionOf(url, 'allocate'), own)
  t.equal(await refusal(url), '', 'a process of this release still starts beside functions of a newer one')
  t.strictSame(await run(url), [allocate])
  t.equal(await definitionOf(url, 'allocate'), own)
  t.strictSame(await run(url), [])
})

t.test('a release refuses a database that never had one of its functions', async (t) => {
  const url = await createDatabase()
  await withClient(url, (client) => client.query(`delete from schema_function where name = 'allocate'`))
  t.match(
    await refusal(url),
    /does not have the SQL function allocate of this release: run "npm run migrate" first/,
  )
  t.strictSame(await run(url), [allocate])
  t.equal(await refusal(url), '')
})

t.test('a function with other parameters is refused, and no function is replaced', async (t) => {
  const url = await createDatabase()
  await replace(url, 'allocate', otherAllocate)
  const other = await definitionOf(url, 'allocate')
  await replace(
    url,
    'move_stock',
    `drop function move_stock; create function move_stock(in_shop bigint) returns void language sql as ''`,
  )
  await t.rejects(run(url), {
    message: 'The SQL functions failed',
    cause: {
      message:
        'shared/domain/ledgers/stock/functions/move_stock.sql has other parameters than before: give it a new name',
    },
  })
  t.equal(await definitionOf(url, 'allocate'), other)
})

t.test('a failed migration is rolled back, and the migrations before it stay applied', async (t) => {
  const url = await createDatabase('nothing')
  const { folder, files } = await withNewMigrations(
    t,
    'create table one (id int)',
    'create table two (id int); create table conflicting (id int)',
    'create table three (id int)',
  )
  await withClient(url, (client) => client.query('create table conflicting (id int)'))
  const runAll = () => migrate({ url, ssl: false }, folder)
  await t.rejects(runAll(), { message: `Migration ${files[1]} failed`, cause: { code: '42P07' } })
  t.equal((await applied(url)).at(-1)?.name, files[0])
  await withClient(url, (client) => client.query('drop table conflicting'))
  t.strictSame((await runAll()).slice(0, 2), files.slice(1))
})

t.test('a function with another result is refused, and named', async (t) => {
  const url = await createDatabase()
  await replace(
    url,
    'allocate',
    `drop function allocate; create function allocate(amount numeric, digits int, weights numeric[]) returns jsonb
    language sql as 'select null::jsonb'`,
  )
  await t.rejects(run(url), {
    message: 'The SQL functions failed',
    cause: {
      message: /^shared\/domain\/ledgers\/costs\/functions\/allocate\.sql has another result than before/,
    },
  })
})

t.test('a database of a release before the baseline is refused, and not changed', async (t) => {
  const url = await createDatabase('nothing')
  await withClient(url, (client) =>
    client.query(`
      create table schema_migration (version int primary key, name text not null, applied_at timestamptz not null default now());
      insert into schema_migration (version, name) values (${baseline - 1}, '0117_look_up_order.sql')
    `),
  )
  await t.rejects(run(url), {
    message: `The database is at migration ${baseline - 1}, and this release begins at ${baseline}: run "npm run migrate" of release 0.1.1 first.`,
  })
  t.equal((await applied(url)).length, 1)
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      "select to_regclass('shop') as shop, to_regnamespace('graphile_worker') as queue",
    )
    t.strictSame(rows, [{ shop: null, queue: null }])
  })
})

t.test('a database that has the migrations of before the baseline gets only the functions', async (t) => {
  const url = await createDatabase()
  await withClient(url, (client) =>
    client.query(`
      drop table schema_function;
      update schema_migration set name = '0118_order_payment.sql' where version = ${baseline};
      insert into schema_migration (version, name)
      select version, 'before' from generate_series(1, ${baseline - 1}) as version
    `),
  )
  t.strictSame((await run(url)).sort(), await functionPaths())
  t.equal((await applied(url)).at(baseline - 1)?.name, '0118_order_payment.sql')
  t.equal(await refusal(url), '')
})

/** The sessions of this database that wait: the tables of other tests have the same ids. */
const waitingForOrders = `
  from pg_locks
  where not granted and relation = 'purchase_order'::regclass
    and database = (select oid from pg_database where datname = current_database())`

t.test('a migration that waits for a table lock does not block writes', async (t) => {
  const url = await createDatabase()
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  t.teardown(() => writer.end())
  const { folder, files } = await withNewMigrations(t, 'alter table purchase_order add column added int')
  await writer.query('begin; lock table purchase_order in row exclusive mode')

  const migration = migrate({ url, ssl: false }, folder)
  await withClient(url, async (client) => {
    const waiting = `select ${waitingForOrders}`
    await until(async () => (await client.query(waiting)).rowCount !== 0, 'the migration waits')
    // The lock request of the migration comes first in the queue, so this write waits until that request times out; with a request without
    // a timeout it would wait for the open transaction, and fail.
    await client.query("set lock_timeout = '60s'")
    await client.query('update purchase_order set notes = notes')
  })
  await writer.query('commit')
  t.strictSame(await migration, files, 'the migration succeeds when the table is free')
})

t.test('a migration that meets a deadlock with the running release is repeated', async (t) => {
  const url = await createDatabase()
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  t.teardown(() => writer.end())
  const { folder, files } = await withNewMigrations(
    t,
    'alter table sale_order add column added int; alter table sale add column added int',
  )
  await writer.query('begin; lock table sale in row exclusive mode')
  const migration = migrate({ url, ssl: false }, folder)
  await withClient(url, async (client) => {
    const waiting = `select from pg_locks where not granted and relation = 'sale'::regclass and database = (
      select oid from pg_database where datname = current_database()
    )`
    await until(
      async () => (await client.query(waiting)).rowCount !== 0,
      'the migration waits for sales',
      30_000,
    )
    // the migration has locked the orders, so each waits for the other
    await writer.query('lock table sale_order in row exclusive mode')
    await writer.query('commit')
    t.strictSame(await migration, files)
  })
})

t.test('a lost connection is the cause of the reported error', async (t) => {
  const url = await createDatabase()
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  t.teardown(() => writer.end())
  const { folder, files } = await withNewMigrations(t, 'alter table purchase_order add column added int')
  await writer.query('begin; lock table purchase_order in row exclusive mode')

  const failed = t.rejects(migrate({ url, ssl: false }, folder), {
    message: `Migration ${files[0]} failed`,
    cause: { code: '57P01' },
  })
  await withClient(url, async (client) => {
    const end = `select pg_terminate_backend(pid) ${waitingForOrders}`
    await until(
      async () => ((await client.query(end)).rowCount ?? 0) > 0,
      'the migration waits for the table',
    )
  })
  await failed
})

t.test('failed migrations of the job queue leave no connection open', async (t) => {
  const url = await createDatabase('nothing')
  await withClient(url, async (client) => {
    await client.query('create schema graphile_worker; create table graphile_worker.migrations (x int)')
    await t.rejects(run(url), { code: '42703' })
    // Postgres ends a session a moment after its connection has closed.
    await until(async () => {
      const { rowCount } = await client.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      return rowCount === 0
    }, 'all connections are closed')
  })
})

t.test('npm run migrate reports a failure in one list or one line and exits with 1', async (t) => {
  const environment = testEnvironment(await createDatabase('nothing'), { LOG_LEVEL: 'info' })
  const bad = startProcess(t, 'db/migrate.ts', { ...environment, DATABASE_URL: 'nowhere', PORT: 'x' })
  t.equal(await bad.ended, 1)
  t.equal(
    bad.output(),
    `Invalid environment:
  DATABASE_URL must be a postgres:// URL with a percent-encoded password
  PORT must be a whole number from 0 to 65535
`,
  )

  const unreachable = startProcess(t, 'db/migrate.ts', {
    ...environment,
    DATABASE_URL: 'postgres://user@127.0.0.1:1/x',
  })
  t.equal(await unreachable.ended, 1)
  t.match(JSON.parse(unreachable.output()), { msg: 'migration failed', err: { message: /ECONNREFUSED/ } })

  const succeeding = startProcess(t, 'db/migrate.ts', environment)
  t.equal(await succeeding.ended, 0)
  t.match(JSON.parse(succeeding.output()), { msg: 'schema migrated' })
})
