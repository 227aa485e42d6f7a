import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Runner, run, type Task, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { type DatabaseAddress, withSessionSettings } from '../../shared/config.ts'
import { limitWaiting } from '../../shared/db/pg-client.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import type { Scrub } from '../../shared/telemetry/scrub.ts'
import type { Heartbeat } from './heartbeat.ts'

export type QueueOptions = {
  address: DatabaseAddress
  maxConnections: number
  concurrency: number
  tasks: TaskList
  heartbeat: Heartbeat
  log: Log
  scrub: Scrub
  fail: (reason: unknown) => never
  /** A worker that takes nothing for so long, although jobs are due, is stuck. */
  stuckAfterMs?: number
}

export type Queue = {
  /**
   * Takes no more jobs. What runs has 15 s to finish, is then aborted and handed back as if it had not been tried.
   */
  stop: () => Promise<void>
}

const finishMs = 15_000
/** What an aborted task needs to write down how far it came. */
const abortMs = 3_000

/**
 * Runs the tasks with graphile-worker. Its pool is made known to the heartbeat before it takes its first job. The
 * end of the runner, a fatal error of it, and a runner that has stopped taking jobs end the process: another starts.
 */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { address, maxConnections, concurrency, heartbeat, log, fail, stuckAfterMs = 30_000 } = options
  limitWaiting()
  const { url, ssl } = withSessionSettings(address, queueSettings)
  const pool = new pg.Pool({
    connectionString: url,
    ssl,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    application_name: 'quartermaster-queue',
    // sooner than nobody waits for it any more: a job that is taken then would be taken by nobody
    statement_timeout: 8_000,
  })
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const running = new Map<string, number>()
  const interrupted = new Map<string, number>()
  let poolId = ''
  let lastTakenAt = performance.now()
  let isStopping = false
  let isEnding = false

  /** Ends the process for a reason that lies in none of its jobs, and says so where that is heard within a second. */
  function surrender(reason: unknown): void {
    if (isEnding) return
    isEnding = true
    const heard = heartbeat.surrender().catch(() => {})
    void Promise.race([heard, sleep(1_000)]).then(() => fail(reason))
  }

  /** Remembers which jobs run, and which of them were aborted by a stop. */
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

  const names = Object.keys(options.tasks)
  const taskList = Object.fromEntries(
    Object.entries(options.tasks).map(([name, task]) => [name, track(task as Task)]),
  )
  const runner = await run({
    pgPool: pool,
    concurrency,
    taskList,
    parsedCronItems: [],
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: finishMs,
    logger: queueLogger(log, options.scrub),
    preset: {
      // a kept plan would be the one for the queue as it was at the first statements: Postgres plans by its size now
      worker: { preparedStatements: false },
      plugins: [
        registerFirst(
          (id) => heartbeat.register(id).catch(fail),
          (id) => (poolId = id),
        ),
      ],
    },
  })
  runner.events.on('worker:fatalError', ({ error }) => surrender(error))
  void runner.promise.then(
    () => isStopping || surrender(new Error('The queue runner has ended')),
    (error: unknown) => isStopping || surrender(error),
  )
  const watchdog = setInterval(() => void watch().catch(() => {}), stuckAfterMs / 6)

  async function watch(): Promise<void> {
    const isIdle = running.size < concurrency && performance.now() - lastTakenAt > stuckAfterMs
    if (!isIdle) return
    const { rowCount } = await pool.query(dueJobs, [names, stuckAfterMs / 1000])
    if (rowCount !== 0) surrender(new Error('Jobs are due, and this worker takes none'))
  }

  return {
    async stop() {
      isStopping = true
      clearInterval(watchdog)
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

/** The queue writes down the end of a job without waiting for it: the process must, before it goes. */
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

/**
 * A stop is not the job's fault: its attempt does not count, and whoever comes next takes it at once. In one transaction, or
 * the next would take it before its attempt is given back.
 */
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
    // for good: after an error it may be in any state, and the process goes
    client.release(true)
  }
}

/** The hook that graphile-worker waits for before a worker asks for its first job. */
function registerFirst(register: (poolId: string) => Promise<unknown>, note: (poolId: string) => void) {
  return {
    name: 'QuartermasterHeartbeat',
    version: '1',
    worker: {
      hooks: {
        async startWorker(_context: unknown, { worker }: { worker: { workerPool: { id: string } } }) {
          note(worker.workerPool.id)
          await register(worker.workerPool.id)
        },
      },
    },
  }
}

/** Its lines about jobs carry payloads, and ours say the same (`worker/queue/task.ts`): only the rest is passed on. */
function queueLogger(log: Log, scrub: Scrub): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(() => (level, message, meta) => {
    if (meta && ('failure' in meta || 'success' in meta)) return
    // it assumes that tasks borrow its connections; ours have a pool of their own
    if (message.includes('maxPoolSize')) return
    log[levels[level]]({ component: 'queue' }, scrub(message))
  })
}

/**
 * Taking a job and ending it are a commit each, and neither waits for the disk: that was most of the time of a small job.
 * When Postgres crashes, the last of these commits may be lost: such a job runs again, as after a crash of the worker.
 * What a task commits does wait, on connections of the tasks, and with it all that was committed before.
 */
const queueSettings = { synchronous_commit: 'off' } as const

const dueJobs = `
  select 1 from graphile_worker.jobs
  where locked_at is null and attempts < max_attempts and task_identifier = any($1)
    and run_at < now() - make_interval(secs => $2)
  limit 1`
