import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { jobFlags } from '../../../queue/job-flags.ts'
import type { Job } from '../../../queue/jobs.ts'

/*
 * When a worker process dies, the database function `free_jobs_of_the_dead` counts a crash for each job that it ran, or
 * only for the one that ran alone. docs/pictures/crashes.svg shows the states; the function holds the same two numbers.
 */
export const suspectAfterCrashes = 2
export const setAsideAfterCrashes = 3

/** The flag of jobs that were split from a suspect. Their crash count starts at 2. */
export const suspectFlag = 'suspect'

const Crashes = Type.Object({ crashes: Type.Integer() })

export async function countCrashes(db: Db, jobId: string): Promise<number> {
  const crashes = await db.maybeOneFirst(sql.type(row(Crashes))`
    select crashes from job_crash where job_id = ${jobId}
  `)
  return crashes ?? 0
}

export async function forgetCrashes(db: Db, jobId: string): Promise<void> {
  await db.query(sql.typeAlias('void')`delete from job_crash where job_id = ${jobId}`)
}

/** Adds a job for each payload. Each runs alone from the start, and its first crash sets it aside. */
export async function enqueueSuspects<P extends TSchema>(
  db: Db,
  job: Job<P>,
  payloads: readonly Static<P>[],
): Promise<void> {
  const rows = payloads.map((payload) => [
    JSON.stringify(payload),
    JSON.stringify([suspectFlag, ...jobFlags(job, payload)]),
  ])
  await db.query(sql.typeAlias('void')`
    with added as (
      select j.id
      from ${sql.unnest(rows, ['json', 'jsonb'])} as x (payload, flags)
      cross join lateral graphile_worker.add_job(
        ${job.name}, payload => x.payload, max_attempts => ${job.maxAttempts},
        flags => array(select jsonb_array_elements_text(x.flags))
      ) j
    )
    insert into job_crash (job_id, crashes) select id, ${suspectAfterCrashes}::int from added
  `)
}
