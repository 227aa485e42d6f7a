import { type Db, sql } from '../../shared/db/db.ts'
import { whileUnavailable } from './while-unavailable.ts'
import type { Wrapper } from './wrappers.ts'

/**
 * A job that is enqueued with the key of a running one takes over its key, and graphile-worker does not retry the running one when it
 * fails. The newer job does its work, so the queue removes it instead of keeping it as a failed one, which operators would look at.
 */
export const removeReplaced =
  (db: Db): Wrapper =>
  (next) =>
  async (payload, helpers) => {
    try {
      return await next(payload, helpers)
    } catch (error) {
      const { job, abortSignal } = helpers
      if (!job.key || !(await whileUnavailable(() => isReplaced(db, job.id), abortSignal))) throw error
    }
  }

const isReplaced = (db: Db, jobId: string): Promise<boolean> =>
  db.exists(sql.typeAlias('void')`
    select from graphile_worker.jobs where id = ${jobId}::bigint and key is null and attempts >= max_attempts
  `)
