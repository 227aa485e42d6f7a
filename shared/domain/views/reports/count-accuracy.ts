import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { CountAccuracy, type CountAccuracyFilter } from '../../../schemas/reports.ts'
import { accuracyOf } from '../../documents/stock-counts/result.ts'
import { resolveDates, timeZoneOf, within } from '../../kit/date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { locationIdOf } from '../../records/catalogue/locations.ts'

const AccuracyRow = Type.Composite([CountAccuracy, PairKey])

/**
 * Lists how accurate the stock was, by month of the submit and location, newest first. It reads the sums that each submit
 * stores. A count of a release that stored none is left out.
 */
export async function listCountAccuracy(
  db: Db,
  shopId: number,
  filter: CountAccuracyFilter,
): Promise<Page<CountAccuracy>> {
  const after = readPair(filter.cursor)
  const period = await resolveDates(db, shopId, filter)
  const rows = await db.any(sql.type(row(AccuracyRow))`
    select to_char(x.month, 'YYYY-MM') as month, w.gid as location_id, w.name as location_name, x.count_count,
      x.expected_pieces, x.variance_pieces, x.variance_value, x.uncosted_item_count, x.rank, x.location_id as row_id,
      ${accuracyOf(sql.fragment`x.variance_pieces`, sql.fragment`x.expected_pieces`)} as accuracy,
      ${accuracyOf(sql.fragment`x.absolute_variance_value`, sql.fragment`x.expected_value`)} as accuracy_by_value
    from (
      select m.month, c.location_id, (extract(year from m.month) * 12 + extract(month from m.month))::bigint as rank,
        count(*) as count_count, sum(c.expected_pieces) as expected_pieces, sum(c.variance_pieces) as variance_pieces,
        sum(c.expected_value) as expected_value, sum(c.variance_value) as variance_value,
        sum(c.absolute_variance_value) as absolute_variance_value, sum(c.uncosted_item_count) as uncosted_item_count
      from stock_count c
      cross join lateral (
        select date_trunc('month', c.submitted_at at time zone ${timeZoneOf(shopId)}) as month
      ) m
      where ${sql.and([
        sql.fragment`c.shop_id = ${shopId} and c.status = 'submitted' and c.expected_pieces is not null`,
        filter.locationId !== undefined &&
          sql.fragment`c.location_id = ${locationIdOf(shopId, filter.locationId)}`,
        ...within(sql.fragment`c.submitted_at`, period),
      ])}
      group by m.month, c.location_id
    ) x
    join location w on w.shop_id = ${shopId} and w.id = x.location_id
    ${after ? sql.fragment`where (x.rank, x.location_id) < (${after.rank}::bigint, ${after.rowId}::bigint)` : sql.fragment``}
    order by x.rank desc, x.location_id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}
