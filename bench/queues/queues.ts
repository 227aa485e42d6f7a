import { makeWorkerUtils } from 'graphile-worker'
import { PgBoss } from 'pg-boss'
import { withClient } from '../../dev/postgres/database.ts'
import { loadConfig } from '../../shared/config.ts'
import { openDb } from '../../shared/db/db.ts'
import { enqueue, enqueueAll } from '../../shared/queue/enqueue.ts'
import { beginRequest } from '../../shared/telemetry/request-context.ts'
import { type BenchSystem, environment } from '../support/system.ts'
import { type CountedJob, countedJob } from './counted-job.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

/** A queue with its own database. */
export type BenchQueue = {
  add: (job: CountedJob) => Promise<unknown>
  /** Adds all in one statement: a worker sees all of them at the same time. */
  addAll: (jobs: CountedJob[]) => Promise<unknown>
  startWorker: () => WorkerProcess
  /** True while a job is not recorded as done. */
  hasLeft: () => Promise<boolean>
  /** Empties and vacuums the table, so that dead rows do not slow down a later measurement. */
  clear: () => Promise<unknown>
  close: () => Promise<void>
}

type Sizes = { concurrency: number; workerPool: number; webPool: number }

/** The default sizes of our configuration. */
export function defaultSizes(databaseUrl: string): Sizes {
  const config = loadConfig(environment(databaseUrl))
  return {
    concurrency: config.WORKER_CONCURRENCY,
    workerPool: config.WORKER_POOL_SIZE,
    webPool: config.WEB_POOL_SIZE,
  }
}

export async function openOurs({ databaseUrl }: BenchSystem): Promise<BenchQueue> {
  const env = environment(databaseUrl)
  const config = loadConfig(env)
  const db = await openDb(config, config.WEB_POOL_SIZE)
  // jobs carry a request context, as in production
  const { enter } = beginRequest('bench')
  return {
    add: (job) => enter(() => enqueue(db, countedJob, job)),
    addAll: (jobs) => enter(() => enqueueAll(db, countedJob, jobs)),
    startWorker: () => startWorkerProcess('./quartermaster.ts', env),
    ...graphileTable(databaseUrl),
    close: () => db.end(),
  }
}

export async function openBare(system: BenchSystem): Promise<BenchQueue> {
  const { databaseUrl, concurrency, workerPool, webPool } = await makeDatabase(system, 'bare')
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, maxPoolSize: webPool })
  await utils.migrate()
  const { name: identifier, maxAttempts } = countedJob
  return {
    add: (job) => utils.addJob(identifier, job, { maxAttempts }),
    addAll: (jobs) => utils.addJobs(jobs.map((payload) => ({ identifier, payload, maxAttempts }))),
    startWorker: () =>
      startWorkerProcess('../baselines/graphile-worker.ts', {
        DATABASE_URL: databaseUrl,
        CONCURRENCY: String(concurrency),
        POOL_SIZE: String(workerPool),
      }),
    ...graphileTable(databaseUrl),
    close: async () => utils.release(),
  }
}

/** `usesListen`: with LISTEN in addition to polling. */
export async function openBoss(
  system: BenchSystem,
  { usesListen }: { usesListen: boolean },
): Promise<BenchQueue> {
  const { databaseUrl, workerPool, webPool } = await makeDatabase(
    system,
    usesListen ? 'listening' : 'polling',
  )
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: webPool,
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  const queue = countedJob.name
  await boss.createQueue(queue, { notify: usesListen })
  return {
    add: (job) => boss.send(queue, job),
    addAll: (jobs) =>
      boss.insert(
        queue,
        jobs.map((data) => ({ data })),
      ),
    startWorker: () =>
      startWorkerProcess('../baselines/pg-boss.ts', {
        DATABASE_URL: databaseUrl,
        POOL_SIZE: String(workerPool),
        QUEUE: queue,
        USES_LISTEN: usesListen ? 'yes' : 'no',
      }),
    ...table(databaseUrl, 'pgboss.job', `name = '${queue}' and state < 'completed'`),
    close: () => boss.stop({ graceful: false }),
  }
}

async function makeDatabase({ postgres }: BenchSystem, name: string) {
  await withClient(postgres.url('postgres'), (client) => client.query(`create database ${name}`))
  const databaseUrl = postgres.url(name)
  return { databaseUrl, ...defaultSizes(databaseUrl) }
}

/** The filter skips other jobs: our worker also adds its daily ones. */
const graphileTable = (databaseUrl: string) =>
  table(
    databaseUrl,
    'graphile_worker._private_jobs',
    `task_id = (select id from graphile_worker._private_tasks where identifier = '${countedJob.name}')`,
  )

function table(databaseUrl: string, name: string, isLeft: string) {
  return {
    hasLeft: () =>
      withClient(databaseUrl, async (client) => {
        const { rowCount } = await client.query(`select from ${name} where ${isLeft} limit 1`)
        return rowCount !== 0
      }),
    clear: () =>
      withClient(databaseUrl, async (client) => {
        await client.query(`delete from ${name}`)
        await client.query(`vacuum ${name}`)
      }),
  }
}
