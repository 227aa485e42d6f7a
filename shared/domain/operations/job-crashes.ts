import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import type { Job } from '../../queue/jobs.ts'
import { requestFlags } from '../../telemetry/request-context.ts'

/*
 * A job that runs when its process dies is noted in `job_crash` by whoever frees it (`free_jobs_of_the_dead`):
 *   1 crash    it, or one that ran beside it
 *   2 crashes  a suspect: it runs alone in its process from now on, so that a crash is its own
 *   3 crashes  the third was its own: it is set aside
 * All of this file is of every shop.
 */
export const suspectAfterCrashes = 2
export const setAsideAfterCrashes = 3

/** Jobs that were split from one with crashes carry it: they have a row from the beginning. */
export const suspectFlag = 'suspect'

const Crashes = Type.Object({ crashes: Type.Integer() })

export async function countCrashes(db: Db, jobId: string): Promise<number> {
  const found = await db.maybeOneFirst(sql.type(row(Crashes))`
    select crashes from job_crash where job_id = ${jobId}
  `)
  return found ?? 0
}

/** It was done, or failed alone without harm. */
export async function forgetCrashes(db: Db, jobId: string): Promise<void> {
  await db.query(sql.typeAlias('void')`delete from job_crash where job_id = ${jobId}`)
}

/** Adds a job for each payload that runs alone from the beginning, and is set aside with its first crash. */
export async function enqueueSuspects<P extends TSchema>(
  db: Db,
  job: Job<P>,
  payloads: readonly Static<P>[],
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    with added as (
      select j.id
      from unnest(${sql.array(
        payloads.map((payload) => JSON.stringify(payload)),
        'text',
      )}) as payload
      cross join lateral graphile_worker.add_job(
        ${job.name}, payload => payload::json, max_attempts => ${job.maxAttempts},
        flags => ${sql.array([suspectFlag, ...requestFlags()], 'text')}
      ) j
    )
    insert into job_crash (job_id, crashes) select id, ${suspectAfterCrashes}::int from added
  `)
}
