import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createDatabase, testEnvironment } from '../../support/core/database.ts'
import { startProcess } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { isFull } from '../../support/faults/faults.ts'

t.test('a worker that gets several SIGTERM during its start exits with 0 or by the signal', async (t) => {
  const env = testEnvironment(await createDatabase(), { LOG_LEVEL: 'info' })
  for (const afterMs of isFull ? [0, 300, 900, 1_500] : [0, 900]) {
    const started = startProcess(t, 'worker/main.ts', env)
    await sleep(afterMs)
    for (let signals = 0; signals < 3; signals += 1) started.kill('SIGTERM')
    const outcome = await started.ended
    t.ok(outcome === 0 || outcome === 'SIGTERM', `after ${afterMs} ms: ${outcome}`)
    t.notMatch(started.output(), '"level":60')
  }
})

t.test('a migration stopped by a signal is completed by the next one', async (t) => {
  const url = await createDatabase('nothing')
  for (const afterMs of isFull ? [900, 1_100, 1_300, 1_500] : [1_100, 1_500]) {
    const started = startProcess(t, 'db/migrate.ts', testEnvironment(url))
    await sleep(afterMs)
    started.kill('SIGTERM')
    await started.ended
  }
  const last = startProcess(t, 'db/migrate.ts', testEnvironment(url, { LOG_LEVEL: 'info' }))
  t.equal(await last.ended, 0, last.output())
  const worker = startProcess(t, 'worker/main.ts', testEnvironment(url, { LOG_LEVEL: 'trace' }))
  await until(() => worker.output().includes('Spawned'), 'a worker starts on the database')
})
