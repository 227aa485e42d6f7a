import { Type } from '@sinclair/typebox'
import type { TaskList } from 'graphile-worker'
import type { Test } from 'tap'
import { databaseAddress } from '../../../shared/config.ts'
import { openDb, row, sql } from '../../../shared/db/db.ts'
import { createScrub } from '../../../shared/telemetry/scrub.ts'
import { createHeartbeat } from '../../../worker/queue/crashes/heartbeat.ts'
import { startQueue } from '../../../worker/queue/runtime.ts'
import { createDatabase, testConfig } from './database.ts'
import { recordedLog } from './outputs.ts'

const JobRow = Type.Object({ attempts: Type.Integer(), isLocked: Type.Boolean(), isLater: Type.Boolean() })

type Options = { stuckAfterMs?: number; concurrency?: number; url?: string }

/** A queue with the given tasks, on its own database. */
export async function startTestQueue(
  t: Test,
  tasks: TaskList,
  { concurrency = 4, url, ...options }: Options = {},
) {
  const config = testConfig(url ?? (await createDatabase()))
  const address = databaseAddress(config)
  const db = await openDb(config, 2)
  const failures: string[] = []
  const log = recordedLog(config, 'worker')
  const fail = (reason: unknown) => failures.push(String(reason)) as never
  const heartbeat = createHeartbeat(address, log, fail)
  const scrub = createScrub(config)
  const queue = await startQueue({
    address,
    maxConnections: 3,
    concurrency,
    tasks,
    heartbeat,
    log,
    scrub,
    fail,
    ...options,
  })
  t.teardown(async () => {
    await heartbeat.unregister()
    await db.end()
  })
  return {
    db,
    queue,
    failures,
    add: (name: string, { flags = [], priority = 0 }: { flags?: string[]; priority?: number } = {}) =>
      db.query(sql.typeAlias('void')`
        select from graphile_worker.add_job(
          ${name}, priority => ${priority}, flags => ${sql.array(flags, 'text')}
        )
      `),
    job: (name: string) =>
      db.maybeOne(sql.type(row(JobRow))`
        select attempts, locked_at is not null as is_locked, run_at > updated_at as is_later
        from graphile_worker.jobs where task_identifier = ${name}
      `),
  }
}
