import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { withClient } from '../../../dev/postgres/database.ts'
import { databaseAddress } from '../../../shared/config.ts'
import { type DatabasePool, openDb, row, sql } from '../../../shared/db/db.ts'
import { createHeartbeat } from '../../../worker/queue/heartbeat.ts'
import { createDatabase, testConfig } from '../../support/core/database.ts'
import { keptLog } from '../../support/core/outputs.ts'
import { startOwnPostgres } from '../../support/core/own-postgres.ts'
import { until } from '../../support/core/processes.ts'

/** A worker's heartbeat on a database of its own, and the reasons for which it would have ended the process. */
async function startHeartbeat(t: Test, poolId = `pool-${randomUUID()}`, ownUrl?: string) {
  const url = ownUrl ?? (await createDatabase())
  const config = testConfig(url)
  const db = await openDb(config, 2)
  t.teardown(() => db.end())
  const failures: string[] = []
  const fail = (reason: unknown) => failures.push(String(reason)) as never
  const heartbeat = createHeartbeat(databaseAddress(config), keptLog(config, 'worker'), fail)
  await heartbeat.register(poolId)
  let isRegistered = true
  const unregister = async () => {
    if (isRegistered) await heartbeat.unregister().catch(() => {})
    isRegistered = false
  }
  t.teardown(unregister)
  return { db, url, failures, unregister }
}

/** A job that the pool has taken so many seconds ago. */
async function lockJob(db: DatabasePool, poolId: string, secondsAgo: number): Promise<void> {
  await db.query(sql.typeAlias('void')`select from graphile_worker.add_job('task-of-nobody')`)
  await db.query(sql.typeAlias('void')`
    update graphile_worker._private_jobs
    set locked_by = ${poolId}, locked_at = now() - make_interval(secs => ${secondsAgo})
    where locked_by is null
  `)
}

const lockedBy = (db: DatabasePool) =>
  db.anyFirst(sql.type(row(Type.Object({ lockedBy: Type.String() })))`
    select locked_by from graphile_worker.jobs where locked_by is not null order by locked_by
  `)

const addWorker = (db: DatabasePool, poolId: string, silentSeconds: number) =>
  db.query(sql.typeAlias('void')`
    insert into worker_instance (id, pool_ids, last_seen_at)
    values (${randomUUID()}, array[${poolId}], now() - make_interval(secs => ${silentSeconds}))
  `)

t.test('it frees the jobs of a worker that is silent for 8 seconds, and of no other', async (t) => {
  const { db, failures } = await startHeartbeat(t, 'pool-own')
  await addWorker(db, 'pool-dead', 9)
  await addWorker(db, 'pool-alive', 0)
  await lockJob(db, 'pool-dead', 20)
  await lockJob(db, 'pool-alive', 20)
  await lockJob(db, 'pool-own', 20)
  await until(async () => !(await lockedBy(db)).includes('pool-dead'), 'the dead give up their jobs', 6_000)
  t.strictSame(await lockedBy(db), ['pool-alive', 'pool-own'])
  t.strictSame(failures, [])
})

t.test('it frees jobs of a worker that is on no list, unless they were only just taken', async (t) => {
  const { db } = await startHeartbeat(t)
  await lockJob(db, 'pool-gone', 20)
  await lockJob(db, 'pool-starting', 0)
  await until(async () => !(await lockedBy(db)).includes('pool-gone'), 'orphans are freed', 8_000)
  t.strictSame(await lockedBy(db), ['pool-starting'])
})

t.test('a worker that the others have given up ends itself', async (t) => {
  const { db, failures } = await startHeartbeat(t)
  await db.query(sql.typeAlias('void')`delete from worker_instance`)
  await until(() => failures.length > 0, 'it ends', 6_000)
  t.match(failures[0], 'others have taken its jobs')
})

t.test('a worker that cannot write its beat for 6 seconds ends itself, and not before', async (t) => {
  const { url, failures } = await startHeartbeat(t)
  const name = new URL(url).pathname.slice(1)
  const startedAt = Date.now()
  await withClient(url.replace(/[^/]*$/, 'postgres'), async (client) => {
    await client.query(`alter database ${name} with allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  })
  await until(() => failures.length > 0, 'it ends', 12_000)
  t.match(failures[0], 'No heartbeat for')
  t.ok(Date.now() - startedAt > 3_500, 'a short loss is no reason')
  t.ok(Date.now() - startedAt < 8_000, 'before the others take it for dead')
})

t.test('a worker under which Postgres was restarted frees its jobs at once and ends itself', async (t) => {
  const postgres = await startOwnPostgres(t)
  const { db, failures } = await startHeartbeat(t, 'pool-own', postgres.database)
  await lockJob(db, 'pool-own', 20)
  await postgres.stop('immediate')
  await postgres.startAgain()
  await until(() => failures.length > 0, 'it ends', 6_000)
  t.match(failures[0], 'Postgres was restarted')
  const freed = await db.anyFirst(
    sql.typeAlias('id')`select id from free_jobs_of_the_dead('8 seconds', null)`,
  )
  t.equal(freed.length, 1)
})

t.test('a worker that says goodbye is off the list', async (t) => {
  const { db, unregister } = await startHeartbeat(t)
  const count = () => db.oneFirst(sql.typeAlias('id')`select count(*) + 1 as id from worker_instance`)
  t.equal(await count(), 2)
  await unregister()
  t.equal(await count(), 1)
})
