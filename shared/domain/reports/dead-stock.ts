import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { DeadStock, type DeadStockFilter } from '../../schemas/reports.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { startOfDays, timeZoneOf, todayOf } from '../date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../pages.ts'

const DeadStockRow = Type.Composite([DeadStock, PairKey])

/** The order of the index `variant_velocity_last_sold`: what was never sold comes before all that was. */
const lastSold = sql.fragment`coalesce(y.last_sold_at, timestamptz 'epoch')`

/**
 * What lies there and was not sold today or in the days before it, so many in all: what was never sold first, then what
 * was sold longest ago. Deleted variants, and those that nobody counts, are left out. Value is at the cost that was paid
 * last, null where nobody knows it.
 */
export async function listDeadStock(
  db: Db,
  shopId: number,
  filter: DeadStockFilter,
): Promise<Page<DeadStock>> {
  const after = readPair(filter.cursor)
  const rows = await db.any(sql.type(row(DeadStockRow))`
    select v.gid as variant_id, v.sku, ${variantTitle} as title, stock.current_stock,
      v.unit_cost, round(stock.current_stock * v.unit_cost, 2) as value, y.last_sold_at,
      ${todayOf(shopId)} - (y.last_sold_at at time zone ${timeZoneOf(shopId)})::date as days_since_sold,
      (extract(epoch from ${lastSold}) * 1000000)::bigint as rank, y.variant_id as row_id
    from variant_velocity y
    join variant v on v.shop_id = y.shop_id and v.id = y.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    cross join lateral (
      select sum(l.quantity) as current_stock
      from stock_level l
      where l.shop_id = y.shop_id and l.variant_id = y.variant_id
    ) stock
    where ${sql.and([
      sql.fragment`y.shop_id = ${shopId} and v.deleted_at is null and v.is_tracked and stock.current_stock > 0`,
      // follows from the sum, and lets a shop with little in stock be read from there
      sql.fragment`exists (
        select from stock_level l where l.shop_id = y.shop_id and l.variant_id = y.variant_id and l.quantity > 0
      )`,
      sql.fragment`${lastSold} < ${startOfDays(shopId, filter.days ?? 90)}`,
      after !== null &&
        sql.fragment`
          (${lastSold}, y.variant_id)
            > (timestamptz 'epoch' + ${after.rank} * interval '1 microsecond', ${after.rowId}::bigint)
        `,
    ])}
    order by ${lastSold}, y.variant_id
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}
