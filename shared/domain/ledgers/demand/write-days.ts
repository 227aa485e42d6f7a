import { type Db, sql } from '../../../db/db.ts'
import { daysToKeep, keptDays, periodOf, soldUnits, stockByDay, unitsByLocation } from './day-steps.ts'

/**
 * Writes the days of these variants in steps:
 *
 * 1. The units of a day are those of its orders, less those cancelled before they were shipped.
 * 2. They are shared among the locations whose available quantity the platform lowered on that day, in proportion; without
 *    such a movement in proportion to the last 28 days, else the primary location gets them. Rounded so that no unit is
 *    lost: 3 units of 50 % and 50 % are 2 and 1.
 * 3. The stock at the start of a day is the level less all later movements. Before the first movement of a level and the
 *    shop's first catalogue sync, which writes a movement for each level with stock, the stock is unknown if the variant
 *    existed at that sync, else there was none. A level that has always been 0 since does not count.
 * 4. A day without stock and without a sale is stored with no units, until 364 days after the last sale of the variant.
 *
 * Days older than 800, and days before the sales are known, are removed. Returns the variants (row ids) of which a location sold for the
 * first time after another location of the variant. For the new location, earlier runs wrote no days without stock.
 */
export async function writeDays(
  tx: Db,
  shopId: number,
  ids: readonly number[],
  { isWhole }: { isWhole: boolean },
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  // Postgres cannot estimate the rows of these steps, and a nested loop over them would take minutes; the laterals read
  // the tables by index in any case
  await tx.query(sql.typeAlias('void')`set local enable_nestloop = off`)
  const opened = await tx.anyFirst(sql.typeAlias('id')`
    with ${periodOf(shopId, ids, isWhole)},
    ${soldUnits(shopId)},
    ${unitsByLocation(shopId)},
    ${stockByDay(shopId)},
    ${daysToKeep},
    removed as (
      delete from demand_day d
      using shop
      where d.shop_id = ${shopId} and d.variant_id = any(${sql.array([...ids], 'int8')})
        and (
          d.day <= shop.to_day - ${keptDays}::int
          or d.day < shop.known_day
          or d.day >= shop.from_day and not exists (
            select from fresh f
            where f.variant_id = d.variant_id and f.location_id = d.location_id and f.day = d.day
          )
        )
    ),
    written as (
      insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock, is_sold_out)
      select ${shopId}::bigint, variant_id, location_id, day, units, in_stock, is_sold_out
      from fresh
      order by variant_id, location_id, day
      on conflict (shop_id, variant_id, location_id, day) do update
      set units = excluded.units, in_stock = excluded.in_stock, is_sold_out = excluded.is_sold_out
      where (demand_day.units, demand_day.in_stock, demand_day.is_sold_out)
        is distinct from (excluded.units, excluded.in_stock, excluded.is_sold_out)
    )
    select distinct l.variant_id as id
    from located l
    where exists (select from stored s where s.variant_id = l.variant_id)
      and not exists (select from stored s where s.variant_id = l.variant_id and s.location_id = l.location_id)
    order by 1
  `)
  await tx.query(sql.typeAlias('void')`set local enable_nestloop = on`)
  return opened
}
