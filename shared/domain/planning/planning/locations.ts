import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { isPlanEnded } from '../../documents/stock-transfers/plan-end.ts'
import { soldAtLocation } from '../../ledgers/demand/sold-at-location.ts'
import { isCurrent } from '../forecasts/usable.ts'
import { isComputed } from '../reorder/suggestions.ts'

/** In days. The demand of a location without its own forecast is its mean sales over this period. */
export const soldDays = 90

const Location = Type.Object({
  variantId: Id,
  locationId: Id,
  locationGid: Type.String(),
  locationName: Type.String(),
  /** Available pieces, less those of planned transfers from there. */
  available: Type.Integer(),
  hasRule: Type.Boolean(),
  /** Null: no rule, or an automatic one that is not computed yet. */
  reorderPoint: Nullable(Type.Integer()),
  /** Of the forecast of the location; null: no current one, or no rule. */
  week: Nullable(Type.String()),
  ahead: Type.Array(Type.Number()),
  /** Units of the last `soldDays` days. */
  sold: Type.Integer(),
})
/** A variant (row id) at an active location. */
export type Location = Static<typeof Location>

/** Reads the locations of those of these variants that have a reorder rule for a location. */
export function readLocations(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly Location[]> {
  return db.any(sql.type(row(Location))`
    with ruled as materialized (
      select distinct r.variant_id
      from reorder_rule r
      where r.shop_id = ${shopId} and r.variant_id = any(${sql.array([...variantIds], 'int8')})
        and r.location_id is not null
    )
    select d.variant_id, w.id as location_id, w.gid as location_gid, w.name as location_name,
      coalesce(l.quantity, 0) - coalesce(leaving.pieces, 0)::int as available, r.id is not null as has_rule,
      case when ${isComputed('r')} then r.reorder_point end as reorder_point,
      f.week::text as week, coalesce(f.units, '{}') as ahead, ${soldAtLocation(shopId, sql.fragment`d.variant_id`, sql.fragment`w.id`, soldDays)} as sold
    from ruled d
    join location w on w.shop_id = ${shopId} and w.is_active
    left join stock_level l on l.shop_id = ${shopId} and l.variant_id = d.variant_id and l.location_id = w.id
    left join reorder_rule r on r.shop_id = ${shopId} and r.variant_id = d.variant_id and r.location_id = w.id
    left join lateral (
      select f.week, f.units
      from variant_forecast f
      where f.shop_id = ${shopId} and f.variant_id = d.variant_id and f.location_id = r.location_id
        and ${isCurrent(shopId, 'f')}
      offset 0
    ) f on true
    left join lateral (
      -- of open transfers, what is still to ship
      select sum(i.quantity - i.shipped) as pieces
      from stock_transfer_item i
      join stock_transfer t on t.shop_id = ${shopId} and t.id = i.transfer_id
      where i.shop_id = ${shopId} and i.variant_id = d.variant_id and i.quantity > i.shipped
        and t.source_location_id = w.id and t.status in ('pending', 'in_transit', 'partial')
        and not ${isPlanEnded(shopId, sql.fragment`t.id`)}
    ) leaving on true
    where l.variant_id is not null or r.id is not null
    order by d.variant_id, w.id
  `)
}
