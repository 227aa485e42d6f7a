import type { Static, TSchema } from '@sinclair/typebox'
import { type Db, sql } from '../db/db.ts'
import { requestFlags } from '../telemetry/request-context.ts'
import type { Job } from './jobs.ts'

/** How often a key that others write to at the same time is tried. */
const maxTries = 20

/**
 * Adds a job in the transaction that changes the data it works on: rolled back together, committed together.
 * Never a queue name: the queue slows to two jobs a second with one; order is kept by row locks in the task.
 * A job that waits under the same `key` is replaced, and the new one runs when that one would have run: under a steady
 * stream the work is done once in `inSeconds`, rather than never. So a key is only for work that reads the current
 * state, and begins with the shop, `shop:42:name-of-the-job`: keys are those of all shops. Who enqueues with the same
 * key waits until this transaction ends, so that is best the last thing it does. The job says which
 * request it goes back to (`shared/telemetry/request-context.ts`). Answers the job's id.
 */
export async function enqueue<P extends TSchema>(
  tx: Db,
  job: Job<P>,
  payload: Static<P>,
  { key = null, inSeconds = 0 }: { key?: string | null; inSeconds?: number } = {},
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
        flags => ${sql.array(requestFlags(), 'text')}
      )
    `)
    if (id !== null) return id
    // the queue answers so when another has just taken or replaced the job of this key: nothing was added
    if (key === null) break
  }
  throw new Error(`The queue did not take ${job.name}`)
}

/** Adds a job for each payload in one statement. */
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
    flags: requestFlags(),
  }))
  await tx.query(sql.typeAlias('void')`
    select from graphile_worker.add_jobs(array(
      select json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json)
    ))
  `)
}

/**
 * Adds a job for each shop that has installed the app, spread over an hour: not all of them at once. `fields` is what
 * the payload holds beside the shop.
 */
export async function enqueueForEveryShop<P extends TSchema>(
  tx: Db,
  job: Job<P>,
  fields: Partial<Static<P>> = {},
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from graphile_worker.add_jobs(array(
      select row(
        ${job.name}, (${JSON.stringify(fields)}::jsonb || jsonb_build_object('shopId', s.id))::json, null,
        now() + make_interval(secs => abs(hashint8(s.id)::bigint) % 3600), ${job.maxAttempts}, null, null,
        ${sql.array(requestFlags(), 'text')}
      )::graphile_worker.job_spec
      from shop s
      join shop_credential c on c.shop_id = s.id
      where s.uninstalled_at is null and c.revoked_at is null
    ))
  `)
}
