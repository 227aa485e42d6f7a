import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import { type LocalPostgres, removePostgres, startPostgres } from '../../../dev/postgres/postgres.ts'
import { migrateTest } from './cluster.ts'

export type OwnPostgres = LocalPostgres & {
  /** The address of a migrated database in it. */
  database: string
  /** Closes all connections of the database. */
  terminateAll: () => Promise<void>
  /** Allows or forbids writes in new sessions, and closes the open ones. */
  allowWriting: (isAllowed: boolean) => Promise<void>
}

/** Starts a separate Postgres that a test may stop, restart and overload without affecting other tests. */
export async function startOwnPostgres(t: Test): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-faults-'))
  const dataDir = join(folder, 'postgres')
  // no test cuts the power, so fsync is off; a crash of the server loses nothing either way
  const postgres = await startPostgres(dataDir, ['max_connections=60', 'fsync=off'])
  t.teardown(() => removePostgres(dataDir))
  const admin = postgres.url('postgres')
  await withClient(admin, (client) => client.query('create database faults'))
  const database = postgres.url('faults')
  await migrateTest(database)
  const terminateAll = () =>
    withClient(admin, async (client) => {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults'`)
    })
  return {
    ...postgres,
    database,
    terminateAll,
    async allowWriting(isAllowed) {
      await withClient(admin, (client) =>
        client.query(`alter database faults set default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`),
      )
      await terminateAll()
    },
  }
}
