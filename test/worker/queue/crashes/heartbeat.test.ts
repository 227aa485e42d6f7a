import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { withClient } from '../../../../dev/postgres/database.ts'
import { databaseAddress } from '../../../../shared/config.ts'
import { type DatabasePool, row, sql } from '../../../../shared/db/db.ts'
import { createHeartbeat } from '../../../../worker/queue/crashes/heartbeat.ts'
import { createDatabase, testConfig } from '../../../support/core/database.ts'
import { lockJob, startHeartbeat } from '../../../support/core/heartbeat.ts'
import { recordedLog } from '../../../support/core/outputs.ts'
import { startProxy } from '../../../support/core/postgres.ts'
import { until } from '../../../support/core/until.ts'

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
  // on a busy machine the heartbeat itself may be late
  t.strictSame(
    failures.filter((failure) => !failure.includes('No heartbeat for')),
    [],
  )
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
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await withClient(url.replace(/[^/]*$/, 'postgres'), async (client) => {
    await client.query(`alter database ${name} with allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  })
  await until(() => failures.length > 0, 'the worker ends itself')
  delay.disable()
  t.match(failures[0], 'No heartbeat for')
  const silentMs = Number(/for (\d+) ms/.exec(failures[0] ?? '')?.[1])
  t.ok(silentMs > 6_000, 'a short outage does not end the worker')
  const lateMs = delay.max / 1e6
  t.ok(silentMs < 8_000 + lateMs, `before other workers count it as dead: ${silentMs}, ${lateMs} ms`)
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

t.test(
  'a worker that is stopped while Postgres does not accept connections ends its registration',
  async (t) => {
    const proxy = await startProxy(t, await createDatabase())
    proxy.refuse()
    const config = testConfig(proxy.url)
    const stopping = new AbortController()
    const fail = (reason: unknown) => t.fail(String(reason)) as never
    const log = recordedLog(config, 'worker')
    const heartbeat = createHeartbeat(databaseAddress(config), log, fail, stopping.signal)
    const registering = heartbeat.register('pool-own')
    await until(() => proxy.accepted() > 0, 'the heartbeat tries to connect')
    stopping.abort(new Error('stopped'))
    await t.rejects(registering, { message: 'stopped' })
    await t.resolves(heartbeat.unregister(), 'nothing is to be removed')
  },
)

t.test('unregister removes the worker from the list', async (t) => {
  const { db, unregister } = await startHeartbeat(t)
  const count = () => db.oneFirst(sql.typeAlias('id')`select count(*) + 1 as id from worker_instance`)
  t.equal(await count(), 2)
  await unregister()
  t.equal(await count(), 1)
})
