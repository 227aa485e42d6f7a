import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../db/migrate.ts'
import { withClient } from './postgres/database.ts'
import { removePostgres, startPostgres } from './postgres/postgres.ts'
import { drawSchema, printSchema, readSchema, type Schema } from './postgres/schema-dump.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The files that describe the schema, by their paths, with what they have to hold. */
export function schemaFiles(schema: Schema): Map<string, string> {
  return new Map([
    ['db/schema.sql', printSchema(schema)],
    ['docs/pictures/schema.dot', drawSchema(schema)],
  ])
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-schema-'))
  const dataDir = join(folder, 'postgres')
  try {
    const postgres = await startPostgres(dataDir)
    await withClient(postgres.url('postgres'), (client) => client.query('create database schema'))
    const url = postgres.url('schema')
    await migrate({ url, ssl: false })
    const schema = await withClient(url, readSchema)
    for (const [path, text] of schemaFiles(schema)) await writeFile(join(root, path), text)
  } finally {
    await removePostgres(dataDir)
    await rm(folder, { recursive: true, force: true })
  }
}
