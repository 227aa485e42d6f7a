import { type Db, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { DecidedCostPush } from '../../../schemas/costs.ts'
import { resolveAlert } from '../../kit/alerts/alerts.ts'
import { alertOf } from './forget.ts'

/** Sends a cost that the platform has refused again. Throws not_found, and conflict if no cost of the variant was refused. */
export function retryCostPush(db: Db, shopId: number, variantGid: string): Promise<DecidedCostPush> {
  return db.transaction(async (tx) => {
    const variantId = await lockVariant(tx, shopId, variantGid)
    const push = await tx.maybeOne(sql.typeAlias('id')`
      update cost_push
      set failed_at = null, reason = '', attempts = 0, requested_at = now()
      where shop_id = ${shopId} and variant_id = ${variantId} and failed_at is not null
      returning variant_id as id
    `)
    if (!push) throw nothingFailed()
    await resolveAlert(tx, shopId, alertOf(variantId))
    await enqueue(tx, jobs.pushCosts, { shopId })
    return { variantId: variantGid, state: 'waiting' }
  })
}

/** Forgets a cost that the platform has refused; the variant's next cost is sent. Throws as `retryCostPush`. */
export function discardCostPush(db: Db, shopId: number, variantGid: string): Promise<DecidedCostPush> {
  return db.transaction(async (tx) => {
    const variantId = await lockVariant(tx, shopId, variantGid)
    const push = await tx.maybeOne(sql.typeAlias('id')`
      delete from cost_push
      where shop_id = ${shopId} and variant_id = ${variantId} and failed_at is not null
      returning variant_id as id
    `)
    if (!push) throw nothingFailed()
    await resolveAlert(tx, shopId, alertOf(variantId))
    return { variantId: variantGid, state: 'discarded' }
  })
}

/** Every writer locks a variant before its push. */
async function lockVariant(tx: Db, shopId: number, gid: string): Promise<number> {
  const variant = await tx.maybeOne(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = ${gid} for no key update
  `)
  if (!variant) throw notFound('Product')
  return variant.id
}

const nothingFailed = () =>
  conflict(
    'Your shop has not refused the cost of this product, so there is nothing to decide. Reload the page.',
  )
