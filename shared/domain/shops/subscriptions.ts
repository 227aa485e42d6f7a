import { type Db, sql } from '../../db/db.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'

/**
 * A check is due when subscriptions are known to be missing, or were last looked at a day ago (specification,
 * "Subscription registration"); and then asked for once in five minutes, not with every request. Reads
 * `webhook_subscription_check w`, which may be no row.
 */
export const isCheckDue = sql.fragment`
  coalesce(not w.is_complete or w.checked_at < now() - interval '24 hours', true)
  and coalesce(w.requested_at < now() - interval '5 minutes', true)
`

/** Enqueues the repair when it is still due: of several requests at once, one does. */
export function requestRepair(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    const requested = await tx.maybeOne(sql.typeAlias('id')`
      insert into webhook_subscription_check as w (shop_id, requested_at)
      select id, now() from shop where id = ${shopId} and uninstalled_at is null
      on conflict (shop_id) do update
      set requested_at = now()
      where ${isCheckDue}
      returning shop_id as id
    `)
    if (!requested) return
    await enqueue(tx, jobs.repairWebhookSubscriptions, { shopId }, { key: repairKey(shopId) })
  })
}

/** Repairs of a shop that wait are one. */
export const repairKey = (shopId: number) => `shop:${shopId}:${jobs.repairWebhookSubscriptions.name}`

/** Records what the check found, unless the app has been uninstalled meanwhile. */
export async function recordCheck(db: Db, shopId: number, isComplete: boolean): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into webhook_subscription_check (shop_id, checked_at, is_complete)
    select id, now(), ${isComplete} from shop where id = ${shopId} and uninstalled_at is null
    on conflict (shop_id) do update set checked_at = excluded.checked_at, is_complete = excluded.is_complete
  `)
}
