import { Type } from '@sinclair/typebox'
import t from 'tap'
import { databaseAddress } from '../../../shared/config.ts'
import { openDb, row, sql } from '../../../shared/db/db.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { createScrub } from '../../../shared/telemetry/scrub.ts'
import { createHeartbeat } from '../../../worker/queue/crashes/heartbeat.ts'
import { createJobRuns } from '../../../worker/queue/job-runs.ts'
import { startQueue } from '../../../worker/queue/runtime.ts'
import { defineTask, type Services } from '../../../worker/queue/task.ts'
import { createDatabase, testConfig } from '../../support/core/database.ts'
import { recordedLog } from '../../support/core/outputs.ts'
import { makeShop } from '../../support/core/people.ts'
import { until } from '../../support/core/until.ts'

const Task = Type.Object({ task: Type.String() })

t.test('a job that fails after a newer one took its key is removed; other jobs that fail stay', async (t) => {
  const config = testConfig(await createDatabase())
  const db = await openDb(config, 4)
  t.teardown(() => db.end())
  const { shopId } = await makeShop(db, 'alice')
  const log = recordedLog(config, 'worker')
  const scrub = createScrub(config)
  const address = databaseAddress(config)
  const failures: string[] = []
  const fail = (reason: unknown) => failures.push(String(reason)) as never
  const key = `shop:${shopId}:read-levels`
  const enqueueAgain = () => enqueue(db, jobs.readLevels, { shopId }, { key })
  let isReplaced = false
  let done = 0
  const task = defineTask(jobs.readLevels, async () => {
    if (!isReplaced) {
      isReplaced = true
      await enqueueAgain()
      throw new Error('the database system is shutting down')
    }
    done += 1
  })
  const failing = defineTask(jobs.prune, async () => {
    throw new Error('no luck')
  })
  const heartbeat = createHeartbeat(address, log, fail)
  t.teardown(() => heartbeat.unregister())
  const runs = createJobRuns({ db, log, workerId: heartbeat.id })
  const services = { db } as unknown as Services
  const queue = await startQueue({
    address,
    maxConnections: 3,
    concurrency: 2,
    tasks: Object.fromEntries(
      [task, failing].map((each) => [each.name, each.bind(services, log, scrub, runs)]),
    ),
    heartbeat,
    log,
    scrub,
    fail,
  })
  await enqueueAgain()
  await enqueue(db, jobs.prune, {}, { key: 'prune' })
  const left = () =>
    db.anyFirst(sql.type(row(Task))`
      select task_identifier as task from graphile_worker.jobs where attempts > 0 and locked_at is null
    `)
  await until(
    async () => done === 1 && (await left()).length > 0,
    'both have failed, and the newer job is done',
  )
  t.strictSame(await left(), [jobs.prune.name])
  await queue.stop()
  await runs.stop()
  t.strictSame(failures, [])
})
