import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest } from '../../../errors.ts'
import { Day } from '../../../schemas/common.ts'
import { InventoryValue, type InventoryValueFilter } from '../../../schemas/reports.ts'
import { type Period, resolveDates, timeZoneOf, todayOf } from '../../kit/date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'

const InventoryValueRow = Type.Composite([InventoryValue, PairKey])

const Days = Type.Object({ first: Day, last: Day, today: Day, isTodayShown: Type.Boolean() })

const defaultDays = 30

/** The cost of a piece: the moving average of `shared/domain/ledgers/costs/book.ts`, or the last cost. */
type Basis = NonNullable<InventoryValueFilter['basis']>

/**
 * SQL for the stock value by location: now, or at an instant (`at`), which the ledgers of stock and costs give exactly.
 * The value is of what is on hand: committed goods still belong to the shop. Pieces in transit are of the location that sent them.
 * Negative levels count as 0; a level that was never read counts as its available quantity. The levels of variants that share an
 * inventory item are one level, so only one of them counts: the oldest variant with a known cost. A movement of another one counts when
 * the platform has reported the level of the item. Pieces in transit have left it, and each transfer has its own.
 */
function stockValue(shopId: number, basis: Basis, at?: FragmentSqlToken) {
  const pieces = at
    ? sql.fragment`coalesce(l.on_hand, l.quantity) - coalesce(moved.delta, 0) - coalesce(reserved.delta, 0)`
    : sql.fragment`coalesce(l.on_hand, l.quantity)`
  const cost = at
    ? sql.fragment`(
        select ${basis === 'average' ? sql.fragment`m.average_after` : sql.fragment`m.last_cost_after`}
        from cost_movement m
        where m.shop_id = ${shopId} and m.variant_id = v.id and m.occurred_at < ${at}
        order by m.id desc
        limit 1
      )`
    : sql.fragment`${basis === 'average' ? sql.fragment`coalesce(c.average_cost, v.unit_cost)` : sql.fragment`v.unit_cost`}`
  // a variant is valued as it was then: not deleted yet, and tracked, also when that has changed since
  const isValued = at
    ? sql.fragment`(v.deleted_at is null or v.deleted_at >= ${at})
        and v.is_tracked <> coalesce(v.tracking_changed_at >= ${at}, false)`
    : sql.fragment`v.deleted_at is null and v.is_tracked`
  return sql.fragment`
    with repeated as materialized (
      select shared.variant_id
      from (
        select v.id as variant_id,
          row_number() over (partition by v.inventory_item_gid order by (${cost}) is null, v.id) as rank_in_item
        from variant v
        left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
        where v.shop_id = ${shopId} and ${isValued} and v.inventory_item_gid in (
          select inventory_item_gid
          from variant
          where shop_id = ${shopId} and inventory_item_gid is not null
          group by inventory_item_gid
          having count(*) > 1
        )
      ) shared
      where shared.rank_in_item > 1
    )
    select w.id as location_id, coalesce(stock.quantity, 0) as quantity, coalesce(stock.value, 0) as value,
      coalesce(stock.uncosted_quantity, 0) as uncosted_quantity
    from location w
    left join (
      select shelf.location_id, sum(shelf.pieces) as quantity,
        round(sum(shelf.pieces * shelf.cost), minor_digits(${currencyOf(shopId)})) as value,
        sum(shelf.pieces) filter (where shelf.cost is null) as uncosted_quantity
      from (
        select l.location_id, ${pieces} as pieces, ${cost} as cost
        from stock_level l
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
        ${at ? changesSince(shopId, at) : sql.fragment``}
        where l.shop_id = ${shopId} and ${isValued} and not exists (select from repeated where repeated.variant_id = v.id)
        union all
        select t.source_location_id, sent.pieces, ${cost}
        from (${at ? inTransitAt(shopId, at) : inTransit(shopId)}) sent
        join stock_transfer t on t.shop_id = ${shopId} and t.id = sent.transfer_id
        join variant v on v.shop_id = ${shopId} and v.id = sent.variant_id
        left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
        where ${isValued}
      ) shelf
      where shelf.pieces > 0
      group by shelf.location_id
    ) stock on stock.location_id = w.id
    where w.shop_id = ${shopId} and (w.is_active or stock.quantity > 0)
  `
}

