import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { UpdatedVariant, type VariantPatch } from '../../../schemas/variants.ts'
import { unitCostAt } from './unit-cost-at.ts'

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
 * Stores a cost that a person enters; `null` takes the platform's again. One that repeats the stored
 * cost changes nothing, and the stored one keeps its origin. Throws not_found, also for a deleted variant.
 */
export async function storeUnitCost(
  tx: Db,
  shopId: number,
  variantId: string,
  { unitCost }: VariantPatch,
): Promise<{ variant: UpdatedVariant; isChanged: boolean }> {
  const isManual = unitCost !== null
  const isOfVariant = sql.fragment`v.shop_id = ${shopId} and v.gid = ${variantId} and v.deleted_at is null`
  const updated =
    unitCost === undefined
      ? null
      : await tx.maybeOne(sql.type(row(UpdatedVariant))`
          update variant v
          set unit_cost = case when ${isManual} then ${unitCost}::numeric else platform_cost end,
            cost_source = case when ${isManual} then 'manual' when platform_cost is not null then 'platform' end,
            cost_at = ${isManual ? sql.fragment`now()` : sql.fragment`case when platform_cost is not null then item_updated_at end`}
          where ${isOfVariant} and v.unit_cost is distinct from ${unitCost}::numeric
          returning v.gid as variant_id, ${costColumns('v')}
        `)
  if (updated) return { variant: updated, isChanged: true }
  const unchanged = await tx.maybeOne(sql.type(row(UpdatedVariant))`
    select v.gid as variant_id, ${costColumns('v')} from variant v where ${isOfVariant}
  `)
  if (!unchanged) throw notFound('Product')
  return { variant: unchanged, isChanged: false }
}
