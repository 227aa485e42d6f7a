import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue, enqueueForShops, jobKey } from '../../../queue/enqueue.ts'
import { jobs, subscribedTopics } from '../../../queue/jobs.ts'
import { fieldsOf } from '../../kit/webhook-fields/projection.ts'

/** A digest of the topics and fields to which this release subscribes. */
export const wantedSubscriptions = createHash('sha256')
  .update(JSON.stringify(subscribedTopics.map((topic) => [topic, fieldsOf(topic)])))
  .digest('base64url')

/**
 * SQL condition for a shop's `webhook_subscription_check`: subscriptions are missing, the check is a day old
 * (specification), or an earlier release made it for other topics or fields; and no repair was requested for five
 * minutes. `now` is SQL for the instant.
 */
export function isCheckDue(check: string, now = sql.fragment`now()`) {
  const w = sql.identifier([check])
  return sql.fragment`
    coalesce(
      not ${w}.is_complete or ${w}.checked_at < ${now} - interval '24 hours' or ${w}.subscriptions <> ${wantedSubscriptions},
      true
    )
    and coalesce(${w}.requested_at < ${now} - interval '5 minutes', true)
  `
}

/** Enqueues the repair if it is still due. Of concurrent requests, only one enqueues it. */
export function requestRepair(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    const requested = await tx.maybeOne(sql.typeAlias('id')`
      insert into webhook_subscription_check as w (shop_id, requested_at)
      select id, now() from shop where id = ${shopId} and uninstalled_at is null
      on conflict (shop_id) do update
      set requested_at = excluded.requested_at
      where ${isCheckDue('w', sql.fragment`excluded.requested_at`)}
      returning shop_id as id
    `)
    if (!requested) return
    const { repairWebhookSubscriptions: job } = jobs
    await enqueue(tx, job, { shopId }, { key: jobKey(job, shopId) })
  })
}

const Earlier = Type.Object({ isFirst: Type.Boolean() })

/**
 * Records the result of a check, unless the app was uninstalled in the meantime. Returns whether it is the first check of
 * this installation.
 */
export async function recordCheck(tx: Db, shopId: number, isComplete: boolean): Promise<boolean> {
  const { isFirst } = await tx.one(sql.type(row(Earlier))`
    select not exists (
      select from webhook_subscription_check where shop_id = ${shopId} and checked_at is not null
    ) as is_first
  `)
  await tx.query(sql.typeAlias('void')`
    insert into webhook_subscription_check (shop_id, checked_at, is_complete, subscriptions)
    select id, now(), ${isComplete}, ${wantedSubscriptions} from shop where id = ${shopId} and uninstalled_at is null
    on conflict (shop_id) do update
    set checked_at = excluded.checked_at, is_complete = excluded.is_complete, subscriptions = excluded.subscriptions
  `)
  return isFirst
}

/**
 * Enqueues the repair for every shop whose check is due, and for each silent one: no webhook for 6 hours although a level
 * has moved since the newest one, by more than 15 minutes, as the clocks may differ. Movements of the last 15 minutes do
 * not count, since their webhooks may be on the way.
 * A movement has the platform's time, and the nightly comparison finds it up to a day later: it counts for 30 hours, since
 * the night checks the shop before it compares, and the next check may follow 6 hours later.
 */
export async function requestDueRepairs(tx: Db): Promise<void> {
  const isSilent = sql.fragment`
    (newest.received_at is null or newest.received_at < now() - interval '6 hours')
    and exists (
      select
      from stock_movement m
      where m.shop_id = c.shop_id
        and m.occurred_at > greatest(now() - interval '30 hours', newest.received_at + interval '15 minutes')
        and m.occurred_at < now() - interval '15 minutes'
    )
    and (w.checked_at is null or w.checked_at < now() - interval '6 hours')
  `
  await enqueueForShops(tx, jobs.repairWebhookSubscriptions, {
    from: sql.fragment`
      left join webhook_subscription_check w on w.shop_id = c.shop_id
      left join lateral (
        select received_at from webhook_delivery d where d.shop_id = c.shop_id order by d.id desc limit 1
      ) newest on true
    `,
    where: sql.fragment`(${isCheckDue('w')} or ${isSilent})`,
    maxDelaySeconds: 600,
  })
}
