import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { databaseAddress } from '../../../shared/config.ts'
import { openDb, row, sql } from '../../../shared/db/db.ts'
import { listJobRuns } from '../../../shared/domain/kit/operations/job-runs.ts'
import { listQueueJobs } from '../../../shared/domain/kit/operations/jobs.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { type Delivery, jobs } from '../../../shared/queue/jobs.ts'
import { createScrub } from '../../../shared/telemetry/scrub.ts'
import { createHeartbeat } from '../../../worker/queue/crashes/heartbeat.ts'
import { createJobRuns } from '../../../worker/queue/job-runs.ts'
import { startQueue } from '../../../worker/queue/runtime.ts'
import { defineTask, type Services } from '../../../worker/queue/task.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../../support/core/database.ts'
import { recordedLog } from '../../support/core/outputs.ts'
import { makeShop } from '../../support/core/people.ts'
import { startProcess } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { makeDelivery } from '../../support/platform/webhooks.ts'

async function start(t: Test) {
  const url = await createDatabase()
  const config = testConfig(url)
  const db = await openDb(config, 4)
  t.teardown(() => db.end())
  return {
    url,
    config,
    db,
    runs: (filter = {}) => listJobRuns(db, filter, 10_000),
    log: recordedLog(config, 'worker'),
  }
}

/** A platform that never responds to requests of alice's shop, and refuses the token of mallory's. */
async function startPlatform(t: Test): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/mallory')) response.writeHead(401).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/{shop_domain}`
}

t.test(
  'a worker stores a row for every attempt: done, failed, dropped, and handed back at a stop',
  async (t) => {
    const { url, db, runs } = await start(t)
    const [alice, mallory, eve] = [
      await makeShop(db, 'alice'),
      await makeShop(db, 'mallory'),
      await makeShop(db, 'eve'),
    ]
    const deliveries: Delivery[] = []
    for (const [{ shopId }, quantity] of [
      [alice, 1],
      [alice, 13],
      [alice, 2],
      [eve, 1],
    ] as const)
      deliveries.push({ shopId, deliveryId: await makeDelivery(db, shopId, { quantity }) })
    await db.query(sql.typeAlias('void')`alter table sale add constraint unlucky check (quantity <> 13)`)
    const env = testEnvironment(url, { PLATFORM_GRAPHQL_URL: await startPlatform(t) })
    const worker = startProcess(t, 'worker/main.ts', env)

    const productGid = 'gid://platform/Product/7'
    const list = await enqueue(db, jobs.applyOrders, deliveries)
    const pruned = await enqueue(db, jobs.prune, {})
    const dropped = await enqueue(db, jobs.syncProduct, { shopId: mallory.shopId, productGid })
    const invalid = await db.oneFirst(sql.typeAlias('maybeId')`
    select id from graphile_worker.add_job(
      'verify-stock', json_build_object('shopId', ${testKeys.POSTMARK_SERVER_TOKEN}::text)
    )
  `)
    const hanging = await enqueue(db, jobs.syncProduct, { shopId: alice.shopId, productGid })
    // the schedule of the worker enqueues jobs, too
    const countRuns = async (jobId: number | null) => (await runs({ jobId: jobId ?? 0 })).length
    await until(async () => {
      if ((await countRuns(list)) < 3) return false
      const counts = await Promise.all([pruned, dropped, invalid].map(countRuns))
      return counts.every((count) => count > 0)
    }, 'all jobs but the hanging one have ended')
    const isRunning = async () =>
      (await listQueueJobs(db, { ids: [hanging], state: 'running' }, 1)).length > 0
    await until(isRunning, 'the hanging job runs')

    const parts = await runs({ jobId: list })
    t.match(
      parts.toSorted((a, b) => a.id - b.id),
      [
        {
          shop: alice.shopDomain,
          state: 'done',
          ids: { deliveryId: [deliveries[0]?.deliveryId, deliveries[2]?.deliveryId] },
          error: '',
        },
        {
          shop: alice.shopDomain,
          state: 'failed',
          ids: { deliveryId: [deliveries[1]?.deliveryId] },
          error: /integrity constraint/,
        },
        { shop: eve.shopDomain, state: 'done', ids: { deliveryId: [deliveries[3]?.deliveryId] } },
      ],
      'each shop and each outcome has a row',
    )
    t.match(await runs({ jobId: pruned }), [
      { task: 'prune', shop: null, state: 'done', ids: {}, attempt: 1, maxAttempts: 12, error: '' },
    ])
    t.match(await runs({ jobId: dropped }), [
      { shop: mallory.shopDomain, state: 'dropped', ids: { productGid }, error: '' },
    ])
    t.match(await runs({ jobId: invalid ?? 0 }), [
      { state: 'failed', shop: null, ids: {}, error: /Invalid payload for verify-stock/ },
    ])
    const workerIds = await db.anyFirst(sql.type(row(Type.Object({ id: Type.String() })))`
    select id from worker_instance
  `)
    t.strictSame([...new Set((await runs()).map(({ workerId }) => workerId))], [...workerIds])
    t.ok(
      (await runs()).every(
        ({ startedAt, endedAt, ms }) => Date.parse(endedAt) - Date.parse(startedAt) === ms,
      ),
    )

    worker.kill('SIGTERM')
    t.equal(await worker.ended, 0)
    t.match(await runs({ jobId: hanging }), [
      { shop: alice.shopDomain, state: 'handed_back', ids: { productGid }, attempt: 1 },
    ])
    t.equal((await runs({ shopIds: [eve.shopId] })).length, 1, 'the runs of a shop exclude those of others')
  },
)

