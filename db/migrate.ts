import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pRetry from 'p-retry'
import pg from 'pg'
import { type DatabaseAddress, databaseAddress } from '../shared/config.ts'
import { readConfig } from '../shared/process.ts'
import { createLog } from '../shared/telemetry/log.ts'
import { applyFunction, changedFunctions } from './functions.ts'

const ownFolder = new URL('./migrations/', import.meta.url)

/** The last release with the migrations before the first file of the folder, which replaces them. */
const releaseBefore = '0.1.1'

/** The key of the advisory lock that serializes migrations: an arbitrary number, the same in every release. */
const lockKey = 7_203_418_801
/** One hour: the limit for a migration, and for the wait until a concurrent one has finished. */
const maxMs = 60 * 60 * 1000

/**
 * Brings a database to the schema of this release, and returns the files that it applied. Idempotent, safe concurrently.
 * 1. Applies graphile-worker's migrations, whose functions ours use.
 * 2. Applies the pending migrations, each in a transaction.
 * 3. Creates or replaces the SQL functions that differ from those of this release, all in one transaction.
 *
 * Throws on a database of a release before the first migration. `folder` has the migrations; tests give one of their own.
 */
export async function migrate(address: DatabaseAddress, folder = ownFolder): Promise<string[]> {
  const client = new pg.Client({ connectionString: address.url, ssl: address.ssl, query_timeout: maxMs })
  client.on('error', ignoreIdleError)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`
      create table if not exists schema_migration (
        version int primary key,
        name text not null,
        applied_at timestamptz not null default now()
      );
      create table if not exists schema_function (
        name text,
        hash text,
        applied_at timestamptz not null default now(),
        primary key (name, hash)
      )
    `)
    const { rows } = await client.query<{ version: number }>('select version from schema_migration')
    const known = new Set(rows.map(({ version }) => version))
    const files = await migrationFiles(folder)
    requireKnownRelease(Math.max(0, ...known), files)
    await migrateQueue(address)
    const pending = files.filter((file) => !known.has(versionOf(file)))
    for (const file of pending)
      await retry(() =>
        transact(client, `Migration ${file}`, () => applyMigration(client, new URL(file, folder), file)),
      )
    const functions = await changedFunctions(client)
    if (functions.length > 0)
      await retry(() =>
        transact(client, 'The SQL functions', async () => {
          for (const file of functions) await applyFunction(client, file)
        }),
      )
    return [...pending, ...functions.map(({ path }) => path)]
  } finally {
    await client.end()
  }
}

export async function migrationFiles(folder = ownFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

export function versionOf(file: string): number {
  return Number(file.slice(0, 4))
}

/** The first migration creates all tables, so it is for an empty database; one with its number has them. */
function requireKnownRelease(version: number, [first = '']: readonly string[]): void {
  if (version === 0 || version >= versionOf(first)) return
  throw new Error(
    `The database is at migration ${version}, and this release begins at ${versionOf(first)}: run "npm run migrate" of release ${releaseBefore} first.`,
  )
}

async function migrateQueue(address: DatabaseAddress): Promise<void> {
  const pool = new pg.Pool({
    connectionString: address.url,
    ssl: address.ssl,
    max: 1,
    query_timeout: maxMs,
  })
  pool.on('error', ignoreIdleError).on('connect', (client) => client.on('error', ignoreIdleError))
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}

/** The error of an idle connection must not end the process; the next query on it fails with the error. */
function ignoreIdleError(): void {}

/**
 * A waiting statement blocks all later ones on its table: wait 2 s at most, then retry, up to 10 attempts. A deadlock with the running
 * release is such a wait, too.
 */
function retry(attempt: () => Promise<void>): Promise<void> {
  return pRetry(attempt, {
    retries: 9,
    minTimeout: 500,
    factor: 1.5,
    maxTimeout: 5_000,
    shouldRetry: ({ error: { cause } }) =>
      cause instanceof pg.DatabaseError && ['55P03', '40P01'].includes(cause.code ?? ''),
  })
}

async function transact(client: pg.Client, what: string, run: () => Promise<void>): Promise<void> {
  try {
    await client.query('begin')
    await client.query("set local lock_timeout = '2s'")
    await run()
    await client.query('commit')
  } catch (error) {
    // The rollback fails on a broken connection; its error would hide the cause.
    await client.query('rollback').catch(() => {})
    throw new Error(`${what} failed`, { cause: error })
  }
}

async function applyMigration(client: pg.Client, path: URL, file: string): Promise<void> {
  await client.query(await readFile(path, 'utf8'))
  await client.query('insert into schema_migration (version, name) values ($1, $2)', [versionOf(file), file])
}

if (import.meta.main) {
  const config = readConfig(process.env, 'web')
  const log = createLog(config, 'migrate')
  try {
    const applied = await migrate(databaseAddress(config))
    log.info({ applied }, applied.length > 0 ? 'schema migrated' : 'schema is current')
  } catch (err) {
    log.fatal({ err }, 'migration failed')
    process.exitCode = 1
  }
}