/** Joins of what changed at each level since an instant: available pieces, and committed and unavailable ones. */
function changesSince(shopId: number, at: FragmentSqlToken) {
  const sumOf = (table: string) => sql.fragment`
    select variant_id, location_id, sum(delta) as delta
    from ${sql.identifier([table])}
    where shop_id = ${shopId} and occurred_at >= ${at}
    group by variant_id, location_id
  `
  return sql.fragment`
    left join (${sumOf('stock_movement')}) moved
      on moved.variant_id = l.variant_id and moved.location_id = l.location_id
    left join (${sumOf('stock_state_change')}) reserved
      on reserved.variant_id = l.variant_id and reserved.location_id = l.location_id
  `
}

/** SQL for the pieces in transit now, by transfer and variant. */
const inTransit = (shopId: number) => sql.fragment`
  select transfer_id, variant_id, in_transit as pieces
  from stock_transfer_item
  where shop_id = ${shopId} and in_transit > 0
`

/**
 * SQL for the pieces in transit at an instant: those of now, without the events since then, and with those that were reversed since
 * then.
 */
const inTransitAt = (shopId: number, at: FragmentSqlToken) => sql.fragment`
  select transfer_id, variant_id, sum(pieces) as pieces
  from (
    ${inTransit(shopId)}
    union all
    select e.transfer_id, x.variant_id,
      (x.shipped - x.received - x.lost - x.damaged - x.returned) * case when e.occurred_at < ${at} then 1 else -1 end
    from stock_transfer_event e
    join stock_transfer_event_item x on x.shop_id = ${shopId} and x.event_id = e.id
    where e.shop_id = ${shopId}
      and case when e.occurred_at < ${at} then e.reversed_at >= ${at} else e.reversed_at is null end
  ) change
  group by transfer_id, variant_id
`

/** SQL for the first instant after a day of the shop. */
const endOf = (shopId: number, day: FragmentSqlToken) => sql.fragment`
  ((${day} + 1)::timestamp at time zone ${timeZoneOf(shopId)})
`

/** SQL for the time of the shop's first cost movement: the ledgers know no value before. */
const ledgerStart = (shopId: number) => sql.fragment`
  (select occurred_at from cost_movement where shop_id = ${shopId} order by id limit 1)
`

/**
 * Stores the value at the end of yesterday, once the ledgers reach back to it, and the current value as today's, in the
 * shop's time zone; overwrites earlier values of both days.
 */
export async function snapshotInventoryValue(db: Db, shopId: number): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    const today = todayOf(shopId)
    const yesterday = sql.fragment`(${today} - 1)`
    const end = endOf(shopId, yesterday)
    const atEnd = sql.fragment`
      select x.* from (${stockValue(shopId, 'average', end)}) x where ${ledgerStart(shopId)} < ${end}
    `
    await storeDay(tx, shopId, yesterday, atEnd)
    await storeDay(tx, shopId, today, stockValue(shopId, 'average'))
  })
}

