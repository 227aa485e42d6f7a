import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { rememberPushedCosts } from '../../records/catalogue/pushed-costs.ts'
import { lockInstalledShop } from '../../records/shops/shops.ts'
import { lockVariants } from '../stock/move.ts'
import { forgetCostPushes } from './forget.ts'

const CostPush = Type.Object({
  variantId: Id,
  /** A decimal number, as the platform gets it. */
  cost: Type.String(),
  /** Null when the platform has not confirmed the variant within a day. */
  inventoryItemGid: Nullable(Type.String()),
})
export type CostPush = Static<typeof CostPush>

const pageSize = 20

/** A job gets its own claims back; those of another job after five minutes, when no request of that job can be on its way. */
const isClaimable = (jobId: string) => sql.fragment`
  p.failed_at is null
  and (p.claimed_by is null or p.claimed_by = ${jobId} or p.claimed_at < now() - interval '5 minutes')
`

/** The platform has not confirmed the variant yet; a cost that has waited for a day does not wait for that any more. */
const isUnconfirmed = sql.fragment`(v.inventory_item_gid is null and p.requested_at > now() - interval '1 day')`

/** Costs wait for the platform to confirm a variant. */
export function hasUnconfirmedCosts(db: Db, shopId: number): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select
    from cost_push p
    join variant v on v.shop_id = ${shopId} and v.id = p.variant_id and v.deleted_at is null
    where p.shop_id = ${shopId} and p.failed_at is null and ${isUnconfirmed}
  `)
}

/**
 * Claims the oldest waiting costs, without those of unconfirmed variants; none when the shop has been uninstalled. Forgets those that a
 * transaction requested which committed after the merchant had switched write-back off. They are committed as sent before the requests,
 * since the platform's report of the change may arrive before its answer. All variants of an item get the report.
 */
export function claimCostPushes(db: Db, shopId: number, jobId: string): Promise<readonly CostPush[]> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return []
    if (await isSwitchedOff(tx, shopId)) {
      await forgetCostPushes(tx, shopId)
      return []
    }
    const ids = await tx.anyFirst(sql.typeAlias('id')`
      select p.variant_id as id
      from cost_push p
      join variant v on v.shop_id = ${shopId} and v.id = p.variant_id and v.deleted_at is null
      where p.shop_id = ${shopId} and ${isClaimable(jobId)} and not ${isUnconfirmed}
      order by p.requested_at
      limit ${pageSize}
    `)
    if (ids.length === 0) return []
    // every writer locks variants before their pushes
    await lockVariants(tx, shopId, ids)
    const claimed = await tx.any(sql.type(row(CostPush))`
      with claimed as (
        update cost_push p
        set claimed_by = ${jobId}, claimed_at = now(), attempts = attempts + 1
        where p.shop_id = ${shopId} and p.variant_id = any(${sql.array([...ids], 'int8')}) and ${isClaimable(jobId)}
        returning p.variant_id, p.cost, p.requested_at
      )
      select c.variant_id, c.cost::text, v.inventory_item_gid
      from claimed c
      join variant v on v.shop_id = ${shopId} and v.id = c.variant_id
      order by c.requested_at, c.variant_id
    `)
    await rememberPushedCosts(tx, shopId, claimed)
    return claimed
  })
}

/**
 * Renews the claim of a cost that is about to be sent. False when there is nothing to send any more: the cost was replaced or
 * forgotten, or another job has claimed it meanwhile.
 */
export async function renewClaim(db: Db, shopId: number, jobId: string, push: CostPush): Promise<boolean> {
  const renewed = await db.maybeOne(sql.typeAlias('id')`
    update cost_push
    set claimed_at = now()
    where shop_id = ${shopId} and variant_id = ${push.variantId} and claimed_by = ${jobId}
      and cost = ${push.cost}::numeric and failed_at is null
    returning variant_id as id
  `)
  return renewed !== null
}

const isSwitchedOff = (tx: Db, shopId: number): Promise<boolean> =>
  tx.exists(sql.typeAlias('void')`
    select from shop_setting where shop_id = ${shopId} and cost_write_back = 'off'
  `)
