import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { type ArrivalFilter, ExpectedArrival } from '../../../../schemas/planning.ts'
import { outstandingLines } from '../../../documents/purchase-orders/list/outstanding.ts'
import { timeZoneOf } from '../../../kit/date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../../kit/pages/pages.ts'
import { orderExpectedAt, supplierDelays } from '../../../planning/supply/arrivals.ts'
import { transferExpectedAt, transferRoutes } from '../../../planning/supply/transit.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { dueAt } from '../../../records/supplier-prices/due-at.ts'

const ArrivalRow = Type.Composite([ExpectedArrival, PairKey])

/**
 * Lists open orders and transfers under way on their expected day of arrival: overdue ones first, by their promised day, then by
 * the expected day, at last those without a date. `from` and `to` limit the expected day; `dated` says whether there is one.
 *
 * Example: promised for 2 March by a supplier that is two days late in the mean: expected on 4 March, overdue once 2 March has passed.
 */
export async function listArrivals(
  db: Db,
  shopId: number,
  filter: ArrivalFilter,
): Promise<Page<ExpectedArrival>> {
  const after = readPair(filter.cursor)
  const { from, to, overdue, dated } = filter
  const rows = await db.any(sql.type(row(ArrivalRow))`
    with delay as materialized (${supplierDelays(shopId)}),
    route as materialized (${transferRoutes(shopId)}),
    coming as (
      ${openOrders(shopId)}
      union all
      ${openTransfers(shopId)}
    ),
    dated as (
      select c.*, (c.expected_at at time zone ${timeZoneOf(shopId)})::date as expected_day,
        (c.promised_at at time zone ${timeZoneOf(shopId)})::date as promised_day
      from coming c
    ),
    ranked as (
      select d.*, coalesce(d.promised_at < now(), false) as is_overdue,
        case
          when d.promised_at < now() then d.promised_day - date '1970-01-01'
          when d.expected_day is null then 8000000
          else 4000000 + (d.expected_day - date '1970-01-01')
        end::bigint as rank
      from dated d
    )
    select kind, id, name, expected_day::text as expected_on, promised_day::text as promised_on, is_overdue, late_days,
      from_name, to_name, line_count, pieces, value, unknown_costs, currency, rank, row_id
    from ranked
    where ${sql.and([
      sql.fragment`true`,
      from !== undefined && sql.fragment`expected_day >= ${from}::date`,
      to !== undefined && sql.fragment`expected_day <= ${to}::date`,
      dated !== undefined && sql.fragment`(expected_day is not null) = ${dated}`,
      overdue !== undefined && sql.fragment`is_overdue = ${overdue}`,
      after !== null && sql.fragment`(rank, row_id) > (${after.rank}::bigint, ${after.rowId}::bigint)`,
    ])}
    order by rank, row_id
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}

/** SQL: sent orders with pieces that are still to arrive. */
const openOrders = (shopId: number) => sql.fragment`
  select 'order' as kind, o.id, o.po_number as name, ${dueAt('o', 's')} as promised_at,
    ${orderExpectedAt(shopId, { order: 'o', supplier: 's', delay: 'd' })} as expected_at,
    coalesce(d.late_days, 0) as late_days, s.name as from_name, w.name as to_name, l.line_count, l.pieces,
    round(l.value, minor_digits(coalesce(o.currency, ${currencyOf(shopId)}))) as value, l.unknown_costs,
    coalesce(o.currency, ${currencyOf(shopId)}) as currency, o.id * 2 as row_id
  from purchase_order o
  join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
  left join delay d on d.supplier_id = o.supplier_id
  left join location w on w.shop_id = ${shopId} and w.id = coalesce(
    o.destination_location_id, (select id from location where shop_id = ${shopId} and is_primary)
  )
  cross join lateral (${outstandingLines(shopId, 'o')}) l
  where o.shop_id = ${shopId} and o.status in ('sent', 'partial') and l.line_count > 0
`

/** SQL: transfers with pieces on the way. */
const openTransfers = (shopId: number) => sql.fragment`
  select 'transfer', t.id, 'Transfer #' || t.id,
    t.shipped_at + make_interval(days => r.days), ${transferExpectedAt(shopId, 't', 'r')}, 0, a.name, b.name, i.line_count, i.pieces,
    null::numeric, 0, null, t.id * 2 + 1
  from stock_transfer t
  join location a on a.shop_id = ${shopId} and a.id = t.source_location_id
  join location b on b.shop_id = ${shopId} and b.id = t.destination_location_id
  left join route r on r.source_id = t.source_location_id and r.destination_id = t.destination_location_id
  cross join lateral (
    select count(*)::int as line_count, sum(i.in_transit)::int as pieces
    from stock_transfer_item i
    where i.shop_id = ${shopId} and i.transfer_id = t.id and i.in_transit > 0
  ) i
  where t.shop_id = ${shopId} and t.status in ('in_transit', 'partial') and i.line_count > 0
`
