import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Runner, run, type Task, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { type DatabaseAddress, withSessionSettings } from '../../shared/config.ts'
import { untilConnected } from '../../shared/db/first-connection.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import type { Scrub } from '../../shared/telemetry/scrub.ts'
import type { Heartbeat } from './crashes/heartbeat.ts'
import { createFairSlots } from './fair-slots.ts'

export type QueueOptions = {
  address: DatabaseAddress
  maxConnections: number
  concurrency: number
  tasks: TaskList
  heartbeat: Heartbeat
  log: Log
  scrub: Scrub
  fail: (reason: unknown) => never
  stopping?: AbortSignal | undefined
  /** A worker that takes no job for this long, although jobs are due, is stuck. */
  stuckAfterMs?: number
}

export type Queue = {
  /** Stops taking jobs and hands back those that do not finish; resolves within about 20 s. */
  stop: () => Promise<void>
}

const finishMs = 15_000
const abortMs = 3_000

/**
 * Runs the tasks with graphile-worker. Its states:
 *   starting  the heartbeat registers the pool before graphile-worker takes a job
 *   running   it takes jobs, and checks every `stuckAfterMs` / 6 whether it is stuck
 *   stopping  it takes no jobs; running ones get 15 s, are aborted, get 3 s more, and are handed back uncounted
 *   failed    it ended or is stuck: the heartbeat records that no job is to blame; within 1 s `fail` ends the process
 */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const {
    address,
    maxConnections,
    concurrency,
    heartbeat,
    log,
    fail,
    stopping,
    stuckAfterMs = 30_000,
  } = options
  const { url, ssl } = withSessionSettings(address, queueSettings)
  const pool = new pg.Pool({
    connectionString: url,
    ssl,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    application_name: 'quartermaster-queue',
    query_timeout: 9_000,
    // below the client's timeout: a statement that takes a job must not succeed after the client has given up
    statement_timeout: 8_000,
  })
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  await untilConnected(() => pool.query('select'), log, { stopping }).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const running = new Map<string, number>()
  const interrupted = new Map<string, number>()
  let poolId = ''
  let lastTakenAt = performance.now()
  let isStopping = false
  let hasFailed = false

  function failProcess(reason: unknown): void {
    if (hasFailed) return
    hasFailed = true
    const marked = heartbeat.markEnded().catch(() => {})
    void Promise.race([marked, sleep(1_000)]).then(() => fail(reason))
  }

  const track =
    (task: Task): Task =>
    async (payload, helpers) => {
      const { id, attempts } = helpers.job
      running.set(id, attempts)
      lastTakenAt = performance.now()
      try {
        return await task(payload, helpers)
      } catch (error) {
        if (helpers.abortSignal.aborted) interrupted.set(id, attempts)
        throw error
      } finally {
        running.delete(id)
      }
    }

  const slots = createFairSlots(concurrency)
  const names = Object.keys(options.tasks)
  const taskList = Object.fromEntries(
    Object.entries(options.tasks).map(([name, task]) => [name, track(task as Task)]),
  )
  const runner = await run({
    pgPool: pool,
    concurrency,
    taskList,
    events: slots.events,
    forbiddenFlags: slots.forbiddenFlags,
    parsedCronItems: [],
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: finishMs,
    logger: queueLogger(log, options.scrub),
    preset: {
      // a prepared statement would keep the plan for the size that the queue had at the first execution
      worker: { preparedStatements: false },
      plugins: [
        registerFirst(
          (id) => heartbeat.register(id).catch((error) => (stopping?.aborted ? undefined : fail(error))),
          (id) => (poolId = id),
        ),
      ],
    },
  })
  runner.events.on('worker:fatalError', ({ error }) => failProcess(error))
  void runner.promise.then(
    () => isStopping || failProcess(new Error('The queue runner has ended')),
    (error: unknown) => isStopping || failProcess(error),
  )
  const check = () => Promise.all([checkStuck(), refreshStatistics(pool)])
  const stuckCheck = setInterval(() => void check().catch(() => {}), stuckAfterMs / 6)

  async function checkStuck(): Promise<void> {
    const isIdle = running.size < slots.unreserved && performance.now() - lastTakenAt > stuckAfterMs
    if (!isIdle) return
    const { rowCount } = await pool.query(dueJobs, [names, stuckAfterMs / 1000])
    if (rowCount !== 0) failProcess(new Error('Jobs are due, and this worker takes none'))
  }

  return {
    async stop() {
      isStopping = true
      clearInterval(stuckCheck)
      await Promise.race([stopRunner(runner, log), sleep(finishMs + abortMs)])
      await untilRecorded(pool, poolId, running)
      const unfinished = new Map([...interrupted, ...running])
      await handBack(pool, poolId, unfinished)
      log.info({ handedBack: unfinished.size }, 'queue stopped')
      void pool.end().catch(() => {})
    },
  }
}

