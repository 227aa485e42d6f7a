import { type Db, sql } from '../../../../db/db.ts'

/**
 * The variants that a budget considers, at most `limit`, the best first: those that run out before an order of the next
 * review arrives, by the revenue that is lost; then those that sold most in 90 days, by revenue; then those that sold in 30
 * days; then the others with a forecast, by id. Each part is the start of an index, so that the time does not grow with the shop.
 */
export async function readBestVariants(
  db: Db,
  shopId: number,
  limit: number,
): Promise<{ variantIds: readonly number[]; isComplete: boolean }> {
  const maxRows = limit + 1
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select best.id
    from (
      (
        select g.variant_id as id, 1 as part, row_number() over (order by g.rank, g.id) as place
        from stock_gap g
        where g.shop_id = ${shopId}
        order by g.rank, g.id
        limit ${maxRows}
      )
      union all
      (
        select y.variant_id, 2, row_number() over (order by y.revenue_90d desc, y.variant_id desc)
        from variant_velocity y
        where y.shop_id = ${shopId} and y.revenue_90d > 0
        order by y.revenue_90d desc, y.variant_id desc
        limit ${maxRows}
      )
      union all
      (
        select y.variant_id, 3, row_number() over (order by y.units_30d desc, y.variant_id desc)
        from variant_velocity y
        where y.shop_id = ${shopId} and y.units_30d > 0
        order by y.units_30d desc, y.variant_id desc
        limit ${maxRows}
      )
      union all
      (
        select f.variant_id, 4, row_number() over (order by f.variant_id)
        from variant_forecast f
        where f.shop_id = ${shopId} and f.location_id is null
        order by f.variant_id
        limit ${maxRows}
      )
    ) best
    group by best.id
    order by min(array[best.part, best.place]), best.id
    limit ${maxRows}
  `)
  return { variantIds: ids.slice(0, limit), isComplete: ids.length <= limit }
}
