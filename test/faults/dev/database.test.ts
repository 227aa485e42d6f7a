import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { postgresFolder, startDatabase, withClient } from '../../../dev/postgres/database.ts'
import { removePostgres } from '../../../dev/postgres/postgres.ts'
import { eventually, killPostgres, makeDataDir } from '../../dev/system.ts'

t.test('the database is created once, and a running server is reused', async (t) => {
  const dataDir = await makeDataDir(t)
  const first = await startDatabase(dataDir)
  await withClient(first.databaseUrl, (client) => client.query('create table stored (id int)'))
  t.equal((await startDatabase(dataDir)).databaseUrl, first.databaseUrl)
  await first.stop()

  const restarted = await startDatabase(dataDir)
  await t.resolves(withClient(restarted.databaseUrl, (client) => client.query('select id from stored')))
})

t.test('a killed Postgres counts as stopped, and restarts on its port', async (t) => {
  const dataDir = await makeDataDir(t)
  const database = await startDatabase(dataDir)
  await killPostgres(dataDir)
  await eventually(async () => !(await database.isRunning()) || undefined)
  await t.resolves(database.stop())

  await eventually(() =>
    database.restart().then(
      () => true,
      () => undefined,
    ),
  )
  t.ok(await database.isRunning())
  await t.resolves(withClient(database.databaseUrl, (client) => client.query('select 1')))
  await database.stop()
  t.notOk(await database.isRunning())
})

t.test('Postgres runs from a folder that is closed to other users', async (t) => {
  const dataDir = join(await makeDataDir(t), 'closed')
  await mkdir(dataDir)
  await chmod(dataDir, 0o700)
  const database = await startDatabase(dataDir)
  t.teardown(() => removePostgres(postgresFolder(dataDir)))
  const { rows } = await withClient(database.databaseUrl, (client) => client.query('select 1 as value'))
  t.strictSame(rows, [{ value: 1 }])
})

t.test('Postgres runs from a copy that was made with a umask of 077', async (t) => {
  const dataDir = join(await makeDataDir(t), 'closed')
  const umask = process.umask(0o077)
  t.teardown(() => {
    process.umask(umask)
    return removePostgres(postgresFolder(dataDir))
  })
  await mkdir(dataDir)
  const database = await startDatabase(dataDir)
  const { rows } = await withClient(database.databaseUrl, (client) => client.query('select 1 as value'))
  t.strictSame(rows, [{ value: 1 }])
})

const skip = process.getuid?.() !== 0 && 'only root runs a copy'
t.test('a new copy of Postgres leaves the data closed to other users', { skip }, async (t) => {
  const dataDir = join(await makeDataDir(t), 'closed')
  await mkdir(dataDir)
  await chmod(dataDir, 0o700)
  t.teardown(() => removePostgres(postgresFolder(dataDir)))
  const first = await startDatabase(dataDir)
  await first.stop()
  const sharedFolder = dirname(first.dataDir)
  // as after an upgrade, whose version has no copy yet
  for (const name of await readdir(sharedFolder))
    if (name.startsWith('native-')) await rm(join(sharedFolder, name), { recursive: true })

  const second = await startDatabase(dataDir)
  t.ok(await second.isRunning())
  t.equal((await stat(first.dataDir)).mode & 0o777, 0o700)
})

t.test('an interrupted copy of Postgres is made again, named by its version', { skip }, async (t) => {
  const dataDir = join(await makeDataDir(t), 'closed')
  await mkdir(dataDir)
  await chmod(dataDir, 0o700)
  t.teardown(() => removePostgres(postgresFolder(dataDir)))
  const sharedFolder = dirname((await startDatabase(dataDir)).dataDir)
  await removePostgres(postgresFolder(dataDir))
  t.notOk(existsSync(sharedFolder))

  // the process that copies interrupts itself: another one may notice the copy too late on a busy machine
  const script = `import { existsSync, readdirSync } from 'node:fs'
    import { startDatabase } from '${new URL('../../../dev/postgres/database.ts', import.meta.url)}'
    const folder = ${JSON.stringify(sharedFolder)}
    setInterval(() => {
      const [copy] = existsSync(folder) ? readdirSync(folder) : []
      if (copy && existsSync(folder + '/' + copy + '/bin')) process.kill(process.pid, 'SIGKILL')
    }, 1)
    await startDatabase(${JSON.stringify(dataDir)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  t.strictSame(await once(child, 'exit'), [null, 'SIGKILL'])
  t.notOk(existsSync(join(sharedFolder, 'data')), 'the start was interrupted early')

  const { databaseUrl } = await startDatabase(dataDir)
  const { rows } = await withClient(databaseUrl, (client) => client.query('select 1 as value'))
  t.strictSame(rows, [{ value: 1 }])
  t.match((await readdir(sharedFolder)).sort(), ['data', /^native-\d+\.\d+\.\d+/])
})
