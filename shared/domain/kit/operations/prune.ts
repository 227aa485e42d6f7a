import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { complianceTopics } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'

const Pruned = Type.Object({ count: Type.Integer() })
const maxPerBatch = 5_000

/**
 * Deletes a batch of expired records; true when more may be left. Lifetimes: unfinished installation 1 day; job run and crash count 7 days; settled stock push 30 days; delivery that is applied, ignored or
 * rejected, and file of an import 30 days, but a delivery 1 year when it records a request about a customer's data;
 * upload that is not finished 1 hour, then its import is set to failed; slot of the schedule and digest 90 days;
 * resolved alert 1 year.
 */
export async function pruneBatch(db: Db): Promise<boolean> {
  const count = await db.oneFirst(sql.type(row(Pruned))`
    with deliveries as (
      delete from webhook_delivery
      where (shop_id, id) in (
        select shop_id, id from webhook_delivery
        where received_at < now() - interval '30 days' and state in ('applied', 'ignored', 'rejected')
          and (
            received_at < now() - interval '1 year'
            or topic <> all(${sql.array([...complianceTopics], 'text')})
          )
        limit ${maxPerBatch}
      )
      returning 1
    ),
    pushes as (
      delete from stock_push
      where (shop_id, id) in (
        select shop_id, id from stock_push where settled_at < now() - interval '30 days' limit ${maxPerBatch}
      )
      returning 1
    ),
    alerts as (
      delete from alert
      where (shop_id, id) in (
        select shop_id, id from alert where resolved_at < now() - interval '1 year' limit ${maxPerBatch}
      )
      returning 1
    ),
    parts as (
      delete from import_file
      where (shop_id, import_id, part) in (
        select shop_id, import_id, part from import_file where created_at < now() - interval '30 days' limit 200
      )
      returning 1
    ),
    uploads as (
      update import
      set state = 'failed', finished_at = now(), error = 'The upload was interrupted. Add the file again.'
      where (shop_id, id) in (
        select shop_id, id
        from import
        where state = 'uploading' and created_at < now() - interval '1 hour'
        limit ${maxPerBatch}
      )
        -- the upload may have ended since
        and state = 'uploading'
    ),
    runs as (
      delete from job_run
      where id in (select id from job_run where ended_at < now() - interval '7 days' limit ${maxPerBatch})
      returning 1
    ),
    digests as (
      delete from digest
      where (shop_id, id) in (
        select shop_id, id from digest where created_at < now() - interval '90 days' limit ${maxPerBatch}
      )
      returning 1
    ),
    crashes as (
      delete from job_crash where last_at < now() - interval '7 days'
    ),
    slots as (
      delete from schedule_slot where slot < now() - interval '90 days'
    ),
    states as (
      delete from oauth_state where created_at < now() - interval '1 day'
    )
    select greatest(
      (select count(*) from deliveries), (select count(*) from pushes),
      (select count(*) from alerts), (select count(*) from runs), (select count(*) from digests), case when (select count(*) from parts) = 200 then ${maxPerBatch}::bigint else 0 end
    ) as count
  `)
  return count === maxPerBatch
}

const Expired = Type.Object({ shopId: Id, keys: Type.Integer() })

/**
 * Deletes a batch of idempotency keys that are older than 24 hours; true when more may be left. Each shop has a transaction of its
 * own, so that requests of a shop do not wait for the keys of others.
 */
export async function pruneKeys(db: Db): Promise<boolean> {
  const expired = await db.any(sql.type(row(Expired))`
    select shop_id, count(*)::int as keys
    from (
      select shop_id from idempotency_key where created_at <= now() - interval '24 hours' limit ${maxPerBatch}
    ) k
    group by shop_id
  `)
  let deleted = 0
  for (const { shopId } of expired) deleted += await pruneKeysOf(db, shopId)
  const found = expired.reduce((sum, { keys }) => sum + keys, 0)
  return found === maxPerBatch && deleted > 0
}

const pruneKeysOf = (db: Db, shopId: number): Promise<number> =>
  db.oneFirst(sql.type(row(Pruned))`
    with deleted as (
      delete from idempotency_key
      where shop_id = ${shopId} and key in (
        select key
        from idempotency_key
        where shop_id = ${shopId} and created_at <= now() - interval '24 hours'
        limit ${maxPerBatch}
        for update skip locked -- a concurrent request may be claiming an expired key again
      )
      returning 1
    )
    select count(*) as count from deleted
  `)