async function stopRunner(runner: Runner, log: Log): Promise<void> {
  await runner.stop().catch((err: unknown) => log.warn({ err }, 'the queue runner did not stop cleanly'))
}

/** graphile-worker does not wait until the end of a job is recorded, so the process has to before it exits. */
async function untilRecorded(
  pool: pg.Pool,
  poolId: string,
  running: ReadonlyMap<string, number>,
): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    const { rows } = await pool.query<{ id: string }>(
      'select id from graphile_worker.jobs where locked_by = $1',
      [poolId],
    )
    if (rows.every(({ id }) => running.has(id))) return
    await sleep(50)
  }
}

/** Unlocks the jobs and gives their attempts back: in one transaction, before another worker can take them. */
async function handBack(pool: pg.Pool, poolId: string, jobs: ReadonlyMap<string, number>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select graphile_worker.force_unlock_workers(array[$1])', [poolId])
    await client.query(
      `select graphile_worker.reschedule_jobs(array[id], run_at => now(), attempts => attempts - 1)
       from unnest($1::bigint[], $2::int[]) as job (id, attempts)`,
      [[...jobs.keys()], [...jobs.values()]],
    )
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

function registerFirst(register: (poolId: string) => Promise<unknown>, setPoolId: (poolId: string) => void) {
  return {
    name: 'QuartermasterHeartbeat',
    version: '1',
    worker: {
      hooks: {
        async startWorker(_context: unknown, { worker }: { worker: { workerPool: { id: string } } }) {
          setPoolId(worker.workerPool.id)
          await register(worker.workerPool.id)
        },
      },
    },
  }
}

/** Drops graphile-worker's lines about jobs: they contain payloads, and `worker/queue/task.ts` logs the same. */
function queueLogger(log: Log, scrub: Scrub): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(() => (level, message, meta) => {
    if (meta && ('failure' in meta || 'success' in meta)) return
    // a warning that does not apply: our tasks use another pool
    if (message.includes('maxPoolSize')) return
    log[levels[level]]({ component: 'queue' }, scrub(message))
  })
}

/** Taking and ending a job does not wait for the disk, so a small job may run again after a crash of Postgres. */
const queueSettings = { synchronous_commit: 'off' } as const

/**
 * Autovacuum counts a table once a minute. Until then Postgres would plan for the queue of the last count: after a bulk
 * insert it may read and sort the whole table for each job.
 */
async function refreshStatistics(pool: pg.Pool): Promise<void> {
  const { rowCount } = await pool.query(staleStatistics)
  if (rowCount !== 0) await pool.query('analyze (skip_locked) graphile_worker._private_jobs')
}

const staleStatistics = `
  select from pg_stat_user_tables
  where relid = 'graphile_worker._private_jobs'::regclass and n_mod_since_analyze > 1000`

const dueJobs = `
  select 1 from graphile_worker.jobs
  where locked_at is null and attempts < max_attempts and task_identifier = any($1)
    and run_at < now() - make_interval(secs => $2)
  limit 1`
