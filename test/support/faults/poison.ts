import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { openDb, row, sql } from '../../../shared/db/db.ts'
import { createDatabase, testConfig, testEnvironment } from '../core/database.ts'
import { queuedJobs } from '../core/jobs.ts'
import { startSupervised } from '../core/processes.ts'
import { until } from '../core/until.ts'
import { startClock } from './faults.ts'
import type { Kind } from './poison-worker.ts'

const Step = Type.Object({ name: Type.String(), count: Type.Integer() })

/** A queue with jobs that harm their process, and a worker that is restarted whenever it ends. */
export async function startPoisonQueue(t: Test) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  await db.query(sql.typeAlias('void')`create table act (name text, step text)`)
  const env = testEnvironment(url, { LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=200' })
  return {
    db,
    work: () => startSupervised(t, 'test/support/faults/poison-worker.ts', env),
    /** Each job has one attempt: crashes of other jobs must not use it up. */
    add: (kind: Kind, ms: number, count = 1) =>
      db.query(sql.typeAlias('void')`
        select graphile_worker.add_job(
          'act', json_build_object('kind', ${kind}::text, 'ms', ${ms}::int, 'name', ${kind}::text || '-' || number),
          max_attempts => 1
        )
        from generate_series(1, ${count}::int) as number
      `),
    /** How often each job has reached a step so far. */
    steps: async (step: 'begun' | 'done') => {
      const rows = await db.any(
        sql.type(row(Step))`select name, count(*) from act where step = ${step} group by name`,
      )
      return new Map(rows.map(({ name, count }) => [name, count]))
    },
    /** The oldest queued job of a kind. */
    job: async (kind: Kind) =>
      (await queuedJobs(db)).find(({ payload }) => (payload as { kind: Kind }).kind === kind),
  }
}

/** Runs one job that harms its process beside more jobs than the worker runs concurrently. */
export async function expectIsolation(t: Test, kind: Kind): Promise<void> {
  const { work, add, steps, job } = await startPoisonQueue(t)
  await add(kind, 300)
  await add('nothing', 1_000, 25)
  const worker = work()
  const sinceStart = startClock()
  const failed = await until(
    async () => {
      const found = await job(kind)
      return found?.isFailed === true && found
    },
    'the job is set aside',
    240_000,
  )
  t.comment(`${kind}: set aside after ${sinceStart()} ms`)
  t.match(failed.lastError, 'The job crashed its process 3 times, the last time while it ran alone')
  t.equal((await steps('begun')).get(`${kind}-1`), 3)
  t.equal(worker.exits.length, 3, 'no other job crashed the worker')
  await until(async () => (await job('nothing')) === undefined, 'the other jobs are done')
  const done = await steps('done')
  t.strictSame([done.size, ...new Set(done.values())], [25, 1], 'each job ran once')
  t.match(worker.output(), 'job set aside')
  if (kind === 'loop') t.match(worker.output(), 'event loop blocked: killed')
  t.equal(await worker.stop(), 0)
}
