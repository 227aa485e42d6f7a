import { type Db, row, sql } from '../../db/db.ts'
import { notFound } from '../../errors.ts'
import type { PageQuery } from '../../schemas/common.ts'
import { CostMovement, VariantCosts } from '../../schemas/costs.ts'
import { isoInstant } from '../date-range.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { currencyOf } from '../shops/currency.ts'

/** The book cost of a variant with its movements, newest first. Throws not_found, also for a deleted variant. */
export async function getVariantCosts(
  db: Db,
  shopId: number,
  variantId: string,
  query: PageQuery,
): Promise<VariantCosts> {
  const costs = await db.maybeOne(sql.type(row(VariantCosts))`
    select v.gid as variant_id, ${currencyOf(shopId)} as currency, round(c.average_cost, 6) as average_cost,
      coalesce(c.last_cost, v.unit_cost) as last_cost, coalesce(c.source, v.cost_source) as source, stock.on_hand,
      round(greatest(stock.on_hand, 0) * c.average_cost, minor_digits(${currencyOf(shopId)})) as value,
      (
        select jsonb_build_object(
          'cost', p.cost, 'state', case when p.failed_at is null then 'waiting' else 'failed' end, 'reason', p.reason
        )
        from cost_push p
        where p.shop_id = ${shopId} and p.variant_id = v.id
      ) as write_back,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', m.id, 'occurredAt', ${isoInstant(sql.fragment`m.occurred_at`)},
          'cause', m.cause, 'reference', m.reference, 'actor', m.actor, 'quantity', m.quantity,
          'unitCost', round(m.unit_cost, 6), 'averageBefore', round(m.average_before, 6),
          'averageAfter', round(m.average_after, 6), 'variance', round(m.variance, 6)
        ) order by m.id desc), '[]')
        from (
          select *
          from cost_movement
          where ${sql.and([
            sql.fragment`shop_id = ${shopId} and variant_id = v.id`,
            query.cursor !== undefined && sql.fragment`id < ${query.cursor}`,
          ])}
          order by id desc
          limit ${pageSize(query)}
        ) m
      ) as movements
    from variant v
    left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
    cross join lateral (select on_hand from shop_stock(${shopId}, array[v.id])) stock
    where v.shop_id = ${shopId} and v.gid = ${variantId} and v.deleted_at is null
  `)
  if (!costs) throw notFound('Product')
  return costs
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
  const rows = await db.any(sql.type(row(CostMovement))`
    select id, occurred_at, cause, reference, actor, quantity, round(unit_cost, 6) as unit_cost,
      round(average_before, 6) as average_before, round(average_after, 6) as average_after,
      round(variance, 6) as variance
    from cost_movement
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and variant_id = ${variant.id}`,
      query.cursor !== undefined && sql.fragment`id < ${query.cursor}`,
    ])}
    order by id desc
    limit ${pageSize(query) + 1}
  `)
  return toPage(rows, query)
}
