import { Type } from '@sinclair/typebox'
import t from 'tap'
import { openDb, row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { runJobs } from '../../worker/cli/jobs.ts'
import { createDatabase, testConfig, testEnvironment } from '../support/core/database.ts'
import { startProcess, until } from '../support/core/processes.ts'
import { isFull, report } from '../support/faults/faults.ts'

t.setTimeout(600_000)

const shares = isFull ? 1 : 0.1
const waiting = 100_000 * shares
const dead = 200_000 * shares
const unknown = 100_000 * shares
const Empty = Type.Object({})

t.test(
  'a queue full of what waits or is dead is as fast as an empty one, and says what slows it',
  { timeout: 600_000 },
  async (t) => {
    const url = await createDatabase()
    const config = testConfig(url)
    const db = await openDb(config, 2)
    t.teardown(() => db.end())
    const worker = startProcess(t, 'worker/main.ts', testEnvironment(url, { LOG_LEVEL: 'info' }))
    const addMany = async (task: string, count: number, fields: { attempts: number; runIn: string }) => {
      await db.query(sql.typeAlias('void')`
        insert into graphile_worker._private_tasks (identifier) values (${task}) on conflict do nothing
      `)
      // the pool gives a statement 8 s
      for (let added = 0; added < count; added += 20_000) {
        await db.query(sql.typeAlias('void')`
          insert into graphile_worker._private_jobs (task_id, payload, max_attempts, attempts, run_at)
          select t.id, '{}', 12, ${fields.attempts}::int, now() + ${fields.runIn}::interval
          from graphile_worker._private_tasks t, generate_series(1, ${Math.min(20_000, count - added)}::int)
          where t.identifier = ${task}
        `)
      }
    }
    /** From the enqueue to the end of one job after the other, and the enqueue alone. */
    async function measure(what: string) {
      const [whole, added]: number[][] = [[], []]
      for (let number = 0; number < 40; number += 1) {
        const startedAt = performance.now()
        const id = await enqueue(db, jobs.prune, {})
        added?.push(Math.round(performance.now() - startedAt))
        await until(
          async () =>
            !(await db.exists(
              sql.type(row(Empty))`select from graphile_worker._private_jobs where id = ${id}`,
            )),
          'it is done',
        )
        whole?.push(Math.round(performance.now() - startedAt))
      }
      report(t, `${what}, enqueue`, added ?? [])
      return report(t, `${what}, until done`, whole ?? [])
    }

    await enqueue(db, jobs.prune, {})
    await until(() => worker.output().includes('job done'), 'it works')
    const empty = await measure('an empty queue')
    await addMany(jobs.prune.name, waiting, { attempts: 0, runIn: '1 day' })
    await addMany(jobs.prune.name, dead, { attempts: 12, runIn: '-1 day' })
    await db.query(sql.typeAlias('void')`analyze graphile_worker._private_jobs`)
    const full = await measure(`${waiting} waiting, ${dead} dead`)
    t.ok(full.p50 <= Math.max(2 * empty.p50, 150), 'it stays flat')
    // the queue looks at all that is due before it, whoever may do it: that is slower, and not hidden
    await addMany('task-of-a-newer-release', unknown, { attempts: 0, runIn: '-1 day' })
    await db.query(sql.typeAlias('void')`analyze graphile_worker._private_jobs`)
    const foreign = await measure(`and ${unknown} due of an unknown task`)
    t.ok(foreign.p50 <= 1_000, 'it goes on')
    const lines: string[] = []
    const output = { say: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
    await runJobs(['stats'], testEnvironment(url), output)
    t.match(
      lines.join('\n'),
      new RegExp(`task-of-a-newer-release +${unknown} +${unknown}`),
      'statistics say why',
    )
    t.notMatch(worker.output(), 'heartbeat failed', 'and the dead are found in time')
    worker.kill('SIGTERM')
    t.equal(await worker.ended, 0)
  },
)
