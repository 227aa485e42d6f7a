import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Day } from '../../schemas/common.ts'
import { InventoryValue, type InventoryValueFilter } from '../../schemas/reports.ts'
import { type Period, resolveDates, timeZoneOf, todayOf } from '../date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../pages.ts'
import { lockInstalledShop } from '../shops/shops.ts'

const InventoryValueRow = Type.Composite([InventoryValue, PairKey])

const Days = Type.Object({ first: Day, last: Day, today: Day, isTodayShown: Type.Boolean() })

const defaultDays = 30

/**
 * SQL for the current stock value by location, at the last unit costs. The value is of what is on hand: committed goods
 * still belong to the shop. Negative levels count as 0; a level that was never read counts as its available quantity.
 */
const valueOfNow = (shopId: number) => sql.fragment`
  select w.id as location_id, coalesce(stock.quantity, 0) as quantity, coalesce(stock.value, 0) as value,
    coalesce(stock.uncosted_quantity, 0) as uncosted_quantity
  from location w
  left join (
    select l.location_id, sum(shelf.pieces) as quantity, round(sum(shelf.pieces * v.unit_cost), 2) as value,
      sum(shelf.pieces) filter (where v.unit_cost is null) as uncosted_quantity
    from stock_level l
    cross join lateral (select coalesce(l.on_hand, l.quantity) as pieces) shelf
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
    where l.shop_id = ${shopId} and shelf.pieces > 0 and v.deleted_at is null and v.is_tracked
    group by l.location_id
  ) stock on stock.location_id = w.id
  where w.shop_id = ${shopId} and (w.is_active or stock.quantity > 0)
`

/** Stores the current stock value for today, in the shop's time zone; overwrites an earlier value of today. */
export function snapshotInventoryValue(db: Db, shopId: number): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return
    await tx.query(sql.typeAlias('void')`
      with fresh as (${valueOfNow(shopId)}),
      removed as (
        delete from inventory_value_day
        where shop_id = ${shopId} and day = ${todayOf(shopId)} and location_id not in (select location_id from fresh)
      )
      insert into inventory_value_day (shop_id, day, location_id, quantity, value, uncosted_quantity)
      select ${shopId}::bigint, ${todayOf(shopId)}, location_id, quantity, value, uncosted_quantity
      from fresh
      order by location_id
      on conflict (shop_id, day, location_id) do update
      set quantity = excluded.quantity,
        value = excluded.value,
        uncosted_quantity = excluded.uncosted_quantity,
        computed_at = now()
    `)
  })
}

/** Lists the stock value by day, newest first, today's as of now. Default: the 30 days up to the end date. */
export async function listInventoryValue(
  db: Db,
  shopId: number,
  filter: InventoryValueFilter,
): Promise<Page<InventoryValue>> {
  const after = readPair(filter.cursor)
  const days = await resolveDays(db, shopId, await resolveDates(db, shopId, filter), after)
  const today = sql.fragment`
    union all
    select ${days.today}::date, location_id, quantity, value, uncosted_quantity from (${valueOfNow(shopId)}) now
  `
  const rows = await db.any(sql.type(row(InventoryValueRow))`
    select d.day::text as date, w.gid as location_id, w.name as location_name, d.quantity, d.value,
      d.uncosted_quantity, (extract(epoch from d.day) * 1000000)::bigint as rank, d.location_id as row_id
    from (
      select day, location_id, quantity, value, uncosted_quantity
      from inventory_value_day
      where shop_id = ${shopId} and day >= ${days.first}::date and day <= ${days.last}::date
        and day <> ${days.today}::date
      ${days.isTodayShown ? today : sql.fragment``}
    ) d
    join location w on w.shop_id = ${shopId} and w.id = d.location_id
    ${after ? sql.fragment`where (d.day, d.location_id) < (${dayOf(after)}, ${after.rowId}::bigint)` : sql.fragment``}
    order by d.day desc, d.location_id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}

const dayOf = ({ rank }: { rank: number }) =>
  sql.fragment`(timestamp 'epoch' + ${rank} * interval '1 microsecond')::date`

/** The days of a period, and whether the page after the cursor can include today. */
function resolveDays(db: Db, shopId: number, { from, to }: Period, after: { rank: number } | null) {
  return db.one(sql.type(row(Days))`
    select first::text, last::text, today::text,
      today between first and last ${after ? sql.fragment`and today <= ${dayOf(after)}` : sql.fragment``}
        as is_today_shown
    from (
      select ${todayOf(shopId)} as today, ${timeZoneOf(shopId)} as time_zone
    ) shop
    cross join lateral (
      select coalesce((${to}::timestamptz at time zone time_zone - interval '1 microsecond')::date, today) as last
    ) ending
    cross join lateral (
      select coalesce((${from}::timestamptz at time zone time_zone)::date, last - ${defaultDays - 1}::int) as first
    ) beginning
  `)
}
