import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { choices, Id, Nullable, Timestamp } from '../../../schemas/common.ts'

/*
 * A `failed` job has no attempts left; it stays until an operator retries or deletes it. These functions are for all
 * shops, so for operators only. Do not call them in a transaction that stays open: workers skip the jobs that it has
 * locked.
 */
const QueueJobState = choices('waiting', 'running', 'failed')
type QueueJobState = Static<typeof QueueJobState>

export const QueueJob = Type.Object({
  id: Id,
  task: Type.String(),
  state: QueueJobState,
  attempts: Type.Integer(),
  maxAttempts: Type.Integer(),
  createdAt: Timestamp,
  /** When it was added, failed, or was changed by an operator. */
  updatedAt: Timestamp,
  runAt: Timestamp,
  lockedAt: Nullable(Timestamp),
  workerId: Nullable(Type.String()),
  error: Type.String(),
  payload: Type.Unknown(),
  /** The ids of the requests that caused it (`shared/telemetry/request-context.ts`). */
  requestIds: Type.Array(Type.String()),
  shops: Type.Array(Type.String()),
})
export type QueueJob = Static<typeof QueueJob>

export type QueueJobFilter = {
  ids?: readonly number[] | undefined
  state?: QueueJobState | undefined
  task?: string | undefined
  shopIds?: readonly number[] | undefined
  /** A part of the last error; case-insensitive. */
  error?: string | undefined
  since?: string | undefined
}

const state = sql.fragment`
  case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed' else 'waiting' end
`
/** A payload is an object with `shopId`, or a list of such objects; a lax JSON path matches both. */
const payloadShops = sql.fragment`
  select distinct value::bigint as shop_id
  from jsonb_path_query(p.payload::jsonb, '$.shopId ? (@.type() == "number" && @ > 0 && @ < 9007199254740992)') as value
`

/** Lists the jobs in the queue, newest first. The view `jobs` has no payloads, so the private table is joined. */
export function listQueueJobs(
  db: Db,
  filter: QueueJobFilter,
  limit: number | null,
): Promise<readonly QueueJob[]> {
  return db.any(sql.type(row(QueueJob))`
    select j.id, j.task_identifier as task, ${state} as state, j.attempts, j.max_attempts, j.created_at,
      j.updated_at, j.run_at, j.locked_at, w.id as worker_id, coalesce(j.last_error, '') as error, p.payload,
      (
        select coalesce(jsonb_agg(substr(flag, 9) order by flag), '[]')
        from jsonb_object_keys(j.flags) flag
        where flag like 'request:%'
      ) as request_ids,
      (
        select coalesce(jsonb_agg(s.domain order by s.id), '[]')
        from (${payloadShops}) listed
        join shop s on s.id = listed.shop_id
      ) as shops
    from graphile_worker.jobs j
    join graphile_worker._private_jobs p on p.id = j.id
    left join worker_instance w on j.locked_by = any(w.pool_ids)
    where ${sql.and([
      filter.ids && sql.fragment`j.id = any(${sql.array([...filter.ids], 'int8')})`,
      filter.state && sql.fragment`${state} = ${filter.state}`,
      filter.task !== undefined && sql.fragment`j.task_identifier = ${filter.task}`,
      filter.shopIds &&
        sql.fragment`exists (
          select from (${payloadShops}) listed where listed.shop_id = any(${sql.array([...filter.shopIds], 'int8')})
        )`,
      filter.error !== undefined && sql.fragment`strpos(lower(j.last_error), lower(${filter.error})) > 0`,
      filter.since !== undefined && sql.fragment`j.updated_at >= ${filter.since}::timestamptz`,
    ])}
    order by j.id desc
    limit ${limit}
  `)
}

/** Makes jobs due, with all attempts and no crash count. Returns the changed ids; running ones do not change. */
export function retryQueueJobs(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.typeAlias('id')`
    with retried as (
      select id
      from graphile_worker.reschedule_jobs(${sql.array([...ids], 'int8')}, run_at => now(), attempts => 0)
    ),
    forgotten as (
      delete from job_crash where job_id in (select id from retried)
    )
    select id from retried
  `)
}

/** Fails jobs for good; they stay in the queue. Returns the ids of the changed jobs; running ones do not change. */
export function cancelQueueJobs(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.typeAlias('id')`
    select id from graphile_worker.permanently_fail_jobs(${sql.array([...ids], 'int8')}, 'cancelled by hand')
  `)
}
