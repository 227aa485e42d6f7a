import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { lockVariants } from '../stock/move.ts'
import { forgetCostPushes } from './forget.ts'

/*
 * With the setting `costWriteBack`, the platform gets the last or the average cost of a variant whenever a cost movement
 * of ours changed it: a receipt, its reversal, a charge, a typed cost. A row of cost_push is the cost that the platform should have.
 * An import of costs requests nothing, but what waits gets its cost.
 *   transition              function             cause
 *           waiting         requestCostPushes    in the transaction of the cost movement; a newer cost replaces an older one
 *   any     -> waiting      replaceCostPushes    an import or its revert changed the cost
 *   waiting -> claimed      claimCostPushes      a job is about to send it; committed before the request is sent
 *   claimed -> (deleted)    settleCostPush       the platform has it, and no newer cost was requested
 *   claimed -> waiting      settleCostPush       a newer cost was requested meanwhile
 *   claimed -> waiting      releaseCostPushes    the platform serves no requests at the moment
 *   claimed -> failed       failCostPush         the platform will never accept it (alert `sync_conflict`)
 *   failed  -> waiting      requestCostPushes    the variant has another cost, or the merchant changed the setting
 *   failed  -> waiting      retryCostPush        a person tries it again
 *   failed  -> (deleted)    discardCostPush      a person gives it up
 *   any     -> (deleted)    forget.ts            the platform has reported a newer cost since, the variant was deleted
 *   failed  -> (deleted)    forget.ts            the platform has the cost
 *   any     -> (deleted)    forget.ts            the merchant switched write-back off, or chose the platform's cost again; the shop
 *                                                was uninstalled
 *   waiting -> (deleted)    claimCostPushes      it was off when a transaction committed the request
 * A cost may be sent twice, after a crash, and is then set twice to the same value. Only one job sends costs of a variant at
 * a time, and renews its claim before each request, so an older cost never follows a newer one.
 * The platform reports the change back. `itemAssignments` (catalogue/reported-items.ts) recognises it by its value: the cost
 * becomes the variant's `platform_cost` and changes nothing else. Costs that came from the platform are never sent back.
 */

/** Requests pushes for variants (a condition on `variant_cost c`) whose wanted cost is not the platform's. Locks are the caller's. */
export async function requestCostPushes(tx: Db, shopId: number, variants: FragmentSqlToken): Promise<void> {
  const requested = await tx.any(sql.typeAlias('id')`
    insert into cost_push as p (shop_id, variant_id, cost, requested_at)
    select ${shopId}::bigint, c.variant_id, wanted.cost, clock_timestamp()
    from shop_setting t
    join variant_cost c on c.shop_id = ${shopId} and ${variants}
    join variant v on v.shop_id = ${shopId} and v.id = c.variant_id and v.deleted_at is null
    cross join lateral (
      select round(
        case t.cost_write_back when 'last' then c.last_cost else c.average_cost end,
        minor_digits(coalesce(t.currency, 'USD'))
      ) as cost
    ) wanted
    where t.shop_id = ${shopId} and t.cost_write_back <> 'off' and wanted.cost is not null
      and (
        wanted.cost is distinct from v.platform_cost
        -- one that is on its way has to be followed by this one
        or exists (select from cost_push q where q.shop_id = ${shopId} and q.variant_id = c.variant_id)
      )
    order by c.variant_id
    on conflict (shop_id, variant_id) do update
    set cost = excluded.cost, requested_at = excluded.requested_at, attempts = 0, failed_at = null, reason = ''
    where p.cost <> excluded.cost
    returning variant_id as id
  `)
  if (requested.length > 0) await enqueue(tx, jobs.pushCosts, { shopId })
}

/** Replaces the cost of each push in any state by the present cost of its variant. The caller must have the variants' row locks. */
export const replaceCostPushes = (tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> =>
  requestCostPushes(
    tx,
    shopId,
    sql.fragment`
      c.variant_id = any(${sql.array([...variantIds], 'int8')})
      and exists (select from cost_push w where w.shop_id = ${shopId} and w.variant_id = c.variant_id)
    `,
  )

/**
 * After a change of the setting: `off` forgets what waits; another choice sends the waiting variants' other cost, and tries
 * again what has failed. Other variants follow with their next change.
 */
export async function changeCostPushes(tx: Db, shopId: number, isOff: boolean): Promise<void> {
  if (isOff) {
    await forgetCostPushes(tx, shopId)
    return
  }
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select variant_id as id from cost_push where shop_id = ${shopId}
  `)
  // a cost that is being booked is known after the lock
  await lockVariants(tx, shopId, ids)
  await requestCostPushes(tx, shopId, sql.fragment`c.variant_id = any(${sql.array([...ids], 'int8')})`)
  await tx.query(sql.typeAlias('void')`
    update cost_push set failed_at = null, reason = '' where shop_id = ${shopId} and failed_at is not null
  `)
  await resumeCostPushes(tx, shopId)
}

/** Enqueues a new job, with all its attempts, when costs wait. */
export async function resumeCostPushes(tx: Db, shopId: number): Promise<void> {
  const isWaiting = await tx.exists(sql.typeAlias('void')`
    select from cost_push where shop_id = ${shopId} and failed_at is null
  `)
  if (isWaiting) await enqueue(tx, jobs.pushCosts, { shopId })
}
