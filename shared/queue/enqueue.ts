import type { Static, TSchema } from '@sinclair/typebox'
import { type Db, sql } from '../db/db.ts'
import { jobFlags, shopFlagPrefix } from './job-flags.ts'
import { type Job, priorities } from './jobs.ts'

/** Attempts to add a job with a key that other transactions use at the same time. */
const maxTries = 20

type EnqueueOptions = { key?: string | null; inSeconds?: number; priority?: Job['priority'] }

/** The key that merges the waiting jobs of a shop, for example `shop:42:read-levels`. Keys are global. */
export const jobKey = ({ name }: Pick<Job, 'name'>, shopId: number) => `shop:${shopId}:${name}`

/**
 * Adds a job in the caller's transaction; returns its id. A `key` (`jobKey`) debounces: the job replaces a waiting one and
 * keeps its start time, so the work runs once every `inSeconds`. Only for tasks that read the current state, and as the
 * last statement: other users of the key wait until the commit. Jobs have no queue name: graphile-worker runs only about
 * two jobs a second in a named queue. Row locks in the task keep the order.
 */
export async function enqueue<P extends TSchema>(
  tx: Db,
  job: Job<P>,
  payload: Static<P>,
  { key = null, inSeconds = 0, priority = job.priority }: EnqueueOptions = {},
): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const id = await tx.oneFirst(sql.typeAlias('maybeId')`
      select id from graphile_worker.add_job(
        ${job.name},
        payload => ${JSON.stringify(payload)}::json,
        run_at => now() + make_interval(secs => ${inSeconds}),
        job_key => ${key}::text,
        job_key_mode => 'preserve_run_at',
        max_attempts => ${job.maxAttempts},
        priority => ${priorities[priority]},
        flags => ${sql.array(jobFlags(job, payload), 'text')}
      )
    `)
    if (id !== null) return id
    // `add_job` returns null and adds nothing when a concurrent transaction has just taken or replaced the key's job.
    if (key === null) break
  }
  throw new Error(`The queue did not accept ${job.name}`)
}

export async function enqueueAll<P extends TSchema>(
  tx: Db,
  job: Job<P>,
  payloads: readonly Static<P>[],
): Promise<void> {
  if (payloads.length === 0) return
  const specs = payloads.map((payload) => ({
    identifier: job.name,
    payload,
    max_attempts: job.maxAttempts,
    priority: priorities[job.priority],
    flags: jobFlags(job, payload),
  }))
  await tx.query(sql.typeAlias('void')`
    select from graphile_worker.add_jobs(array(
      select json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json)
    ))
  `)
}

type ShopChoice<P extends TSchema> = {
  /** The rest of the payload. */
  fields?: Partial<Static<P>>
  shopIds?: readonly number[]
  /** Joins to the credential `c` of shop `s`, for the condition. */
  from?: ReturnType<typeof sql.fragment>
  where?: ReturnType<typeof sql.fragment>
  inMinutes?: number
  maxDelaySeconds?: number
}

/**
 * Adds one job for each of the installed shops that are selected, by default for all. Start times are spread over
 * `maxDelaySeconds` after `inMinutes`, and a shop has the same place in each spread, so its jobs keep their order.
 */
export async function enqueueForShops<P extends TSchema>(
  tx: Db,
  job: Job<P>,
  { fields = {}, shopIds, from, where, inMinutes = 0, maxDelaySeconds = 3600 }: ShopChoice<P> = {},
): Promise<void> {
  const startAt = sql.fragment`
    now() + make_interval(mins => ${inMinutes}, secs => abs(hashint8(s.id)::bigint) % ${maxDelaySeconds}::bigint)
  `
  const chosen = await tx.anyFirst(sql.typeAlias('id')`
    select s.id
    from shop s
    join shop_credential c on c.shop_id = s.id
    ${from ?? sql.fragment``}
    where ${sql.and([
      sql.fragment`s.uninstalled_at is null and c.revoked_at is null`,
      shopIds !== undefined && sql.fragment`s.id = any(${sql.array([...shopIds], 'int8')})`,
      where ?? false,
    ])}
  `)
  if (chosen.length === 0) return
  await tx.query(sql.typeAlias('void')`
    select from graphile_worker.add_jobs(array(
      select row(
        ${job.name}, (${JSON.stringify(fields)}::jsonb || jsonb_build_object('shopId', s.id))::json, null,
        ${startAt}, ${job.maxAttempts}, null, ${priorities[job.priority]},
        ${sql.array(jobFlags(job), 'text')} || (${shopFlagPrefix}::text || s.id)
      )::graphile_worker.job_spec
      from unnest(${sql.array([...chosen], 'int8')}) as s (id)
    ))
  `)
}
