import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { choices, Id, Nullable, Timestamp } from '../../../schemas/common.ts'

/*
 * `failed`: the queue retries the job while attempts are left. `dropped`: the shop has revoked the access, so no retry
 * can succeed. `handed_back`: the process stopped; the attempt does not count. A killed process leaves no run.
 */
export const JobRunState = choices('done', 'failed', 'dropped', 'handed_back')
export type JobRunState = Static<typeof JobRunState>

export const PayloadIds = Type.Record(Type.String(), Type.Unknown())
export type PayloadIds = Record<string, unknown>

export type NewJobRun = {
  jobId: string
  task: string
  shopId: number | null
  ids: PayloadIds
  attempt: number
  maxAttempts: number
  state: JobRunState
  /** The caller has removed the secrets. */
  error: string
  startedAt: Date
  ms: number
}

/** Stores the outcomes of attempts, in one statement. The id of an unknown shop is stored as null. */
export async function storeJobRuns(db: Db, workerId: string, runs: readonly NewJobRun[]): Promise<void> {
  const rows = runs.map((run) => [
    run.jobId,
    run.task,
    run.shopId,
    JSON.stringify(run.ids),
    run.attempt,
    run.maxAttempts,
    run.state,
    run.error,
    run.startedAt.toISOString(),
    run.ms,
  ])
  await db.query(sql.typeAlias('void')`
    insert into job_run (
      job_id, task, shop_id, payload, attempt, max_attempts, state, error, started_at, ended_at, ms, worker_id
    )
    select r.job_id, r.task, s.id, r.ids::jsonb, r.attempt, r.max_attempts, r.state, r.error,
      r.started_at, r.started_at + make_interval(secs => r.ms / 1000.0), r.ms, ${workerId}::uuid
    from ${sql.unnest(rows, ['int8', 'text', 'int8', 'text', 'int4', 'int4', 'text', 'text', 'timestamptz', 'int4'])}
      with ordinality
      as r (job_id, task, shop_id, ids, attempt, max_attempts, state, error, started_at, ms, position)
    left join shop s on s.id = r.shop_id
    order by r.position
  `)
}

export const JobRun = Type.Object({
  id: Id,
  jobId: Id,
  task: Type.String(),
  shop: Nullable(Type.String()),
  ids: PayloadIds,
  attempt: Type.Integer(),
  maxAttempts: Type.Integer(),
  state: JobRunState,
  error: Type.String(),
  startedAt: Timestamp,
  endedAt: Timestamp,
  ms: Type.Integer(),
  workerId: Type.String(),
})
export type JobRun = Static<typeof JobRun>

type JobRunFilter = {
  jobId?: number | undefined
  task?: string | undefined
  shopIds?: readonly number[] | undefined
  state?: JobRunState | undefined
  error?: string | undefined
  since?: string | undefined
}

/** Lists attempts of all shops, newest first. For operators only. */
export function listJobRuns(db: Db, filter: JobRunFilter, limit: number): Promise<readonly JobRun[]> {
  return db.any(sql.type(row(JobRun))`
    select r.id, r.job_id, r.task, s.domain as shop, r.payload as ids, r.attempt, r.max_attempts, r.state, r.error,
      r.started_at, r.ended_at, r.ms, r.worker_id
    from job_run r
    left join shop s on s.id = r.shop_id
    where ${sql.and([
      filter.jobId !== undefined && sql.fragment`r.job_id = ${filter.jobId}`,
      filter.task !== undefined && sql.fragment`r.task = ${filter.task}`,
      filter.shopIds !== undefined &&
        sql.fragment`r.shop_id = any(${sql.array([...filter.shopIds], 'int8')})`,
      filter.state !== undefined && sql.fragment`r.state = ${filter.state}`,
      filter.error !== undefined && sql.fragment`strpos(lower(r.error), lower(${filter.error})) > 0`,
      filter.since !== undefined && sql.fragment`r.ended_at >= ${filter.since}::timestamptz`,
    ])}
    order by r.id desc
    limit ${limit}
  `)
}
