import { type Db, sql } from '../../../db/db.ts'
import type { UpdatedVariant, VariantPatch } from '../../../schemas/variants.ts'
import { storeUnitCost } from '../../records/catalogue/unit-cost.ts'
import { forgetCostPushesOf } from '../cost-pushes/forget.ts'
import { requestCostPushes } from '../cost-pushes/request.ts'
import { followUnitCosts } from './follow.ts'

/** Stores a cost that a person enters (`storeUnitCost`, with its errors), in the ledger, too. A cost of the platform is not sent back. */
export function setUnitCost(
  db: Db,
  shopId: number,
  variantId: string,
  actor: string,
  patch: VariantPatch,
): Promise<UpdatedVariant> {
  return db.transaction(async (tx) => {
    const { variant, isChanged } = await storeUnitCost(tx, shopId, variantId, patch)
    if (!isChanged) return variant
    const isOfVariant = sql.fragment`v.shop_id = ${shopId} and v.gid = ${variantId}`
    await followUnitCosts(tx, shopId, isOfVariant, actor)
    if (patch.unitCost === null) {
      // a waiting cost is older and must not overwrite the platform's
      await forgetCostPushesOf(tx, shopId, isOfVariant)
    } else {
      const variants = sql.fragment`c.variant_id = (select v.id from variant v where ${isOfVariant})`
      await requestCostPushes(tx, shopId, variants)
    }
    return variant
  })
}
