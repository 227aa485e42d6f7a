import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, openDb, row, sql } from '../../../../shared/db/db.ts'
import {
  createDatabase,
  keepTransactionOpen,
  testConfig,
  untilBlocked,
} from '../../../support/core/database.ts'
import { until } from '../../../support/core/until.ts'
import { startPoisonQueue } from '../../../support/faults/poison.ts'

const Freed = Type.Object({ id: Type.Integer(), crashes: Type.Integer() })
const JobRow = Type.Object({ attempts: Type.Integer(), maxAttempts: Type.Integer() })

/** A dead worker and the jobs that it had locked, each in its last attempt. */
async function startDead(t: Test) {
  const db = await openDb(testConfig(await createDatabase()), 3)
  t.teardown(() => db.end())
  const addJob = async (crashes = 0) => {
    const { id } = await db.one(sql.typeAlias('id')`
      select id from graphile_worker.add_job('unknown-task', max_attempts => 4)
    `)
    await db.query(sql.typeAlias('void')`
      update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 4
      where id = ${id}
    `)
    if (crashes > 0) {
      await db.query(
        sql.typeAlias('void')`insert into job_crash (job_id, crashes) values (${id}, ${crashes})`,
      )
    }
    return id
  }
  return {
    db,
    addJob,
    /**
     * Registers the worker as last seen `silent` ago (its jobs are blamed only if Postgres was running then), with
     * the job that it ran alone, if any.
     */
    crash: (
      silent: string,
      { alone = null, hasEnded = false }: { alone?: number | null; hasEnded?: boolean } = {},
    ) =>
      db.query(sql.typeAlias('void')`
        insert into worker_instance (id, pool_ids, last_seen_at, alone_job_id, has_ended)
        values (gen_random_uuid(), array['pool-dead'], now() - ${silent}::interval, ${alone}, ${hasEnded})
      `),
    /** The crash count of each freed job. */
    free: async () => {
      const rows = await db.any(sql.type(row(Freed))`
        select id, crashes from free_jobs_of_the_dead('0 seconds', null)
      `)
      return new Map(rows.map(({ id, crashes }) => [id, crashes]))
    },
    job: (id: number) =>
      db.maybeOne(sql.type(row(JobRow))`
        select attempts, max_attempts from graphile_worker.jobs where id = ${id} and locked_at is null
      `),
  }
}

t.test('a job of a crashed process gets its attempt back, and the crash is recorded', async (t) => {
  const { addJob, crash, free, job } = await startDead(t)
  const [first, suspect] = [await addJob(), await addJob(1)]
  await crash('0 seconds')
  t.strictSame(
    await free(),
    new Map([
      [first, 1],
      [suspect, 2],
    ]),
  )
  t.strictSame(await job(first), { attempts: 3, maxAttempts: 4 })
})

t.test('when one job ran alone in a crashed process, only that job is blamed', async (t) => {
  const { addJob, crash, free, job } = await startDead(t)
  const [poison, waited, suspect] = [await addJob(2), await addJob(), await addJob(2)]
  await crash('0 seconds', { alone: poison })
  t.strictSame(
    await free(),
    new Map([
      [poison, 3],
      [waited, 0],
      [suspect, 2],
    ]),
  )
  t.strictSame(
    await job(poison),
    { attempts: 3, maxAttempts: 4 },
    'one attempt is left, in which the job is set aside',
  )
})

t.test('a suspect that waits to run alone is not blamed for the crash of other jobs', async (t) => {
  const { addJob, crash, free } = await startDead(t)
  const [running, waited] = [await addJob(), await addJob(2)]
  await crash('0 seconds')
  t.strictSame(
    await free(),
    new Map([
      [running, 1],
      [waited, 2],
    ]),
  )
})

t.test('no job is blamed when a process exits with a reason, or when Postgres restarts', async (t) => {
  for (const [silent, hasEnded] of [
    // the worker has reported its exit
    ['-1 minute', true],
    // the worker was last seen before this Postgres started
    ['30 days', false],
  ] as const) {
    const { addJob, crash, free, job } = await startDead(t)
    const id = await addJob(2)
    await crash(silent, { alone: id, hasEnded })
    t.strictSame(await free(), new Map([[id, 2]]))
    t.strictSame(await job(id), { attempts: 3, maxAttempts: 4 })
  }
})

t.test('two workers that free the same job give back one attempt', async (t) => {
  const { db, addJob, job } = await startDead(t)
  const id = await addJob()
  await db.query(sql.typeAlias('void')`
    update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'
  `)
  const free = (tx: Db) =>
    tx.query(sql.typeAlias('void')`select from free_jobs_of_the_dead('8 seconds', '10 seconds')`)
  const release = await keepTransactionOpen(t, db, free)
  const second = free(db)
  await untilBlocked(db, 1)
  await release()
  await second
  t.strictSame(await job(id), { attempts: 3, maxAttempts: 4 })
})

t.test('an attempt that ends without a crash deletes the count, also when it fails', async (t) => {
  const { db, work, add, job } = await startPoisonQueue(t)
  await add('fail', 0, 2)
  await add('nothing', 0)
  await db.query(sql.typeAlias('void')`
    insert into job_crash (job_id, crashes)
    select id, case payload ->> 'name' when 'fail-2' then 1 else 2 end from graphile_worker._private_jobs
  `)
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.reschedule_jobs((select array_agg(id) from graphile_worker.jobs), run_at => now())
  `)
  const worker = work()
  const isCleared = async () => !(await db.exists(sql.typeAlias('void')`select from job_crash`))
  await until(isCleared, 'all are cleared')
  t.match(worker.output(), 'job runs alone')
  // the queue stores the error a moment later
  await until(
    async () => /on purpose/.test((await job('fail'))?.lastError ?? ''),
    'the job has failed in the usual way',
  )
  t.equal(await worker.stop(), 0)
})
