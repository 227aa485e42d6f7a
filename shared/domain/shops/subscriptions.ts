import { createHash } from 'node:crypto'
import { type Db, sql } from '../../db/db.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs, subscribedTopics } from '../../queue/jobs.ts'
import { fieldsOf } from '../webhooks/projection.ts'

/** A digest of the topics and fields to which this release subscribes. */
export const wantedSubscriptions = createHash('sha256')
  .update(JSON.stringify(subscribedTopics.map((topic) => [topic, fieldsOf(topic)])))
  .digest('base64url')

/**
 * SQL condition for a shop's `webhook_subscription_check`: subscriptions are missing, the check is a day old
 * (specification), or an earlier release made it for other topics or fields; and no repair was requested for five
 * minutes.
 */
export function isCheckDue(check: string) {
  const w = sql.identifier([check])
  return sql.fragment`
    coalesce(
      not ${w}.is_complete or ${w}.checked_at < now() - interval '24 hours' or ${w}.subscriptions <> ${wantedSubscriptions},
      true
    )
    and coalesce(${w}.requested_at < now() - interval '5 minutes', true)
  `
}

/** Enqueues the repair if it is still due. Of concurrent requests, only one enqueues it. */
export function requestRepair(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    const requested = await tx.maybeOne(sql.typeAlias('id')`
      insert into webhook_subscription_check as w (shop_id, requested_at)
      select id, now() from shop where id = ${shopId} and uninstalled_at is null
      on conflict (shop_id) do update
      set requested_at = now()
      where ${isCheckDue('w')}
      returning shop_id as id
    `)
    if (!requested) return
    await enqueue(tx, jobs.repairWebhookSubscriptions, { shopId }, { key: repairKey(shopId) })
  })
}

/** The job key that merges the waiting repairs of a shop. */
export const repairKey = (shopId: number) => `shop:${shopId}:${jobs.repairWebhookSubscriptions.name}`

/** Records the result of a check, unless the app was uninstalled in the meantime. */
export async function recordCheck(db: Db, shopId: number, isComplete: boolean): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into webhook_subscription_check (shop_id, checked_at, is_complete, subscriptions)
    select id, now(), ${isComplete}, ${wantedSubscriptions} from shop where id = ${shopId} and uninstalled_at is null
    on conflict (shop_id) do update
    set checked_at = excluded.checked_at, is_complete = excluded.is_complete, subscriptions = excluded.subscriptions
  `)
}