async function storeDay(
  tx: Db,
  shopId: number,
  day: FragmentSqlToken,
  values: FragmentSqlToken,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with fresh as (${values}),
    removed as (
      delete from inventory_value_day
      where shop_id = ${shopId} and day = ${day} and location_id not in (select location_id from fresh)
        and exists (select from fresh)
    )
    insert into inventory_value_day (shop_id, day, location_id, quantity, value, uncosted_quantity)
    select ${shopId}::bigint, ${day}, location_id, quantity, value, uncosted_quantity
    from fresh
    order by location_id
    on conflict (shop_id, day, location_id) do update
    set quantity = excluded.quantity,
      value = excluded.value,
      uncosted_quantity = excluded.uncosted_quantity,
      computed_at = excluded.computed_at
  `)
}

/**
 * Lists the stock value by day, newest first, today's as of now. Default: the 30 days up to the end date. With `asOf` the
 * value at the end of that day, from the ledgers; of a day before them, what its night stored. The stored days are at the average
 * cost; at the last cost there are only today and the days of `asOf`. Throws invalid_request for a day of the future.
 */
export async function listInventoryValue(
  db: Db,
  shopId: number,
  filter: InventoryValueFilter,
): Promise<Page<InventoryValue>> {
  if (filter.asOf !== undefined) return valueAsOf(db, shopId, filter.asOf, filter)
  const after = readPair(filter.cursor)
  const basis = filter.basis ?? 'average'
  const days = await resolveDays(db, shopId, await resolveDates(db, shopId, filter), after)
  const today = sql.fragment`
    union all
    select ${days.today}::date, location_id, quantity, value, uncosted_quantity from (${stockValue(shopId, basis)}) now
  `
  const rows = await db.any(sql.type(row(InventoryValueRow))`
    select d.day::text as date, w.gid as location_id, w.name as location_name, d.quantity, d.value,
      d.uncosted_quantity, (extract(epoch from d.day) * 1000000)::bigint as rank, d.location_id as row_id
    from (
      select day, location_id, quantity, value, uncosted_quantity
      from inventory_value_day
      where shop_id = ${shopId} and day >= ${days.first}::date and day <= ${days.last}::date
        and day <> ${days.today}::date and ${basis === 'average'}
      ${days.isTodayShown ? today : sql.fragment``}
    ) d
    join location w on w.shop_id = ${shopId} and w.id = d.location_id
    ${after ? sql.fragment`where (d.day, d.location_id) < (${dayOf(after)}, ${after.rowId}::bigint)` : sql.fragment``}
    order by d.day desc, d.location_id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}

async function valueAsOf(
  db: Db,
  shopId: number,
  day: string,
  filter: InventoryValueFilter,
): Promise<Page<InventoryValue>> {
  const faults = [
    ...(filter.startDate !== undefined ? ['/startDate'] : []),
    ...(filter.endDate !== undefined ? ['/endDate'] : []),
  ].map((path) => ({ path, message: 'cannot be combined with asOf' }))
  if (faults.length > 0) throw badRequest(faults)
  const source = await db.one(sql.type(row(Source))`
    select ${day}::date > today as is_future, ${day}::date = today as is_today,
      coalesce(${ledgerStart(shopId)} < ${endOf(shopId, sql.fragment`${day}::date`)}, false) as is_in_ledger
    from (select ${todayOf(shopId)} as today) shop
  `)
  if (source.isFuture) throw badRequest([{ path: '/asOf', message: 'must not be in the future' }])
  const basis = filter.basis ?? 'average'
  const ofLedger = source.isToday
    ? stockValue(shopId, basis)
    : stockValue(shopId, basis, endOf(shopId, sql.fragment`${day}::date`))
  const stored = sql.fragment`
    select location_id, quantity, value, uncosted_quantity
    from inventory_value_day
    where shop_id = ${shopId} and day = ${day}::date and ${basis === 'average'}
  `
  const after = readPair(filter.cursor)
  const rows = await db.any(sql.type(row(InventoryValueRow))`
    select ${day} as date, w.gid as location_id, w.name as location_name, d.quantity, d.value, d.uncosted_quantity,
      0 as rank, d.location_id as row_id
    from (${source.isToday || source.isInLedger ? ofLedger : stored}) d
    join location w on w.shop_id = ${shopId} and w.id = d.location_id
    ${after ? sql.fragment`where d.location_id < ${after.rowId}::bigint` : sql.fragment``}
    order by d.location_id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}

const Source = Type.Object({
  isFuture: Type.Boolean(),
  isToday: Type.Boolean(),
  isInLedger: Type.Boolean(),
})

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
