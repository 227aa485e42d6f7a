import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { DatabaseAddress } from '../../shared/config.ts'
import type { Log } from '../../shared/telemetry/log.ts'

export type Heartbeat = {
  /** This process in `worker_instance`. */
  id: string
  /** Makes this process known, before it takes its first job. Throws when the database does not answer. */
  register: (poolId: string) => Promise<void>
  /** Notes the one job that runs while all others wait, or that there is none: it alone is blamed for a crash. */
  markAlone: (jobId: string | null) => Promise<void>
  /** Says that the process ends for a reason that lies in none of its jobs: the others free them with their next beat. */
  surrender: () => Promise<void>
  /** Takes the process off the list; to be called when it holds no job any more. */
  unregister: () => Promise<void>
}

const beatMs = 2_000
/** Silent for so long, a process is taken for dead and its jobs are freed. */
export const deadAfterSeconds = 8
/** A process that cannot write its beat ends before the others take it for dead. */
const fenceAfterMs = 6_000
/** Jobs of a pool that is on no list, taken in the moment when its process was given up. */
const orphanedAfter = '10 seconds'
/** They are rare, and looking for them reads the whole queue: at the first beat, then at every so many. */
const orphanEvery = 3
const maxLogged = 20

/**
 * The queue itself would keep the jobs of a killed process locked for four hours. So every worker writes a beat, and
 * any worker frees the jobs of one that has fallen silent (`free_jobs_of_the_dead` in the database, which also notes
 * what ran in it). Has a connection of its own: a busy pool must not look like a dead process. Calls `fail`, which ends the process, when it may have been given up by the others.
 */
export function createHeartbeat(
  address: DatabaseAddress,
  log: Log,
  fail: (reason: unknown) => never,
): Heartbeat {
  const id = randomUUID()
  let connection: Promise<pg.Client> | undefined
  let registration: Promise<void> | undefined
  /** The queue may sleep for minutes over a restart of Postgres, or never wake: a process that saw one ends. */
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
      // whatever it was, the next beat begins with a fresh connection
      if (connection === used) connection = undefined
      void used.then((client) => client.end()).catch(() => {})
      throw error
    }
  }

  async function register(poolId: string): Promise<void> {
    lastBeatAt = performance.now()
    const { rows } = await query(
      `insert into worker_instance (id, pool_ids) values ($1, array[$2]) returning ${postgresStart}`,
      [id, poolId],
    )
    serverStartedAt = rows[0].started_at
    timers = [setInterval(beat, beatMs), setInterval(fence, 500)]
  }

  /** One after the other, however slow the database is. */
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
      return fail(new Error('This worker was silent for too long, and others have taken its jobs'))
    }
    lastBeatAt = startedAt
    if (own[0].started_at !== serverStartedAt) {
      await surrender()
      return fail(new Error('Postgres was restarted under this worker'))
    }
    const orphaned = beats % orphanEvery === 0 ? orphanedAfter : null
    const { rows } = await query(freeJobsOfTheDead, [orphaned])
    if (rows.length > 0)
      log.warn({ count: rows.length, jobs: rows.slice(0, maxLogged) }, 'jobs of the dead freed')
    beats += 1
  }

  async function surrender(): Promise<void> {
    await query('update worker_instance set has_ended = true where id = $1', [id])
  }

  function fence(): void {
    const silentMs = performance.now() - lastBeatAt
    if (silentMs > fenceAfterMs) fail(new Error(`No heartbeat for ${Math.round(silentMs)} ms`))
  }

  return {
    id,
    register: (poolId) => {
      registration ??= register(poolId)
      return registration
    },
    async markAlone(jobId) {
      await query('update worker_instance set alone_job_id = $2 where id = $1', [id, jobId])
    },
    surrender,
    async unregister() {
      for (const timer of timers) clearInterval(timer)
      await beating
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
  // a connection that breaks between two beats is found by the next one
  client.on('error', () => {})
  await client.connect()
  return client
}

const postgresStart = 'pg_postmaster_start_time()::text as started_at'

const freeJobsOfTheDead = `
  select id, task, crashes from free_jobs_of_the_dead(interval '${deadAfterSeconds} seconds', $1)`
