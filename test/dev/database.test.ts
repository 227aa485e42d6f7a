import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { postgresFolder, startDatabase, withClient } from '../../dev/database.ts'
import { removePostgres } from '../../dev/postgres.ts'
import { makeDataDir } from './system.ts'

t.test('the database is made once, and whoever runs already is reused', async (t) => {
  const dataDir = await makeDataDir(t)
  const first = await startDatabase(dataDir)
  await withClient(first.databaseUrl, (client) => client.query('create table kept (id int)'))
  t.equal((await startDatabase(dataDir)).databaseUrl, first.databaseUrl)
  await first.stop()

  const again = await startDatabase(dataDir)
  await t.resolves(withClient(again.databaseUrl, (client) => client.query('select id from kept')))
})

t.test('it works from a folder that is closed to others', async (t) => {
  const dataDir = join(await makeDataDir(t), 'closed')
  await mkdir(dataDir)
  await chmod(dataDir, 0o700)
  const database = await startDatabase(dataDir)
  t.teardown(() => removePostgres(postgresFolder(dataDir)))
  const { rows } = await withClient(database.databaseUrl, (client) => client.query('select 1 as one'))
  t.strictSame(rows, [{ one: 1 }])
})
