import { type Db, sql } from '../../shared/db/db.ts'
import { computePlanningBatch } from '../../shared/domain/planning/planning/compute.ts'

type Shop = { shopId: number }

/** Gives each variant a forecast of 0 to 10 a week from this week on, and every tenth one 20 days without stock. */
export async function forecastShop(db: Db, { shopId }: Shop): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into variant_forecast (
      shop_id, variant_id, week, model, weights, parameters, units, standard_error, computed_at
    )
    select v.shop_id, v.id, date_trunc('week', current_date)::date, 'mean', '{}', '{}',
      array_fill((v.id % 30)::float8 / 3, array[26]), 1, now()
    from variant v
    where v.shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`
    insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock, is_sold_out)
    select v.shop_id, v.id, w.id, current_date - d, case when d > 20 then 2 else 0 end, d > 20, d <= 20
    from variant v
    join location w on w.shop_id = v.shop_id and w.is_primary
    cross join generate_series(1, 40) as d
    where v.shop_id = ${shopId} and v.id % 10 = 0
  `)
}

/** Does the work of `recompute-planning` for one shop, as the task does. Returns milliseconds. */
export async function planShop(db: Db, { shopId }: Shop): Promise<number> {
  const startedAt = performance.now()
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    after = await db.transaction((tx) => computePlanningBatch(tx, shopId, from))
  }
  return performance.now() - startedAt
}
