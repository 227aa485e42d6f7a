import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import { type LocalPostgres, removePostgres, startPostgres } from '../../../dev/postgres/postgres.ts'
import { migrateTest } from './cluster.ts'

export type OwnPostgres = LocalPostgres & {
  /** A migrated database in it. */
  database: string
  /** Ends every connection of the others. */
  terminateAll: () => Promise<void>
  /** Whether sessions that begin from now on may write; those that are open are ended. */
  allowWriting: (isAllowed: boolean) => Promise<void>
}

/** A Postgres that a test may stop, restart and starve without anybody else noticing. */
export async function startOwnPostgres(t: Test): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-faults-'))
  const dataDir = join(folder, 'postgres')
  // what is acknowledged has to survive a crash of the server here
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
