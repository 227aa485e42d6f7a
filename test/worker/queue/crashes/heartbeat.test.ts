import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { withClient } from '../../../../dev/postgres/database.ts'
import { databaseAddress } from '../../../../shared/config.ts'
import { type DatabasePool, openDb, row, sql } from '../../../../shared/db/db.ts'
import { createHeartbeat } from '../../../../worker/queue/crashes/heartbeat.ts'
import { createDatabase, testConfig } from '../../../support/core/database.ts'
import { recordedLog } from '../../../support/core/outputs.ts'
import { startOwnPostgres, startProxy } from '../../../support/core/postgres.ts'
import { until } from '../../../support/core/until.ts'

/** A worker's heartbeat on its own database, and the reasons for which it would have ended the process. */
async function startHeartbeat(t: Test, poolId = `pool-${randomUUID()}`, ownUrl?: string) {
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
async function lockJob(db: DatabasePool, poolId: string, secondsAgo: number): Promise<void> {
  const { id } = await db.one(sql.typeAlias('id')`select id from graphile_worker.add_job('unknown-task')`)
  await db.query(sql.typeAlias('void')`
    update graphile_worker._private_jobs
    set locked_by = ${poolId}, locked_at = now() - make_interval(secs => ${secondsAgo})
    where id = ${id}
  `)
}

/** A time that stays recent however long a busy machine needs. */
const recently = -600

const lockedBy = (db: DatabasePool) =>
  db.anyFirst(sql.type(row(Type.Object({ lockedBy: Type.String() })))`
    select locked_by from graphile_worker.jobs where locked_by is not null order by locked_by
  `)

const addWorker = (db: DatabasePool, poolId: string, silentSeconds: number) =>
  db.query(sql.typeAlias('void')`
    insert into worker_instance (id, pool_ids, last_seen_at)
    values (${randomUUID()}, array[${poolId}], now() - make_interval(secs => ${silentSeconds}))
  `)

t.test('the heartbeat frees only the jobs of workers silent for 8 seconds', async (t) => {
  const { db, failures } = await startHeartbeat(t, 'pool-own')
  await addWorker(db, 'pool-dead', 9)
  await addWorker(db, 'pool-alive', recently)
  await lockJob(db, 'pool-dead', 20)
  await lockJob(db, 'pool-alive', 20)
  await lockJob(db, 'pool-own', 20)
  await until(
    async () => !(await lockedBy(db)).includes('pool-dead'),
    'the jobs of the dead worker are freed',
  )
  t.strictSame(await lockedBy(db), ['pool-alive', 'pool-own'])
  t.strictSame(failures, [])
})

t.test('the heartbeat frees jobs of unregistered workers, except recently locked ones', async (t) => {
  const { db } = await startHeartbeat(t)
  await lockJob(db, 'pool-gone', 20)
  await lockJob(db, 'pool-starting', recently)
  await until(async () => !(await lockedBy(db)).includes('pool-gone'), 'orphans are freed')
  t.strictSame(await lockedBy(db), ['pool-starting'])
})

t.test('a worker that others have removed ends itself', async (t) => {
  const { db, failures } = await startHeartbeat(t)
  await db.query(sql.typeAlias('void')`delete from worker_instance`)
  await until(() => failures.length > 0, 'the worker ends itself')
  t.match(failures[0], 'other workers have freed its jobs')
})

t.test('a worker ends itself after 6 seconds without a heartbeat, not before', async (t) => {
  const { url, failures } = await startHeartbeat(t)
  const name = new URL(url).pathname.slice(1)
  const startedAt = Date.now()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await withClient(url.replace(/[^/]*$/, 'postgres'), async (client) => {
    await client.query(`alter database ${name} with allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  })
  await until(() => failures.length > 0, 'the worker ends itself')
  delay.disable()
  t.match(failures[0], 'No heartbeat for')
  t.ok(Date.now() - startedAt > 3_500, 'a short outage does not end the worker')
  const silentMs = Number(/for (\d+) ms/.exec(failures[0] ?? '')?.[1])
  const lateMs = delay.max / 1e6
  t.ok(silentMs < 8_000 + lateMs, `before other workers count it as dead: ${silentMs}, ${lateMs} ms`)
})

t.test('after a restart of Postgres a worker frees its jobs immediately and ends itself', async (t) => {
  const postgres = await startOwnPostgres(t)
  const { db, failures } = await startHeartbeat(t, 'pool-own', postgres.database)
  await lockJob(db, 'pool-own', 20)
  await postgres.stop('immediate')
  await postgres.restart()
  // on a slow machine the restart takes so long that the heartbeat is missed, too
  await until(
    () => failures.some((failure) => failure.includes('Postgres was restarted')),
    'the worker ends itself',
  )
  const freed = await db.anyFirst(
    sql.typeAlias('id')`select id from free_jobs_of_the_dead('8 seconds', null)`,
  )
  t.equal(freed.length, 1)
})

t.test('a worker registers although Postgres does not accept its first connection', async (t) => {
  const url = await createDatabase()
  const proxy = await startProxy(t, url)
  proxy.refuse()
  const config = testConfig(proxy.url)
  const fail = (reason: unknown) => t.fail(String(reason)) as never
  const heartbeat = createHeartbeat(databaseAddress(config), recordedLog(config, 'worker'), fail)
  t.teardown(() => heartbeat.unregister())
  const registering = heartbeat.register('pool-own')
  await until(() => proxy.accepted() > 0, 'the heartbeat tries to connect')
  // the attempt of which the worker got no answer has stored the row
  await withClient(url, (client) =>
    client.query(`insert into worker_instance (id, pool_ids) values ($1, '{pool-own}')`, [heartbeat.id]),
  )
  proxy.pass()
  await registering
  const { rows } = await withClient(url, (client) => client.query('select id from worker_instance'))
  t.strictSame(rows, [{ id: heartbeat.id }])
})

t.test('unregister removes the worker from the list', async (t) => {
  const { db, unregister } = await startHeartbeat(t)
  const count = () => db.oneFirst(sql.typeAlias('id')`select count(*) + 1 as id from worker_instance`)
  t.equal(await count(), 2)
  await unregister()
  t.equal(await count(), 1)
})
