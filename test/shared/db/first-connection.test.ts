import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import { choosePort } from '../../../dev/processes/ports.ts'
import { openDb, sql } from '../../../shared/db/db.ts'
import { untilConnected } from '../../../shared/db/first-connection.ts'
import { captureLog } from '../../support/core/app.ts'
import { createDatabase, testConfig } from '../../support/core/database.ts'
import { deadline } from '../../support/core/machine.ts'
import { startOwnPostgres, startProxy } from '../../support/core/postgres.ts'
import { until } from '../../support/core/until.ts'

/** A first connection to an address: its outcome, and what reads the lines of the log so far. */
async function connectTo(t: Test, url: string, options: { stopping?: AbortSignal; maxMs?: number } = {}) {
  const config = testConfig(url, { LOG_LEVEL: 'info' })
  const db = await openDb(config, 1)
  t.teardown(() => db.end())
  const { log, lines: logged } = await captureLog()
  const lines = () => logged().map(({ msg, reason }) => (reason ? `${msg} (${reason})` : `${msg}`))
  const outcome = untilConnected(() => db.query(sql.typeAlias('void')`select`), log, {
    maxMs: deadline(40_000),
    ...options,
  }).then(
    () => 'connected',
    (error: Error) => error,
  )
  return { lines, outcome, untilTried: () => until(() => lines().length > 0, 'the first attempt fails') }
}

const tries = (reason: string) => new RegExp(`^Postgres does not answer: trying for \\d+ s \\(${reason}\\)$`)
const answered = /^Postgres answered after \d+ s$/

t.test('a process connects without a line in its log when Postgres answers', async (t) => {
  const { lines, outcome } = await connectTo(t, await createDatabase())
  t.equal(await outcome, 'connected')
  t.strictSame(lines(), [])
})

t.test('a process waits until Postgres listens, and logs one line for all attempts', async (t) => {
  const database = await createDatabase()
  const url = new URL(database)
  const port = await choosePort(0, 'PORT')
  url.port = String(port)
  const { lines, outcome, untilTried } = await connectTo(t, url.href)
  await untilTried()
  await startProxy(t, database, port)
  t.equal(await outcome, 'connected')
  t.match(lines(), [tries('ECONNREFUSED'), answered])
  t.equal(lines().length, 2)
})

t.test('a process waits for a Postgres that closes the connections and later answers none', async (t) => {
  const proxy = await startProxy(t, await createDatabase())
  proxy.refuse()
  const { lines, outcome, untilTried } = await connectTo(t, proxy.url)
  await untilTried()
  proxy.swallow()
  const { accepted } = proxy
  const before = accepted()
  await until(() => accepted() > before + 1, 'an attempt gets no answer')
  proxy.pass()
  t.equal(await outcome, 'connected')
  t.match(lines(), [/^Postgres does not answer: trying for \d+ s \(/, answered])
})

t.test('a process waits for a name that does not resolve yet, and gives up at the limit', async (t) => {
  const { lines, outcome } = await connectTo(t, 'postgres://app:pw@db.invalid/quartermaster', { maxMs: 300 })
  t.match(await outcome, { message: /^Postgres did not answer within \d+ s: (ENOTFOUND|EAI_AGAIN)$/ })
  t.match(lines(), [/^Postgres does not answer: trying for 0.3 s \((ENOTFOUND|EAI_AGAIN)\)$/])
})

t.test('a wait ends with the reason of the stop', async (t) => {
  const stop = new AbortController()
  const { outcome, untilTried } = await connectTo(t, 'postgres://app@127.0.0.1:1/quartermaster', {
    stopping: stop.signal,
  })
  await untilTried()
  stop.abort()
  t.equal(await outcome, stop.signal.reason)
})

t.test('Postgres itself says whether a later attempt can succeed', async (t) => {
  const postgres = await startOwnPostgres(t)
  await t.test('an unknown database ends the wait at once', async (t) => {
    const { lines, outcome } = await connectTo(t, postgres.url('unknown'))
    t.match(await outcome, { cause: { code: '3D000' } })
    t.strictSame(lines(), [])
  })

  await t.test('a wrong password ends the wait at once', async (t) => {
    await withClient(postgres.database, (client) => client.query(`create role app login password 'right'`))
    const rules = [
      'host all app all scram-sha-256',
      'host all all all trust',
      'host replication all all trust',
    ]
    await writeFile(join(postgres.dataDir, 'pg_hba.conf'), rules.join('\n'))
    await withClient(postgres.database, (client) => client.query('select pg_reload_conf()'))
    const withPassword = (password: string) => postgres.database.replace(/\/\/[^@]*@/, `//app:${password}@`)
    // Postgres reads the rules a moment later
    const { lines, outcome } = await until(async () => {
      const attempt = await connectTo(t, withPassword('wrong'))
      return (await attempt.outcome) !== 'connected' && attempt
    }, 'Postgres asks for the password')
    t.match(await outcome, { cause: { code: '28P01' } })
    t.strictSame(lines(), [])
    const { outcome: right } = await connectTo(t, withPassword('right'))
    t.equal(await right, 'connected')
  })

  await t.test('a process waits for a Postgres that is still recovering', async (t) => {
    await postgres.stop()
    // a standby that accepts no readers recovers until it is promoted
    const standby = join(postgres.dataDir, 'standby.signal')
    await writeFile(standby, '')
    await appendFile(join(postgres.dataDir, 'postgresql.conf'), '\nhot_standby = off\n')
    await postgres.restart()
    const { lines, outcome, untilTried } = await connectTo(t, postgres.database)
    await untilTried()
    await postgres.stop()
    await rm(standby)
    await postgres.restart()
    t.equal(await outcome, 'connected')
    t.match(lines(), [/^Postgres does not answer: trying for \d+ s \(the database system is /, answered])
  })
})
