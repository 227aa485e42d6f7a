import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import type { Config } from '../../../shared/config.ts'
import { loadConfig } from '../../../shared/config.ts'
import { type DatabasePool, type Db, openDb, row, sql } from '../../../shared/db/db.ts'
import { addressFile, template } from './cluster.ts'

/** Keys that open nothing but tests. */
export const testKeys = {
  PLATFORM_API_KEY: 'test-api-key',
  PLATFORM_API_SECRET: 'test-api-secret-of-no-shop-at-all',
  TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 'test key ').toString('base64'),
  POSTMARK_SERVER_TOKEN: 'test-server-token',
}

/** Of the shops that tests make. */
export const testAccessToken = 'test-access-token'

/** The tests' Postgres asks for none; but processes are given one, which they must keep to themselves. */
export const databasePassword = 'test-database-password'

/** The environment of a process that works on a test's database. */
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
    ...env,
  }
}

export function testConfig(databaseUrl: string, env: Record<string, string> = {}): Config {
  return loadConfig(testEnvironment(databaseUrl, env), 'worker')
}

/** A database of its own, empty or cloned from the migrated template (0.1 s); dropped when the test file ends. */
export async function createDatabase(from: 'template' | 'nothing' = 'template'): Promise<string> {
  const cluster = readFileSync(addressFile, 'utf8')
  const name = `test_${randomBytes(6).toString('hex')}`
  const source = from === 'template' ? template : 'template0'
  await withClient(cluster, (client) => client.query(`create database ${name} template ${source}`))
  t.teardown(() => withClient(cluster, (client) => client.query(`drop database ${name} with (force)`)))
  return cluster.replace(/[^/]*$/, name).replace('@', `:${databasePassword}@`)
}

let shared: Promise<string> | undefined

/** The database of this test file: its tests make shops of their own, so nothing is cleaned between them. */
export function fileDatabase(): Promise<string> {
  shared ??= createDatabase()
  return shared
}

/** The file's database with a pool of its own, closed with the test. */
export async function openTestDb(
  t: Test,
  poolSize = 10,
): Promise<{ db: DatabasePool; url: string; config: Config }> {
  const url = await fileDatabase()
  const config = testConfig(url)
  const db = await openDb(config, poolSize)
  t.teardown(() => db.end())
  return { db, url, config }
}

/** A transaction that has done its work, and holds the rows it took until the function that this answers is called. */
export async function holdOpen(
  t: Test,
  db: DatabasePool,
  work: (tx: Db) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const isDone = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const transaction = db.transaction(async (tx) => {
    await work(tx)
    isDone.resolve()
    await mayEnd.promise
  })
  t.teardown(() => mayEnd.resolve())
  await Promise.race([isDone.promise, transaction])
  return () => {
    mayEnd.resolve()
    return transaction
  }
}

const Count = Type.Object({ count: Type.Integer() })

/** Until so many statements wait for a row that another transaction holds. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  const waiting = () =>
    db.oneFirst(sql.type(row(Count))`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `)
  while ((await waiting()) < count) await delay(10)
}
