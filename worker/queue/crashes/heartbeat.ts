import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { DatabaseAddress } from '../../../shared/config.ts'
import { untilConnected } from '../../../shared/db/first-connection.ts'
import type { Log } from '../../../shared/telemetry/log.ts'

export type Heartbeat = {
  id: string
  register: (poolId: string) => Promise<void>
  /** Records that this job runs alone, so that a crash counts for it only; null when other jobs may run again. */
  markAlone: (jobId: string | null) => Promise<void>
  /** Records that the process ends through no fault of its jobs: the next beat of any other worker frees them. */
  markEnded: () => Promise<void>
  unregister: () => Promise<void>
}

const beatMs = 2_000
/** A process without a beat for this long counts as dead, and the other workers free its jobs. */
export const deadAfterSeconds = 8
const fenceAfterMs = 6_000
/** Orphaned jobs, whose pool has no row, are rare. Their search reads the whole queue: every third beat runs it. */
const orphanedAfter = '10 seconds'
const orphanEvery = 3
const maxLogged = 20

/**
 * Frees the jobs of dead workers, which graphile-worker would keep locked for four hours. `fail` ends this process.
 * 1. A beat every 2 s updates `last_seen_at`, and frees the jobs of processes without a beat for 8 s.
 * 2. The fence ends this process when it could not write a beat for 6 s, before others free its jobs.
 * 3. A beat ends it when its row is gone, or Postgres was restarted: graphile-worker may then sleep for minutes.
 * Only a process that the host suspends for over 8 s may run a job beside another worker, until its next timer.
 */
export function createHeartbeat(
  address: DatabaseAddress,
  log: Log,
  fail: (reason: unknown) => never,
  stopping?: AbortSignal,
): Heartbeat {
  const id = randomUUID()
  /** Not of a pool: a busy pool must not look like a dead process. */
  let connection: Promise<pg.Client> | undefined
  let registration: Promise<void> | undefined
  let serverStartedAt = ''
  let lastBeatAt = 0
  let timers: NodeJS.Timeout[] = []
  let beating: Promise<void> | undefined
  let beats = 0

  async function query(text: string, values: unknown[] = []) {
    connection ??= connect(address)
    const used = connection
    try {
      return await (await used).query(text, values)
    } catch (error) {
      if (connection === used) connection = undefined
      void used.then((client) => client.end()).catch(() => {})
      throw error
    }
  }

  /** Postgres may have stored the row of an attempt whose answer did not arrive. */
  async function register(poolId: string): Promise<void> {
    lastBeatAt = performance.now()
    const { rows } = await query(
      `insert into worker_instance (id, pool_ids) values ($1, array[$2])
       on conflict (id) do update set last_seen_at = excluded.last_seen_at
       returning ${postgresStart}`,
      [id, poolId],
    )
    serverStartedAt = rows[0].started_at
    // the stop does not wait for this attempt
    if (stopping?.aborted) return
    timers = [setInterval(beat, beatMs), setInterval(fence, 500)]
  }

  function beat(): void {
    beating ??= writeBeat()
      .catch((err: unknown) => log.warn({ err }, 'heartbeat failed'))
      .finally(() => {
        beating = undefined
      })
  }

  async function writeBeat(): Promise<void> {
    const startedAt = performance.now()
    const { rows: own } = await query(
      `update worker_instance set last_seen_at = now() where id = $1 returning ${postgresStart}`,
      [id],
    )
    if (own.length === 0) {
      return fail(
        new Error('This worker wrote no heartbeat for too long, and other workers have freed its jobs'),
      )
    }
    lastBeatAt = startedAt
    if (own[0].started_at !== serverStartedAt) {
      await markEnded()
      return fail(new Error('Postgres was restarted while this worker was connected'))
    }
    const orphaned = beats % orphanEvery === 0 ? orphanedAfter : null
    const { rows } = await query(freeJobsOfDeadWorkers, [orphaned])
    if (rows.length > 0)
      log.warn({ count: rows.length, jobs: rows.slice(0, maxLogged) }, 'freed jobs of dead workers')
    beats += 1
  }

  async function markEnded(): Promise<void> {
    await query('update worker_instance set has_ended = true where id = $1', [id])
  }

  function fence(): void {
    const sinceBeatMs = performance.now() - lastBeatAt
    if (sinceBeatMs > fenceAfterMs) fail(new Error(`No heartbeat for ${Math.round(sinceBeatMs)} ms`))
  }

  return {
    id,
    register: (poolId) => {
      registration ??= untilConnected(() => register(poolId), log, { stopping })
      return registration
    },
    async markAlone(jobId) {
      await query('update worker_instance set alone_job_id = $2 where id = $1', [id, jobId])
    },
    markEnded,
    async unregister() {
      for (const timer of timers) clearInterval(timer)
      await beating
      // without an answer to the registration there is no row, or one without a beat, which other workers remove
      if (serverStartedAt === '') return
      await query('delete from worker_instance where id = $1', [id])
      await (await connection)?.end()
    },
  }
}

async function connect({ url, ssl }: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    ssl,
    connectionTimeoutMillis: 1_500,
    query_timeout: 1_500,
    application_name: 'quartermaster-heartbeat',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

const postgresStart = 'pg_postmaster_start_time()::text as started_at'

const freeJobsOfDeadWorkers = `
  select id, task, crashes from free_jobs_of_the_dead(interval '${deadAfterSeconds} seconds', $1)`
