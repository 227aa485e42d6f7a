import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { Id, Nullable } from '../../../shared/schemas/common.ts'

const QueuedJob = Type.Object({
  id: Id,
  task: Type.String(),
  payload: Type.Unknown(),
  priority: Type.Integer(),
  flags: Type.Array(Type.String()),
  /** No worker runs it, and it has no attempt left. */
  isFailed: Type.Boolean(),
  lastError: Nullable(Type.String()),
})

/**
 * The queued jobs, oldest first, with `shopId` only those of a shop, with `task` only those of one kind. Reads graphile-worker's private
 * tables, since its view `jobs` has no payload.
 */
export function queuedJobs(
  db: Db,
  { shopId = null, task = null }: { shopId?: number | null; task?: string | null } = {},
) {
  // the payload of webhook deliveries is a list
  return db.any(sql.type(row(QueuedJob))`
    select j.id, k.identifier as task, j.payload, j.priority, j.last_error,
      array(select jsonb_object_keys(j.flags) order by 1) as flags,
      j.locked_at is null and j.attempts >= j.max_attempts as is_failed
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks k on k.id = j.task_id
    where k.identifier = coalesce(${task}, k.identifier)
      and (${shopId}::bigint is null or coalesce(j.payload->>'shopId', j.payload->0->>'shopId')::bigint = ${shopId})
    order by j.id
  `)
}

/** Removes all queued jobs that no worker has locked. */
export async function removeJobs(db: Db): Promise<void> {
  await db.query(sql.typeAlias('void')`delete from graphile_worker._private_jobs where locked_at is null`)
}
