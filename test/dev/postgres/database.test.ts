import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { postgresFolder, startDatabase, withClient } from '../../../dev/postgres/database.ts'
import { removePostgres } from '../../../dev/postgres/postgres.ts'
import { eventually, killPostgres, makeDataDir } from '../system.ts'

t.test('the database is made once, and whoever runs already is reused', async (t) => {
  const dataDir = await makeDataDir(t)
  const first = await startDatabase(dataDir)
  await withClient(first.databaseUrl, (client) => client.query('create table kept (id int)'))
  t.equal((await startDatabase(dataDir)).databaseUrl, first.databaseUrl)
  await first.stop()

  const again = await startDatabase(dataDir)
  await t.resolves(withClient(again.databaseUrl, (client) => client.query('select id from kept')))
})

t.test('Postgres that was killed is stopped already, and starts again on its port', async (t) => {
  const dataDir = await makeDataDir(t)
  const database = await startDatabase(dataDir)
  killPostgres(dataDir)
  await eventually(async () => !(await database.isRunning()) || undefined)
  await t.resolves(database.stop())

  await eventually(() =>
    database.startAgain().then(
      () => true,
      () => undefined,
    ),
  )
  t.ok(await database.isRunning())
  await t.resolves(withClient(database.databaseUrl, (client) => client.query('select 1')))
  await database.stop()
  t.notOk(await database.isRunning())
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

const skip = process.getuid?.() !== 0 && 'only root runs a copy'
t.test('a copy of Postgres that was cut short is made again, and says its version', { skip }, async (t) => {
  const dataDir = join(await makeDataDir(t), 'closed')
  await mkdir(dataDir)
  await chmod(dataDir, 0o700)
  t.teardown(() => removePostgres(postgresFolder(dataDir)))
  const shelter = dirname((await startDatabase(dataDir)).dataDir)
  await removePostgres(postgresFolder(dataDir))
  t.notOk(existsSync(shelter))

  const script = `import { startDatabase } from '${new URL('../../../dev/postgres/database.ts', import.meta.url)}'
    await startDatabase(${JSON.stringify(dataDir)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const isCopying = async () => {
    const [copy] = await readdir(shelter).catch(() => [])
    return (copy && existsSync(join(shelter, copy, 'bin'))) || undefined
  }
  await eventually(isCopying, undefined, 1)
  child.kill('SIGKILL')
  await ended
  t.notOk(existsSync(join(shelter, 'data')), 'it did not get far')

  const { databaseUrl } = await startDatabase(dataDir)
  const { rows } = await withClient(databaseUrl, (client) => client.query('select 1 as one'))
  t.strictSame(rows, [{ one: 1 }])
  t.match((await readdir(shelter)).sort(), ['data', /^native-\d+\.\d+\.\d+/])
})
