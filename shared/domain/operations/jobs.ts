import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { choices, Id, Nullable, Timestamp } from '../../schemas/common.ts'

/*
 * States of a job in the queue: waiting -> running -> (gone: it is done)
 *                                          running -> waiting  (it failed, and attempts are left)
 *                                          running -> failed   (it has used its attempts; it stays until someone decides)
 * All of this file is of every shop, so for developers alone. What reads the queue is never called in a transaction: a
 * worker passes over jobs that one holds.
 */
export const QueueJobState = choices('waiting', 'running', 'failed')
export type QueueJobState = Static<typeof QueueJobState>

export const QueueJob = Type.Object({
  id: Id,
  task: Type.String(),
  state: QueueJobState,
  attempts: Type.Integer(),
  maxAttempts: Type.Integer(),
  createdAt: Timestamp,
  /** When it was added, has failed, or was changed by hand. */
  updatedAt: Timestamp,
  runAt: Timestamp,
  lockedAt: Nullable(Timestamp),
  workerId: Nullable(Type.String()),
  error: Type.String(),
  payload: Type.Unknown(),
  /** The requests that it goes back to (`shared/telemetry/request-context.ts`). */
  requestIds: Type.Array(Type.String()),
  /** The domains of the shops that the payload names. */
  shops: Type.Array(Type.String()),
})
export type QueueJob = Static<typeof QueueJob>

export type QueueJobFilter = {
  ids?: readonly number[] | undefined
  state?: QueueJobState | undefined
  task?: string | undefined
  shopIds?: readonly number[] | undefined
  /** A part of the last error, upper or lower case alike. */
  error?: string | undefined
  since?: string | undefined
}

const state = sql.fragment`
  case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed' else 'waiting' end
`
/** A payload is an object of a shop, or a list of such; the lax path looks into both. */
const namedShops = sql.fragment`
  select distinct named::bigint as shop_id
  from jsonb_path_query(p.payload::jsonb, '$.shopId ? (@.type() == "number" && @ > 0 && @ < 9007199254740992)') as named
`

/** Jobs that wait, run or have failed for good, the newest first. The view leaves out payloads, so they are joined. */
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
        from (${namedShops}) named
        join shop s on s.id = named.shop_id
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
          select from (${namedShops}) named where named.shop_id = any(${sql.array([...filter.shopIds], 'int8')})
        )`,
      filter.error !== undefined && sql.fragment`strpos(lower(j.last_error), lower(${filter.error})) > 0`,
      filter.since !== undefined && sql.fragment`j.updated_at >= ${filter.since}::timestamptz`,
    ])}
    order by j.id desc
    limit ${limit}
  `)
}

/**
 * Has jobs tried again at once, with all their attempts: without those a job that has used them would stay dead. What
 * crashed with them is forgotten, or one that was set aside would be so again. Answers which have really changed; the queue leaves alone what runs.
 */
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

/** Gives jobs up: they stay, as failed for good. Answers which have really changed; the queue leaves alone what runs. */
export function cancelQueueJobs(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.typeAlias('id')`
    select id from graphile_worker.permanently_fail_jobs(${sql.array([...ids], 'int8')}, 'cancelled by hand')
  `)
}
