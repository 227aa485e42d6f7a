import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buildAdmin, isBuildNeeded } from '../../dev/build.ts'
import { withClient } from '../../dev/postgres/database.ts'
import { removePostgres, startPostgres } from '../../dev/postgres/postgres.ts'
import { outputFolder } from '../support/core/outputs.ts'
import { addressFile, clusterFolder, describeShops, migrateTest, template } from '../support/core/postgres.ts'

// Runs before the first test file: creates a new cluster with the migrated template that every file clones.
await removePostgres(clusterFolder)
await rm(outputFolder, { recursive: true, force: true })
// Tests do not need durability. Statistics of a few rows, which autovacuum would collect at any moment, make plans that are too
// slow for the thousands of rows of the next test.
const settings = [
  'autovacuum=off',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=400',
  // without statistics Postgres starts two more processes to read tables of a few rows
  'max_parallel_workers_per_gather=0',
  'max_wal_size=256MB',
]
const postgres = await startPostgres(clusterFolder, settings)
await withClient(postgres.url('postgres'), (client) => client.query(`create database ${template}`))
await migrateTest(postgres.url(template))
await describeShops(postgres.url(template))
await mkdir(dirname(addressFile), { recursive: true })
await writeFile(addressFile, postgres.url('postgres'))

// Tests of the admin need its build.
if (await isBuildNeeded()) await buildAdmin()
