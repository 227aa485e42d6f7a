import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Nullable } from '../../../schemas/common.ts'
import { raiseAlert, resolveAlert } from '../../kit/alerts/alerts.ts'
import { storePushedCost } from '../../records/catalogue/pushed-costs.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import type { CostPush } from './claim.ts'
import { alertOf } from './forget.ts'

/** What the platform has now: the cost as it keeps it, and when the item changed (ISO 8601). */
export type PushedCost = { cost: string | null; updatedAt: string }

/** The platform has the cost. Another one that was requested meanwhile waits for the next claim. */
export async function settleCostPush(
  db: Db,
  shopId: number,
  push: CostPush,
  { cost, updatedAt }: PushedCost,
): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    await storePushedCost(tx, shopId, { itemGid: push.inventoryItemGid, cost, updatedAt })
    await tx.query(sql.typeAlias('void')`
      delete from cost_push
      where shop_id = ${shopId} and variant_id = ${push.variantId} and cost = ${push.cost}::numeric
    `)
    await tx.query(sql.typeAlias('void')`
      update cost_push set claimed_by = null, claimed_at = null where shop_id = ${shopId} and variant_id = ${push.variantId}
    `)
    await resolveAlert(tx, shopId, alertOf(push.variantId))
  })
}

/** The platform serves no requests at the moment: any job may send the costs later. */
export async function releaseCostPushes(
  db: Db,
  shopId: number,
  jobId: string,
  reason: string,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update cost_push
    set claimed_by = null, claimed_at = null, reason = ${reason}
    where shop_id = ${shopId} and claimed_by = ${jobId}
  `)
}

const FailedVariant = Type.Object({ title: Type.String(), productGid: Nullable(Type.String()) })

/** The platform will never accept the cost: it is not sent again until the variant has another one, and the merchant gets an alert. */
export async function failCostPush(db: Db, shopId: number, push: CostPush, reason: string): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    const failed: Static<typeof FailedVariant> | null = await tx.maybeOne(sql.type(row(FailedVariant))`
      with failed as (
        update cost_push
        set claimed_by = null, claimed_at = null, failed_at = now(), reason = ${reason}
        where shop_id = ${shopId} and variant_id = ${push.variantId} and cost = ${push.cost}::numeric
        returning variant_id
      )
      select ${variantTitle('v', 'p')} as title, p.gid as product_gid
      from failed f
      join variant v on v.shop_id = ${shopId} and v.id = f.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
    `)
    if (!failed) {
      await tx.query(sql.typeAlias('void')`
        update cost_push set claimed_by = null, claimed_at = null where shop_id = ${shopId} and variant_id = ${push.variantId}
      `)
      return
    }
    const message = `The cost of ${failed.title} could not be written to the platform. ${reason}`
    await raiseAlert(tx, shopId, { ...alertOf(push.variantId), message, productGid: failed.productGid })
  })
}
