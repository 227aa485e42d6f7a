import { type Db, row, sql } from '../../db/db.ts'
import { notFound } from '../../errors.ts'
import { UpdatedVariant, type VariantPatch } from '../../schemas/variants.ts'

/** SQL columns with the cost of a variant. The release before stores the cost of a receipt without its source. */
export function costColumns(variant: string) {
  const v = (column: string) => sql.identifier([variant, column])
  return sql.fragment`
    ${v('unit_cost')},
    case
      when ${v('unit_cost')} is null then null
      when ${v('cost_source')} = 'platform' and ${v('unit_cost')} is distinct from ${v('platform_cost')} then 'receipt'
      else coalesce(${v('cost_source')}, 'receipt')
    end as cost_source,
    case when ${v('unit_cost')} is not null then ${v('cost_at')} end as cost_at
  `
}

/** Stores a cost that a person tells; `null` takes the platform's again. Throws not_found, also for a deleted variant. */
export async function setUnitCost(
  db: Db,
  shopId: number,
  variantId: string,
  { unitCost }: VariantPatch,
): Promise<UpdatedVariant> {
  const isManual = unitCost !== null
  const updated = await db.maybeOne(sql.type(row(UpdatedVariant))`
    update variant v
    set unit_cost = case when ${isManual} then ${unitCost}::numeric else platform_cost end,
      cost_source = case when ${isManual} then 'manual' when platform_cost is not null then 'platform' end,
      cost_at = case when ${isManual} then now() when platform_cost is not null then item_updated_at end
    where shop_id = ${shopId} and gid = ${variantId} and deleted_at is null
    returning gid as variant_id, ${costColumns('v')}
  `)
  if (!updated) throw notFound('Product')
  return updated
}
