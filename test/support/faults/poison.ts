import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { openDb, row, sql } from '../../../shared/db/db.ts'
import { createDatabase, testConfig, testEnvironment } from '../core/database.ts'
import { until } from '../core/processes.ts'
import { keep } from '../make/keeper.ts'
import type { Kind } from './poison-worker.ts'

const Step = Type.Object({ name: Type.String(), count: Type.Integer() })
const JobRow = Type.Object({
  isFailed: Type.Boolean(),
  lastError: Type.Union([Type.String(), Type.Null()]),
})

/** A database in which jobs do to their process what they are told, and a worker that is always started again. */
export async function startActing(t: Test) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  await db.query(sql.typeAlias('void')`create table act (name text, step text)`)
  const env = testEnvironment(url, { LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=200' })
  return {
    db,
    work: () => keep(t, 'test/support/faults/poison-worker.ts', env),
    /** Each has one attempt: none may be lost to what the others do. */
    add: (kind: Kind, ms: number, count = 1) =>
      db.query(sql.typeAlias('void')`
        select graphile_worker.add_job(
          'act', json_build_object('kind', ${kind}::text, 'ms', ${ms}::int, 'name', ${kind}::text || '-' || number),
          max_attempts => 1
        )
        from generate_series(1, ${count}::int) as number
      `),
    /** How often each job came so far. */
    steps: async (step: 'begun' | 'done') => {
      const rows = await db.any(
        sql.type(row(Step))`select name, count(*) from act where step = ${step} group by name`,
      )
      return new Map(rows.map(({ name, count }) => [name, count]))
    },
    /** The oldest of a kind that is in the queue. */
    job: (kind: Kind) =>
      db.maybeOne(sql.type(row(JobRow))`
        select locked_at is null and attempts >= max_attempts as is_failed, last_error
        from graphile_worker._private_jobs
        where payload ->> 'kind' = ${kind}
        order by id
        limit 1
      `),
  }
}

/** One job that ends its process, and more beside it than the worker does at once. */
export async function expectIsolation(t: Test, kind: Kind): Promise<void> {
  const { work, add, steps, job } = await startActing(t)
  await add(kind, 300)
  await add('nothing', 1_000, 25)
  const worker = work()
  const startedAt = Date.now()
  const failed = await until(
    async () => {
      const found = await job(kind)
      return found?.isFailed === true && found
    },
    'it is set aside',
    120_000,
  )
  t.comment(`${kind}: set aside after ${Date.now() - startedAt} ms`)
  t.match(failed.lastError, 'It ended its process 3 times, the last time while it ran alone')
  t.equal((await steps('begun')).get(`${kind}-1`), 3)
  t.equal(worker.ends.length, 3, 'no other crash')
  await until(async () => (await job('nothing')) === null, 'the others are done', 30_000)
  const done = await steps('done')
  t.strictSame([done.size, ...new Set(done.values())], [25, 1], 'each once')
  t.match(worker.output(), 'job set aside')
  if (kind === 'loop') t.match(worker.output(), 'event loop blocked: killed')
  t.equal(await worker.stop(), 0)
}
