import { type Db, row, sql } from '../../db/db.ts'
import { notFound } from '../../errors.ts'
import { UpdatedVariant, type VariantPatch } from '../../schemas/variants.ts'
import { forgetCostPushesOf } from '../cost-pushes/forget.ts'
import { requestCostPushes } from '../cost-pushes/request.ts'
import { followUnitCosts } from '../costs/follow.ts'
import { unitCostAt } from '../costs/unit-cost-at.ts'

/** SQL columns with the cost of a variant. */
export function costColumns(variant: string) {
  const v = (column: string) => sql.identifier([variant, column])
  return sql.fragment`
    ${v('unit_cost')},
    case when ${v('unit_cost')} is not null then coalesce(${v('cost_source')}, 'receipt') end as cost_source,
    case when ${v('unit_cost')} is not null then ${unitCostAt(variant)} end as cost_at
  `
}

/**
 * Stores a cost that a person enters; `null` takes the platform's again. A cost that repeats the stored one keeps its
 * origin. Throws not_found, also for a deleted variant.
 */
export function setUnitCost(
  db: Db,
  shopId: number,
  variantId: string,
  actor: string,
  { unitCost }: VariantPatch,
): Promise<UpdatedVariant> {
  return db.transaction(async (tx) => {
    const isManual = unitCost !== null
    const isOfVariant = sql.fragment`v.shop_id = ${shopId} and v.gid = ${variantId} and v.deleted_at is null`
    const updated =
      unitCost !== undefined &&
      (await tx.maybeOne(sql.type(row(UpdatedVariant))`
      update variant v
      set unit_cost = case when ${isManual} then ${unitCost}::numeric else platform_cost end,
        cost_source = case when ${isManual} then 'manual' when platform_cost is not null then 'platform' end,
        cost_at = ${isManual ? sql.fragment`now()` : sql.fragment`case when platform_cost is not null then item_updated_at end`}
      where ${isOfVariant} and v.unit_cost is distinct from ${unitCost}::numeric
      returning v.gid as variant_id, ${costColumns('v')}
    `))
    if (updated) {
      await followUnitCosts(tx, shopId, isOfVariant, actor)
      if (isManual) {
        await requestCostPushes(
          tx,
          shopId,
          sql.fragment`c.variant_id = (
          select v.id from variant v where ${isOfVariant}
        )`,
        )
      } else {
        // a cost of the platform is not sent back, and one of before must not overwrite it
        await forgetCostPushesOf(tx, shopId, isOfVariant)
      }
      return updated
    }
    const unchanged = await tx.maybeOne(sql.type(row(UpdatedVariant))`
    select v.gid as variant_id, ${costColumns('v')} from variant v where ${isOfVariant}
  `)
    if (!unchanged) throw notFound('Product')
    return unchanged
  })
}
