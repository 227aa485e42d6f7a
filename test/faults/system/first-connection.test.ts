import t from 'tap'
import { choosePort } from '../../../dev/processes/ports.ts'
import { createDatabase, testEnvironment } from '../../support/core/database.ts'
import { startProxy } from '../../support/core/postgres.ts'
import { startProcess } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'

const entries = [
  { file: 'api/server.ts', runs: 'listening at' },
  { file: 'worker/main.ts', runs: 'Spawned' },
]
const waits = 'Postgres does not answer'

/** The number of the lines that contain the text. */
const count = (output: string, text: string) =>
  output.split('\n').filter((line) => line.includes(text)).length

for (const { file, runs } of entries) {
  t.test(`${file} waits for a Postgres that starts after it`, async (t) => {
    const database = await createDatabase()
    const url = new URL(database)
    const port = await choosePort(0, 'PORT')
    url.port = String(port)
    const started = startProcess(t, file, testEnvironment(url.href, { LOG_LEVEL: 'trace' }))
    await until(() => started.output().includes(waits), 'it waits')
    t.match(started.output(), '"reason":"ECONNREFUSED"')
    await startProxy(t, database, port)
    await until(() => started.output().includes(runs), 'it runs')
    t.equal(count(started.output(), waits), 1)
    t.equal(count(started.output(), 'Postgres answered after'), 1)
    started.kill('SIGTERM')
    t.equal(await started.ended, 0)
  })

  t.test(`${file} stops with status 0 while it waits, and does not print the address`, async (t) => {
    const env = testEnvironment('postgres://app:planted-password@127.0.0.1:1/quartermaster', {
      LOG_LEVEL: 'info',
    })
    const started = startProcess(t, file, env)
    await until(() => started.output().includes(waits), 'it waits')
    started.kill('SIGTERM')
    t.equal(await started.ended, 0)
    t.match(started.output(), '"msg":"stopped"')
    t.notMatch(started.output(), '"level":60')
    t.notMatch(started.output(), /planted-password|127\.0\.0\.1/)
  })

  t.test(`${file} ends at once when its database does not exist or is not migrated`, async (t) => {
    const empty = await createDatabase('nothing')
    for (const [url, reason] of [
      [empty.replace(/[^/]*$/, 'unknown'), /database \\"unknown\\" does not exist/],
      [empty, /run \\"npm run migrate\\" first/],
    ] as const) {
      const started = startProcess(t, file, testEnvironment(url, { LOG_LEVEL: 'info' }))
      t.equal(await started.ended, 1)
      t.match(started.output(), reason)
      t.equal(count(started.output(), waits), 0)
    }
  })
}
