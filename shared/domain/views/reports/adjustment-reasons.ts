import { type Db, row, sql } from '../../../db/db.ts'
import { type AdjustmentReasonFilter, AdjustmentReasons } from '../../../schemas/reports.ts'
import { resolveDates, startOfDays, within } from '../../kit/date-range.ts'
import { locationIdOf } from '../../records/catalogue/locations.ts'
import { currencyOf } from '../../records/shops/currency.ts'

const defaultDays = 30
const maxReasons = 250

/**
 * Sums sets, adjustments and counts of a period by their reason, by default of the last 30 days. The value of a piece is its book
 * cost at that time, and today's for a change before the first cost of the ledger. Pieces without a known cost have no value;
 * `uncostedPieces` counts them.
 * Example: 3 of 5.00 each are damaged, later 2 of 6.00 each: 5 pieces removed, worth 27.00.
 */
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
        sum(greatest(m.delta, 0)) as added, sum(greatest(-m.delta, 0)) as removed,
        coalesce(round(sum(greatest(m.delta, 0) * cost.of_piece), shop.digits), 0) as value_added,
        coalesce(round(sum(greatest(-m.delta, 0) * cost.of_piece), shop.digits), 0) as value_removed,
        coalesce(sum(abs(m.delta)) filter (where cost.of_piece is null), 0) as uncosted
      from stock_movement m
      cross join (select minor_digits(${currencyOf(shopId)}) as digits) shop
      cross join lateral (
        select coalesce(
          (
            select b.average_after
            from cost_movement b
            where b.shop_id = ${shopId} and b.variant_id = m.variant_id and b.occurred_at <= m.occurred_at
            order by b.id desc
            limit 1
          ),
          (select c.average_cost from variant_cost c where c.shop_id = ${shopId} and c.variant_id = m.variant_id),
          (select v.unit_cost from variant v where v.shop_id = ${shopId} and v.id = m.variant_id)
        ) as of_piece
      ) cost
      where ${sql.and([
        sql.fragment`m.shop_id = ${shopId} and m.kind in ('set', 'delta', 'count')`,
        filter.locationId !== undefined &&
          sql.fragment`m.location_id = ${locationIdOf(shopId, filter.locationId)}`,
        filter.startDate === undefined &&
          filter.endDate === undefined &&
          sql.fragment`m.occurred_at >= ${startOfDays(shopId, defaultDays)}`,
        ...within(sql.fragment`m.occurred_at`, period),
      ])}
      group by 1, shop.digits
    )
    select coalesce(sum(added), 0) as pieces_added, coalesce(sum(removed), 0) as pieces_removed,
      coalesce(sum(value_added), 0) as value_added, coalesce(sum(value_removed), 0) as value_removed,
      coalesce(sum(uncosted), 0) as uncosted_pieces, ${currencyOf(shopId)} as currency,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'reason', reason, 'adjustmentCount', adjustment_count, 'piecesAdded', added, 'piecesRemoved', removed,
          'valueAdded', value_added, 'valueRemoved', value_removed, 'uncostedPieces', uncosted
        ) order by added + removed desc, reason), '[]')
        from (select * from by_reason order by added + removed desc, reason limit ${maxReasons}) top
      ) as by_reason
    from by_reason
  `)
}
