import { join } from 'node:path'
import pg from 'pg'
import { type LocalPostgres, startPostgres } from './postgres.ts'

const name = 'quartermaster'

export const postgresFolder = (dataDir: string) => join(dataDir, 'postgres')

/** Starts Postgres in the data folder, and creates the database at the first start. */
export async function startDatabase(dataDir: string): Promise<LocalPostgres & { databaseUrl: string }> {
  const postgres = await startPostgres(postgresFolder(dataDir))
  try {
    await withClient(postgres.url('postgres'), async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
      if (rowCount === 0) await client.query(`create database ${name}`)
    })
  } catch (error) {
    await postgres.stop().catch(() => {})
    throw error
  }
  return { ...postgres, databaseUrl: postgres.url(name) }
}

/** Runs `use` with a connection. The developer's PGSSLMODE does not apply to it. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, ssl: false, query_timeout: 600_000 })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