/** An attempt as the queue describes it. */
const attempt = (jobId: number) => ({
  jobId: String(jobId),
  task: 'nothing',
  attempt: 1,
  maxAttempts: 3,
  entries: {},
  requestIds: [],
})

t.test(
  'runs are stored while the worker works, and those running at a stop are stored as handed back',
  async (t) => {
    const { db, log, runs } = await start(t)
    const recorder = createJobRuns({ db, log, workerId: crypto.randomUUID() })
    recorder.begin(attempt(1))({ state: 'done', error: '' })
    await until(async () => (await runs()).length === 1, 'the run is stored')

    const end = recorder.begin(attempt(2))
    await recorder.stop()
    end({ state: 'done', error: '' })
    t.match(await runs({ jobId: 2 }), [{ state: 'handed_back' }])
  },
)

t.test('runs wait during a database outage, and a refused run does not block the others', async (t) => {
  const { db, log, runs } = await start(t)
  let isAway = true
  const unreliable = {
    query: (...args: Parameters<typeof db.query>) =>
      isAway ? Promise.reject(Object.assign(new Error('away'), { code: '57P01' })) : db.query(...args),
  } as typeof db
  const recorder = createJobRuns({ db: unreliable, log, workerId: crypto.randomUUID() })
  recorder.begin(attempt(1))({ state: 'failed', error: 'no \0 luck' })
  await new Promise((later) => setTimeout(later, 700))
  t.strictSame(await runs(), [])
  isAway = false
  await until(async () => (await runs()).length === 1, 'the run is stored after the outage')

  recorder.begin({ ...attempt(2), maxAttempts: 2 ** 40 })({ state: 'done', error: '' })
  await until(async () => {
    recorder.begin(attempt(3))({ state: 'done', error: '' })
    return (await runs({ jobId: 3 })).length > 0
  }, 'the next run is stored')
  t.strictSame(await runs({ jobId: 2 }), [])
  await recorder.stop()
})

t.test('the runs of 2,000 jobs are stored in few statements', async (t) => {
  const { db, config, log, runs } = await start(t)
  const address = databaseAddress(config)
  const failures: string[] = []
  const fail = (reason: unknown) => failures.push(String(reason)) as never
  let statements = 0
  const counting = {
    query: (...args: Parameters<typeof db.query>) => {
      statements += 1
      return db.query(...args)
    },
  } as typeof db
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.add_jobs(array(
      select row('prune', '{}', null, now(), 12, null, null, null)::graphile_worker.job_spec
      from generate_series(1, 2000)
    ))
  `)
  const heartbeat = createHeartbeat(address, log, fail)
  t.teardown(() => heartbeat.unregister())
  const recorder = createJobRuns({ db: counting, log, workerId: crypto.randomUUID() })
  const scrub = createScrub(config)
  let done = 0
  const trivial = defineTask(jobs.prune, async () => {
    done += 1
  })
  const queue = await startQueue({
    address,
    maxConnections: 3,
    concurrency: 10,
    tasks: { prune: trivial.bind({} as Services, log, scrub, recorder) },
    heartbeat,
    log,
    scrub,
    fail,
  })
  await until(() => done === 2_000, 'all jobs are done')
  await queue.stop()
  await recorder.stop()
  t.strictSame(failures, [])
  t.equal((await runs()).length, 2_000)
  t.ok(statements < 100, 'far fewer statements than jobs')
})
