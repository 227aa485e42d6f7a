import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { openDb, row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { runJobs } from '../../worker/cli/jobs.ts'
import { createDatabase, testConfig, testEnvironment } from '../support/core/database.ts'
import { startProcess, type TestProcess } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { isFull, report, rounds, startClock } from '../support/faults/faults.ts'

const shares = isFull ? 1 : 0.1
const waiting = 100_000 * shares
const dead = 200_000 * shares
const unknown = 100_000 * shares
const Empty = Type.Object({})

/** Milliseconds of a job, from the enqueue to the end, and of the enqueue alone. */
type Times = { total: number; added: number }

/** A worker with an empty queue of its own, which works. */
async function startQueue(t: Test) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const worker = startProcess(t, 'worker/main.ts', testEnvironment(url, { LOG_LEVEL: 'info' }))
  const run = async (): Promise<Times> => {
    const sinceStart = startClock()
    const id = await enqueue(db, jobs.prune, {})
    const added = sinceStart()
    const isDone = async () =>
      !(await db.exists(sql.type(row(Empty))`select from graphile_worker._private_jobs where id = ${id}`))
    await until(isDone, 'the job is done')
    return { added, total: sinceStart() }
  }
  await run()
  return { url, db, worker, run }
}

t.test(
  'a queue full of waiting and dead jobs works like an empty one, and its statistics show what slows it down',
  async (t) => {
    const { url, db, worker, run } = await startQueue(t)
    const other = await startQueue(t)
    const addMany = async (task: string, count: number, fields: { attempts: number; runIn: string }) => {
      await db.query(sql.typeAlias('void')`
        insert into graphile_worker._private_tasks (identifier) values (${task}) on conflict do nothing
      `)
      // the pool limits statements to 8 s, so connect directly
      for (let added = 0; added < count; added += 20_000) {
        await db.query(sql.typeAlias('void')`
          insert into graphile_worker._private_jobs (task_id, payload, max_attempts, attempts, run_at)
          select t.id, '{}', 12, ${fields.attempts}::int, now() + ${fields.runIn}::interval
          from graphile_worker._private_tasks t, generate_series(1, ${Math.min(20_000, count - added)}::int)
          where t.identifier = ${task}
        `)
      }
    }
    /** Times of single jobs, beside the same jobs in an empty queue: other tests slow down both. */
    async function measure(what: string) {
      const [empty, full]: [Times[], Times[]] = [[], []]
      for (let number = 0; number < rounds(40, 2); number += 1) {
        empty.push(await other.run())
        full.push(await run())
      }
      const reportAll = (queue: string, times: readonly Times[]) => {
        report(
          t,
          `${queue}, enqueue`,
          times.map(({ added }) => added),
        )
        return report(
          t,
          `${queue}, until done`,
          times.map(({ total }) => total),
        )
      }
      return { empty: reportAll('an empty queue', empty), full: reportAll(what, full) }
    }

    await addMany(jobs.prune.name, waiting, { attempts: 0, runIn: '1 day' })
    await addMany(jobs.prune.name, dead, { attempts: 12, runIn: '-1 day' })
    await db.query(sql.typeAlias('void')`analyze graphile_worker._private_jobs`)
    const { empty, full } = await measure(`${waiting} waiting, ${dead} dead`)
    // without the long form, `jobs are taken by index` of test/worker/queue/runtime.test.ts counts the rows instead
    if (isFull) t.ok(full.p50 <= Math.max(2 * empty.p50, 150), 'the time stays flat')
    // the queue scans all due jobs before its own, known task or not: that is slower, and statistics must show it
    await addMany('task-of-a-newer-release', unknown, { attempts: 0, runIn: '-1 day' })
    await db.query(sql.typeAlias('void')`analyze graphile_worker._private_jobs`)
    const foreign = await measure(`and ${unknown} due of an unknown task`)
    if (isFull) t.ok(foreign.full.p50 <= Math.max(10 * foreign.empty.p50, 1_000), 'the queue still works')
    const lines: string[] = []
    const output = {
      print: (line: string) => lines.push(line),
      printError: (line: string) => lines.push(line),
    }
    await runJobs(['stats'], testEnvironment(url), output)
    t.match(
      lines.join('\n'),
      new RegExp(`task-of-a-newer-release +${unknown} +${unknown}`),
      'the statistics show the cause',
    )
    // heartbeats that fail beside an empty queue, too, fail because of the machine
    const failed = ({ output }: TestProcess) => output().split('heartbeat failed').length - 1
    if (isFull) t.ok(failed(worker) <= failed(other.worker), 'dead workers are detected in time')
    worker.kill('SIGTERM')
    t.equal(await worker.ended, 0)
  },
)
