import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import t, { type Test } from 'tap'
import { choosePort } from '../../dev/processes/ports.ts'
import { openDb, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createDatabase, testConfig, testEnvironment } from '../support/core/database.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'

const entries = ['api/server.ts', 'worker/main.ts', 'db/migrate.ts']

t.test('a process with an invalid environment names the variable without its value, and exits', async (t) => {
  const env = testEnvironment('postgres://app:planted-password@db.example:54x2/quartermaster')
  for (const file of entries) {
    const started = startProcess(t, file, env)
    t.equal(await started.ended, 1, file)
    t.match(started.output(), 'DATABASE_URL must be a postgres:// URL')
    t.notMatch(started.output(), 'planted-password')
  }
})

t.test('a migration without a database exits, and does not print the password', async (t) => {
  const env = testEnvironment('postgres://app:planted-password@127.0.0.1:1/quartermaster', {
    LOG_LEVEL: 'info',
  })
  const started = startProcess(t, 'db/migrate.ts', env)
  t.equal(await started.ended, 1)
  t.notMatch(started.output(), 'planted-password')
})

t.test('a worker continues when the reader of its log has exited', async (t) => {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const worker = startProcess(t, 'worker/main.ts', testEnvironment(url, { LOG_LEVEL: 'trace' }))
  await until(() => worker.output().includes('Spawned'), 'the worker works')
  worker.child.stdout?.destroy()
  worker.child.stderr?.destroy()
  for (let number = 0; number < 20; number += 1) await enqueue(db, jobs.prune, {})
  const hasJobs = () => db.exists(sql.typeAlias('void')`select from graphile_worker.jobs`)
  await until(async () => !(await hasJobs()), 'all jobs are done')
  t.equal(worker.child.exitCode, null, 'the process has not exited')
  worker.kill('SIGTERM')
  t.equal(await worker.ended, 0)
})

/** Web with the given level of its log, and what sends it requests one after another. */
async function startWeb(t: Test, level: string) {
  const port = await choosePort(0, 'PORT')
  const env = testEnvironment(await createDatabase(), { PORT: String(port), LOG_LEVEL: level })
  const web = startProcess(t, 'api/server.ts', env)
  await untilListening(web)
  const send = async (count: number) => {
    const statuses = new Set<number>()
    for (let number = 0; number < count; number += 1) {
      statuses.add((await fetch(`http://127.0.0.1:${port}/readyz`)).status)
    }
    return [...statuses]
  }
  return { port, web, send }
}

t.test('web writes all log lines before it ends', async (t) => {
  const { web, send } = await startWeb(t, 'info')
  t.strictSame(await send(300), [200])
  web.kill('SIGTERM')
  t.equal(await web.ended, 0)
  const lines = web.output().trimEnd().split('\n')
  t.equal(lines.filter((line) => JSON.parse(line).route === '/readyz').length, 300)
  t.match(JSON.parse(lines.at(-1) ?? ''), { msg: 'stopped' })
})

t.test('web continues when the reader of its log has exited', async (t) => {
  const { web, send } = await startWeb(t, 'trace')
  web.child.stdout?.destroy()
  web.child.stderr?.destroy()
  t.strictSame(await send(300), [200])
  t.equal(web.child.exitCode, null, 'the process has not exited')
  web.kill('SIGTERM')
  t.equal(await web.ended, 0)
})

t.test('web stops although a client keeps the connection of a request that was running', async (t) => {
  const { port, web } = await startWeb(t, 'info')
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const headers = { 'content-type': 'application/json', 'content-length': '2', expect: '100-continue' }
  const running = request({ port, agent, method: 'POST', path: '/webhooks', headers })
  running.flushHeaders()
  await once(running, 'continue') // web has read the head
  running.write('{')
  web.kill('SIGTERM')
  await until(() => web.output().includes('stopping'), 'web stops')
  running.end('}')
  const [response]: IncomingMessage[] = await once(running, 'response')
  response?.resume()
  t.equal(response?.headers.connection, 'close')
  t.equal(await web.ended, 0, web.output())
})
