import { type Db, row, sql } from '../../db/db.ts'
import { type AdjustmentReasonFilter, AdjustmentReasons } from '../../schemas/reports.ts'
import { resolveDates, startOfDays, within } from '../date-range.ts'

const defaultDays = 30
const maxReasons = 250

/** Sums sets, adjustments and counts of a period by their reason, by default of the last 30 days. */
export async function getAdjustmentReasons(
  db: Db,
  shopId: number,
  filter: AdjustmentReasonFilter,
): Promise<AdjustmentReasons> {
  const period = await resolveDates(db, shopId, filter)
  return db.one(sql.type(row(AdjustmentReasons))`
    with by_reason as (
      select case when m.reason = '' and m.kind = 'count' then 'Stock count' else m.reason end as reason,
        count(*) as adjustment_count,
        sum(greatest(m.delta, 0)) as added, sum(greatest(-m.delta, 0)) as removed
      from stock_movement m
      where ${sql.and([
        sql.fragment`m.shop_id = ${shopId} and m.kind in ('set', 'delta', 'count')`,
        filter.locationId !== undefined &&
          sql.fragment`m.location_id = (select id from location where shop_id = ${shopId} and gid = ${filter.locationId})`,
        filter.startDate === undefined &&
          filter.endDate === undefined &&
          sql.fragment`m.occurred_at >= ${startOfDays(shopId, defaultDays)}`,
        ...within(sql.fragment`m.occurred_at`, period),
      ])}
      group by 1
    )
    select coalesce(sum(added), 0) as pieces_added, coalesce(sum(removed), 0) as pieces_removed,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'reason', reason, 'adjustmentCount', adjustment_count, 'piecesAdded', added, 'piecesRemoved', removed
        ) order by added + removed desc, reason), '[]')
        from (select * from by_reason order by added + removed desc, reason limit ${maxReasons}) top
      ) as by_reason
    from by_reason
  `)
}
