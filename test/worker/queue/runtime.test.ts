import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { createDatabase } from '../../support/core/database.ts'
import { startProxy } from '../../support/core/postgres.ts'
import { startTestQueue } from '../../support/core/queue.ts'
import { until } from '../../support/core/until.ts'
import { expectPromised, startClock } from '../../support/faults/faults.ts'

t.test('a stop waits for running jobs, and hands back the rest without using an attempt', async (t) => {
  const started = new Set<string>()
  const { queue, failures, add, job } = await startTestQueue(t, {
    'ends-in-time': async () => {
      started.add('ends-in-time')
      await sleep(2_000)
    },
    'heeds-the-stop': async (_payload, { abortSignal }) => {
      started.add('heeds-the-stop')
      await sleep(60_000, undefined, { signal: abortSignal })
    },
    'heeds-nothing': async () => {
      started.add('heeds-nothing')
      await new Promise(() => {})
    },
  })
  for (const name of ['ends-in-time', 'heeds-the-stop', 'heeds-nothing']) await add(name)
  await until(() => started.size === 3, 'all jobs run')

  const stopping = queue.stop()
  await add('ends-in-time-2')
  const sinceStop = startClock()
  await stopping
  // the stop timeout of the host
  expectPromised(t, 'the stop', [sinceStop()], 24_000)
  t.equal(await job('ends-in-time'), null, 'the job is done')
  for (const name of ['heeds-the-stop', 'heeds-nothing']) {
    t.strictSame(await job(name), { attempts: 0, isLocked: false, isLater: false }, name)
  }
  t.strictSame(failures, [])
})

t.test('a queue starts although Postgres does not accept its first connection', async (t) => {
  const proxy = await startProxy(t, await createDatabase())
  proxy.refuse()
  const done = Promise.withResolvers<void>()
  const starting = startTestQueue(t, { first: async () => done.resolve() }, { url: proxy.url })
  await until(() => proxy.accepted() > 0, 'the queue tries to connect')
  proxy.pass()
  const { queue, failures, add } = await starting
  await add('first')
  await done.promise
  t.strictSame(failures, [])
  await queue.stop()
})

t.test('a failed job counts its attempt and waits for the next', async (t) => {
  const { queue, add, job } = await startTestQueue(t, {
    fails: async () => {
      throw new Error('no luck')
    },
  })
  await add('fails')
  const failed = await until(async () => {
    const stored = await job('fails')
    return stored?.attempts === 1 && !stored.isLocked && stored
  }, 'the job has failed')
  t.strictSame(failed, { attempts: 1, isLocked: false, isLater: true })
  await queue.stop()
})

t.test('a worker that takes no job although one is due ends itself; an idle one does not', async (t) => {
  const tasks = { idle: async () => {} }
  const { db, queue, failures } = await startTestQueue(t, tasks, { stuckAfterMs: 1_200 })
  await sleep(3_000)
  t.strictSame(failures, [], 'no job is due')
  // in a named queue locked by another worker, a job is due and cannot be taken
  await db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`select from graphile_worker.add_job('idle', queue_name => 'locked')`)
    await tx.query(sql.typeAlias('void')`
      update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'pool-other'
    `)
  })

  await until(() => failures.length > 0, 'the worker ends itself')
  t.match(failures[0], 'takes none')
  await queue.stop()
})

t.test(
  'the sessions of the queue have jit and synchronous_commit off and a statement timeout of 8 s',
  async (t) => {
    const settings: unknown[] = []
    const { db, queue, add } = await startTestQueue(t, {
      'reads-settings': async (_payload, { query }) => {
        const { rows } = await query(
          `select current_setting('jit') as jit, current_setting('synchronous_commit') as commits,
          current_setting('enable_seqscan') as scans, current_setting('statement_timeout') as timeout`,
        )
        settings.push(...rows)
      },
    })
    await add('reads-settings')
    await until(() => settings.length === 1, 'the job has run')
    t.strictSame(settings, [{ jit: 'off', commits: 'off', scans: 'on', timeout: '8s' }])
    t.equal(
      await db.oneFirst(sql.unsafe`select current_setting('jit')`),
      'off',
      'jit is off in task sessions, too',
    )
    await queue.stop()
  },
)

t.test('jobs are taken by index, even when statistics are from an empty table', async (t) => {
  let done = 0
  const { db, queue, add } = await startTestQueue(t, {
    counted: async () => {
      done += 1
    },
  })
  // enough runs for Postgres to switch to a generic plan
  for (let number = 1; number <= 10; number += 1) {
    await add('counted')
    await until(() => done === number, 'the job has run')
  }
  await db.query(sql.unsafe`vacuum analyze graphile_worker._private_jobs`)
  const readBefore = await rowsRead(db)
  const jobs = 3_000
  await db.query(sql.unsafe`
    insert into graphile_worker._private_jobs (task_id, payload)
    select t.id, '{}' from graphile_worker._private_tasks t, generate_series(1, ${jobs}::int)
    where t.identifier = 'counted'
  `)
  await until(() => done === 10 + jobs, 'all jobs have run')
  await queue.stop()
  // a table scan per job would read half of the table each time: 4.5 million rows
  t.ok((await rowsRead(db)) - readBefore < 20 * jobs)
})

t.test('the worker counts the queue again after a bulk insert', async (t) => {
  const { db, queue } = await startTestQueue(t, { idle: async () => {} }, { stuckAfterMs: 1_200 })
  const Counted = Type.Object({ at: Type.Union([Type.Number(), Type.Null()]) })
  const lastCount = () =>
    db.oneFirst(sql.type(row(Counted))`
      -- Postgres may count first by itself
      select extract(epoch from greatest(last_analyze, last_autoanalyze))::float as at from pg_stat_user_tables
      where relid = 'graphile_worker._private_jobs'::regclass
    `)
  await until(
    () =>
      db.exists(sql.typeAlias('void')`select from graphile_worker._private_tasks where identifier = 'idle'`),
    'the worker has registered its task',
  )
  await db.query(sql.unsafe`analyze graphile_worker._private_jobs`)
  const before =
    (await until(async () => (await lastCount()) ?? undefined, 'the first count is reported')) ?? 0
  await db.query(sql.unsafe`
    insert into graphile_worker._private_jobs (task_id, payload, run_at)
    select t.id, '{}', now() + interval '1 day' from graphile_worker._private_tasks t, generate_series(1, 2000)
    where t.identifier = 'idle'
  `)
  await t.resolves(until(async () => ((await lastCount()) ?? 0) > before, 'the worker has counted again'))
  await queue.stop()
})

/** Rows of the queue's table read by sequential scans. Sessions report them within a second. */
async function rowsRead(db: Db): Promise<number> {
  await sleep(1_200)
  const scanned = await db.oneFirst(sql.type(row(Type.Object({ seqTupRead: Type.Integer() })))`
    select seq_tup_read from pg_stat_user_tables where relid = 'graphile_worker._private_jobs'::regclass
  `)
  return scanned
}
