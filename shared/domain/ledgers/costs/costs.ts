import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { Id, type PageQuery } from '../../../schemas/common.ts'
import { CostMovement, VariantCosts } from '../../../schemas/costs.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { currencyOf } from '../../records/shops/currency.ts'

const FoundCosts = Type.Object({ ...Type.Omit(VariantCosts, ['movements']).properties, id: Id })

/**
 * The book cost of a variant with its movements, newest first. A movement that is booked meanwhile may be among them while the cost is
 * that before it. Throws not_found, also for a deleted variant.
 */
export async function getVariantCosts(
  db: Db,
  shopId: number,
  variantId: string,
  query: PageQuery,
): Promise<VariantCosts> {
  const found = await db.maybeOne(sql.type(row(FoundCosts))`
    select v.id, v.gid as variant_id, ${currencyOf(shopId)} as currency, round(c.average_cost, 6) as average_cost,
      coalesce(c.last_cost, v.unit_cost) as last_cost, coalesce(c.source, v.cost_source) as source, stock.on_hand,
      round(greatest(stock.on_hand, 0) * c.average_cost, minor_digits(${currencyOf(shopId)})) as value,
      (
        select jsonb_build_object(
          'cost', p.cost, 'state', case when p.failed_at is null then 'waiting' else 'failed' end, 'reason', p.reason
        )
        from cost_push p
        where p.shop_id = ${shopId} and p.variant_id = v.id
      ) as write_back
    from variant v
    left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
    cross join lateral (select on_hand from shop_stock(${shopId}, array[v.id])) stock
    where v.shop_id = ${shopId} and v.gid = ${variantId} and v.deleted_at is null
  `)
  if (!found) throw notFound('Product')
  const { id, ...costs } = found
  return { ...costs, movements: [...(await readMovements(db, shopId, id, query, pageSize(query)))] }
}

/** The movements of the cost of a variant, newest first. Throws not_found, also for a deleted variant. */
export async function listCostMovements(
  db: Db,
  shopId: number,
  variantId: string,
  query: PageQuery,
): Promise<Page<CostMovement>> {
  const variant = await db.maybeOne(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = ${variantId} and deleted_at is null
  `)
  if (!variant) throw notFound('Product')
  return toPage(await readMovements(db, shopId, variant.id, query, pageSize(query) + 1), query)
}

const readMovements = (db: Db, shopId: number, variantId: number, { cursor }: PageQuery, limit: number) =>
  db.any(sql.type(row(CostMovement))`
    select id, occurred_at, cause, reference, actor, quantity, round(unit_cost, 6) as unit_cost,
      round(average_before, 6) as average_before, round(average_after, 6) as average_after,
      round(variance, 6) as variance
    from cost_movement
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and variant_id = ${variantId}`,
      cursor !== undefined && sql.fragment`id < ${cursor}`,
    ])}
    order by id desc
    limit ${limit}
  `)
