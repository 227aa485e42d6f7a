import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { databaseAddress } from '../../../shared/config.ts'
import { type DatabasePool, openDb, sql } from '../../../shared/db/db.ts'
import { createHeartbeat } from '../../../worker/queue/crashes/heartbeat.ts'
import { createDatabase, testConfig } from './database.ts'
import { recordedLog } from './outputs.ts'

/** A worker's heartbeat on its own database, and the reasons for which it would have ended the process. */
export async function startHeartbeat(t: Test, poolId = `pool-${randomUUID()}`, ownUrl?: string) {
  const url = ownUrl ?? (await createDatabase())
  const config = testConfig(url)
  const db = await openDb(config, 2)
  t.teardown(() => db.end())
  const failures: string[] = []
  const fail = (reason: unknown) => failures.push(String(reason)) as never
  const heartbeat = createHeartbeat(databaseAddress(config), recordedLog(config, 'worker'), fail)
  await heartbeat.register(poolId)
  let isRegistered = true
  const unregister = async () => {
    if (isRegistered) await heartbeat.unregister().catch(() => {})
    isRegistered = false
  }
  t.teardown(unregister)
  return { db, url, failures, unregister }
}

/** Adds a job that the pool locked `secondsAgo` seconds ago. */
export async function lockJob(db: DatabasePool, poolId: string, secondsAgo: number): Promise<void> {
  const { id } = await db.one(sql.typeAlias('id')`select id from graphile_worker.add_job('unknown-task')`)
  await db.query(sql.typeAlias('void')`
    update graphile_worker._private_jobs
    set locked_by = ${poolId}, locked_at = now() - make_interval(secs => ${secondsAgo})
    where id = ${id}
  `)
}
