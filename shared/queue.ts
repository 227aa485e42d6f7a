import type { Static, TSchema } from '@sinclair/typebox'
import { type Db, sql } from './db.ts'
import type { Job } from './jobs.ts'

/**
 * Adds a job in the transaction that changes the data it works on: rolled back together, committed together.
 * Never a queue name: the queue slows to two jobs a second with one; order is kept by row locks in the task.
 * Answers the job's id.
 */
export async function enqueue<P extends TSchema>(
  tx: Db,
  job: Job<P>,
  payload: Static<P>,
  { inSeconds = 0 }: { inSeconds?: number } = {},
): Promise<number> {
  const id = await tx.oneFirst(sql.typeAlias('maybeId')`
    select id from graphile_worker.add_job(
      ${job.name},
      payload => ${JSON.stringify(payload)}::json,
      run_at => now() + make_interval(secs => ${inSeconds}),
      max_attempts => ${job.maxAttempts}
    )
  `)
  if (id === null) throw new Error(`The queue did not take ${job.name}`)
  return id
}
