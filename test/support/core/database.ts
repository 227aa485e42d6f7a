import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import type { Config } from '../../../shared/config.ts'
import { loadConfig } from '../../../shared/config.ts'
import { type DatabasePool, type Db, openDb, row, sql } from '../../../shared/db/db.ts'
import { addressFile, template } from './postgres.ts'
import { processEnd } from './shared.ts'
import { until } from './until.ts'

/** Keys for tests only. */
export const testKeys = {
  PLATFORM_API_KEY: 'test-api-key',
  PLATFORM_API_SECRET: 'test-api-secret-of-no-shop-at-all',
  TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 'test key ').toString('base64'),
  POSTMARK_SERVER_TOKEN: 'test-server-token',
}

/** The access token of the shops that tests make. */
export const testAccessToken = 'test-access-token'

/** The tests' Postgres requires no password. Processes still get one, to test that no output contains it. */
export const databasePassword = 'test-database-password'

/** The environment of a process that uses a test's database. */
export function testEnvironment(
  databaseUrl: string,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    ...testKeys,
    DATABASE_URL: databaseUrl,
    APP_URL: 'http://localhost',
    MAIL_FROM: 'Quartermaster <orders@quartermaster.example>',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    // a test file sends thousands of bad signatures and tokens from one address
    FAILED_ATTEMPTS_PER_MINUTE: '1000000',
    // tests of every endpoint send thousands of requests of one shop
    RATE_LIMIT_PER_MINUTE: '1000000',
    // on a busy machine a test blocks the event loop for longer than the default
    MAX_EVENT_LOOP_DELAY_MS: '600000',
    ...env,
  }
}

export function testConfig(databaseUrl: string, env: Record<string, string> = {}): Config {
  return loadConfig(testEnvironment(databaseUrl, env), 'worker')
}

/**
 * Creates a database, empty or cloned from the migrated template (0.1 s). It is dropped with `owner`, by default the test
 * file.
 */
export async function createDatabase(
  from: 'template' | 'nothing' = 'template',
  owner: Pick<Test, 'teardown'> = t,
): Promise<string> {
  const cluster = readFileSync(addressFile, 'utf8')
  const name = `test_${randomBytes(6).toString('hex')}`
  const source = from === 'template' ? template : 'template0'
  await withClient(cluster, (client) => client.query(`create database ${name} template ${source}`))
  owner.teardown(() => withClient(cluster, (client) => client.query(`drop database ${name} with (force)`)))
  return cluster.replace(/[^/]*$/, name).replace('@', `:${databasePassword}@`)
}

let shared: Promise<string> | undefined
let own: Promise<string> | undefined

/**
 * Gives this test file a database that no other file uses, because it changes the schema, reads what belongs to no shop, or
 * checks query plans.
 */
export function useOwnDatabase(): void {
  own = createDatabase()
  // another file may follow in this process
  t.teardown(() => {
    own = undefined
  })
}

export const hasOwnDatabase = () => own !== undefined

/**
 * The database of this test file, which the other files of its process use, too. Its tests make their own shops, so no data is
 * deleted between them.
 */
export function fileDatabase(): Promise<string> {
  if (own) return own
  shared ??= createDatabase('template', processEnd)
  return shared
}

/** Opens a pool on the file's database, closed with the test or, for the root test, with the file. */
export async function openTestDb(
  t: Pick<Test, 'teardown'>,
  poolSize = 10,
): Promise<{ db: DatabasePool; url: string; config: Config }> {
  const url = await fileDatabase()
  const config = testConfig(url)
  // a test that blocks the event loop would lose a connection that is being opened, and the app would answer 503
  const db = await openDb(config, poolSize, undefined, 60_000)
  t.teardown(() => db.end())
  return { db, url, config }
}

/** Lets a transaction idle for longer than the 10 s of `openDb`, which a busy machine may need meanwhile. */
export const allowIdling = (tx: Db) =>
  tx.query(sql.typeAlias('void')`set local idle_in_transaction_session_timeout = 0`)

/** Runs `work` in a transaction that stays open and keeps its row locks. The returned function commits it. */
export async function keepTransactionOpen(
  t: Test,
  db: DatabasePool,
  work: (tx: Db) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const isDone = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const transaction = db.transaction(async (tx) => {
    await allowIdling(tx)
    await work(tx)
    isDone.resolve()
    await mayCommit.promise
  })
  t.teardown(() => mayCommit.resolve())
  await Promise.race([isDone.promise, transaction])
  return () => {
    mayCommit.resolve()
    return transaction
  }
}

const Count = Type.Object({ count: Type.Integer() })

/** Waits until `count` statements are blocked by locks. */
export async function untilBlocked(db: Db, count: number): Promise<void> {
  const countBlocked = () =>
    db.oneFirst(sql.type(row(Count))`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `)
  await until(async () => (await countBlocked()) >= count, `${count} statements are blocked`)
}
