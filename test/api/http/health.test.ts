import t from 'tap'
import { buildApp } from '../../../api/app.ts'
import { withClient } from '../../../dev/postgres/database.ts'
import { openDb } from '../../../shared/db/db.ts'
import { schemaVersion } from '../../../shared/db/schema-state.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { createDatabase, testConfig } from '../../support/core/database.ts'
import { recordedLog } from '../../support/core/outputs.ts'

t.test('a running process is alive and ready', async (t) => {
  const { app } = await startApp(t)
  const [alive, ready] = [await app.inject('/healthz'), await app.inject('/readyz')]
  t.equal(alive.statusCode, 200)
  t.strictSame(alive.json(), { status: 'ok' })
  t.equal(ready.statusCode, 200)
  t.strictSame(ready.json(), { status: 'ready' })
})

t.test('a stopping process is alive, not ready, and refuses requests', async (t) => {
  let isStopping = false
  const { app, alice } = await startApp(t, { isStopping: () => isStopping })
  t.equal((await alice.get('/api/suppliers')).statusCode, 200)

  isStopping = true
  t.equal((await app.inject('/healthz')).statusCode, 200)
  const ready = await app.inject('/readyz')
  t.equal(ready.statusCode, 503)
  t.strictSame(ready.json(), { status: 'stopping' })
  t.equal(ready.headers['retry-after'], '2')
  for (const answer of [await alice.get('/api/suppliers'), await app.inject('/api/suppliers')]) {
    expectFailure(t, answer, 503, 'unavailable')
    t.equal(answer.headers['retry-after'], '2')
  }
})

/** The readiness response of a process on a new database after `statement`. */
async function readinessOn(
  t: Parameters<typeof startApp>[0],
  from: 'nothing' | 'template',
  statement?: string,
) {
  const url = await createDatabase(from)
  if (statement) await withClient(url, (client) => client.query(statement))
  const config = testConfig(url)
  const db = await openDb(config, 2)
  const pdf = createPdfRenderer()
  const app = await buildApp({ config, db, log: recordedLog(config, 'web'), pdf, isStopping: () => false })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
    await db.end()
  })
  return app.inject('/readyz')
}

t.test('a process is not ready before its migrations have run', async (t) => {
  const empty = await readinessOn(t, 'nothing')
  t.equal(empty.statusCode, 503)
  t.strictSame(empty.json(), { status: 'not migrated' })

  const last = `delete from schema_migration where version = ${schemaVersion}`
  t.equal((await readinessOn(t, 'template', last)).statusCode, 503)
})

t.test('a process stays ready after the migrations of the next release', async (t) => {
  const newer = `insert into schema_migration (version, name) values (${schemaVersion + 1}, 'next release')`
  t.equal((await readinessOn(t, 'template', newer)).statusCode, 200)
})
