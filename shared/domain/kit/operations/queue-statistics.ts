import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Nullable, Timestamp } from '../../../schemas/common.ts'

export const TaskStatistics = Type.Object({
  task: Type.String(),
  waiting: Type.Integer(),
  due: Type.Integer(),
  oldestDueSeconds: Nullable(Type.Integer()),
  running: Type.Integer(),
  failed: Type.Integer(),
  /** Waiting jobs that have failed before. */
  retries: Type.Integer(),
})
export type TaskStatistics = Static<typeof TaskStatistics>

/** Counts the jobs of each task by state. Not for a transaction: workers skip the jobs that one has locked. */
export function countQueueJobs(db: Db): Promise<readonly TaskStatistics[]> {
  return db.any(sql.type(row(TaskStatistics))`
    select j.task_identifier as task,
      count(*) filter (where is_waiting) as waiting,
      count(*) filter (where is_waiting and j.run_at <= now()) as due,
      extract(epoch from now() - min(j.run_at) filter (where is_waiting and j.run_at <= now()))::int
        as oldest_due_seconds,
      count(*) filter (where j.locked_at is not null) as running,
      count(*) filter (where j.locked_at is null and not is_waiting) as failed,
      count(*) filter (where is_waiting and j.attempts > 0) as retries
    from graphile_worker.jobs j
    cross join lateral (select j.locked_at is null and j.attempts < j.max_attempts as is_waiting) w
    group by j.task_identifier
    order by j.task_identifier
  `)
}

const Waiting = Type.Object({
  task: Type.String(),
  waiting: Type.Integer(),
  due: Type.Integer(),
  oldestDueSeconds: Type.Number(),
})

/** Uses the workers' index, which graphile-worker's view hides: hence the private tables. The version is pinned. */
export function countWaitingJobs(db: Db): Promise<readonly Static<typeof Waiting>[]> {
  return db.any(sql.type(row(Waiting))`
    select k.identifier as task, count(j.id) as waiting, count(j.id) filter (where j.run_at <= now()) as due,
      coalesce(extract(epoch from now() - min(j.run_at) filter (where j.run_at <= now())), 0) as oldest_due_seconds
    from graphile_worker._private_tasks k
    left join (
      select id, task_id, run_at from graphile_worker._private_jobs where is_available = true
    ) j on j.task_id = k.id
    group by k.identifier
  `)
}

const Dead = Type.Object({ task: Type.String(), count: Type.Integer() })
const maxDeadCounted = 10_000

/** Counts the jobs of each task without attempts left, at most 10 000 in total, so that the statement stays fast. */
export function countDeadJobs(db: Db): Promise<readonly Static<typeof Dead>[]> {
  return db.any(sql.type(row(Dead))`
    select k.identifier as task, count(j.task_id)
    from graphile_worker._private_tasks k
    left join (
      select task_id
      from graphile_worker._private_jobs
      where locked_at is null and attempts >= max_attempts
      limit ${maxDeadCounted}
    ) j on j.task_id = k.id
    group by k.identifier
  `)
}

export const DeliveryStatistics = Type.Object({
  state: Type.String(),
  count: Type.Integer(),
  oldestAt: Timestamp,
})
export type DeliveryStatistics = Static<typeof DeliveryStatistics>

export function countDeliveries(db: Db): Promise<readonly DeliveryStatistics[]> {
  return db.any(sql.type(row(DeliveryStatistics))`
    select state, count(*), min(received_at) as oldest_at from webhook_delivery group by state order by state
  `)
}

export const WorkerInstance = Type.Object({
  id: Type.String(),
  startedAt: Timestamp,
  silentSeconds: Type.Integer(),
  running: Type.Integer(),
})
export type WorkerInstance = Static<typeof WorkerInstance>

export function listWorkers(db: Db): Promise<readonly WorkerInstance[]> {
  return db.any(sql.type(row(WorkerInstance))`
    select w.id, w.started_at, extract(epoch from now() - w.last_seen_at)::int as silent_seconds,
      count(j.id) as running
    from worker_instance w
    left join graphile_worker.jobs j on j.locked_by = any(w.pool_ids)
    group by w.id
    order by w.started_at
  `)
}
