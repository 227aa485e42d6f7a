import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { DeadStock, type DeadStockFilter } from '../../../schemas/reports.ts'
import { startOfDays, timeZoneOf, todayOf } from '../../kit/date-range.ts'
import {
  isAfterInstant,
  type Page,
  PairKey,
  pageSize,
  readPair,
  toPairPage,
  withCount,
} from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'

const DeadStockRow = Type.Composite([DeadStock, PairKey])

/** The sort key of the index `variant_velocity_last_sold`: variants never sold come first. */
const lastSold = sql.fragment`coalesce(y.last_sold_at, timestamptz 'epoch')`

/**
 * Lists variants in stock without a sale in the last `days` days, today included; never sold first, then by the oldest
 * last sale. Leaves out deleted and untracked variants, and those whose sales are not known for as long as that: the sales of the
 * shop, or the variant, are newer. A variant is in stock when pieces are available, since committed pieces are
 * sold; the value is that of all pieces on hand at their average cost, as in `inventory-value.ts`.
 */
export async function listDeadStock(
  db: Db,
  shopId: number,
  filter: DeadStockFilter,
): Promise<Page<DeadStock>> {
  const after = readPair(filter.cursor)
  const days = filter.days ?? 90
  const conditions = [
    sql.fragment`v.deleted_at is null and v.is_tracked and stock.current_stock > 0`,
    // implied by the sum; lets Postgres start from the levels of a shop with little stock
    sql.fragment`exists (
      select from stock_level l where l.shop_id = ${shopId} and l.variant_id = y.variant_id and l.quantity > 0
    )`,
    sql.fragment`${lastSold} < ${startOfDays(shopId, days)}`,
    sql.fragment`coalesce(greatest(known.known_day, y.first_day) <= known.today - ${days}::int, true)`,
    matchesSearch('v', filter.search),
    ...matchesProduct('p', filter),
  ]
  const listed = sql.fragment`
    from variant_velocity y
    join variant v on v.shop_id = ${shopId} and v.id = y.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    cross join lateral (
      select sum(l.quantity) as current_stock, sum(greatest(coalesce(l.on_hand, l.quantity), 0)) as on_hand
      from stock_level l
      where l.shop_id = ${shopId} and l.variant_id = y.variant_id
    ) stock
    cross join (${knownDaysOf(shopId)}) known
    where y.shop_id = ${shopId} and ${sql.and(conditions)}
  `
  const unitCost = sql.fragment`coalesce(
    (select c.average_cost from variant_cost c where c.shop_id = ${shopId} and c.variant_id = v.id), v.unit_cost
  )`
  const rows = db.any(sql.type(row(DeadStockRow))`
    select v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title, stock.current_stock,
      stock.on_hand, round(${unitCost}, 6) as unit_cost,
      round(stock.on_hand * ${unitCost}, minor_digits(${currencyOf(shopId)})) as value, y.last_sold_at,
      ${todayOf(shopId)} - (y.last_sold_at at time zone ${timeZoneOf(shopId)})::date as days_since_sold,
      case when y.last_sold_at is null and coalesce(y.first_day <= known.known_day, true) then known.known_since end as known_since,
      (extract(epoch from ${lastSold}) * 1000000)::bigint as rank, y.variant_id as row_id
    ${listed}
      and ${after === null || isAfterInstant(after, [lastSold, sql.fragment`y.variant_id`], true)}
    order by ${lastSold}, y.variant_id
    limit ${pageSize(filter) + 1}
  `)
  const page = rows.then((found) => toPairPage(found, filter))
  return withCount(db, filter, listed, page)
}
