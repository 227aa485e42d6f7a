import t from 'tap'
import { testEnvironment } from './support/database.ts'
import { startProcess } from './support/processes.ts'

const entries = ['api/server.ts', 'worker/main.ts', 'db/migrate.ts']

t.test('a process with a bad environment says what is wrong, not what it was, and ends', async (t) => {
  const env = testEnvironment('postgres://app:planted-password@db.example:54x2/quartermaster')
  for (const file of entries) {
    const started = startProcess(t, file, env)
    t.equal(await started.ended, 1, file)
    t.match(started.output(), 'DATABASE_URL must be a postgres:// address')
    t.notMatch(started.output(), 'planted-password')
  }
})

t.test('a process without a database ends, and keeps its password to itself', async (t) => {
  const env = testEnvironment('postgres://app:planted-password@127.0.0.1:1/quartermaster', {
    LOG_LEVEL: 'info',
  })
  for (const file of entries) {
    const started = startProcess(t, file, env)
    t.equal(await started.ended, 1, file)
    t.notMatch(started.output(), 'planted-password')
  }
})
