import { sql } from '../../../db/db.ts'
import type { ReplenishmentBasis } from '../../../schemas/replenishment.ts'
import { basisDays } from '../supply/demand.ts'

/** The sales that say which part of a forecast is that of a location. */
const shareDays = 90

/** SQL: the share of the location in the demand of candidate `c`, whose forecast is of all locations. */
export const shareOf = (shopId: number, locationId: number | null) => sql.fragment`
  select case
      when ${locationId === null} or c.week is null or c.forecast_location_id is not null then 1
      else coalesce((
        select sum(d.units) filter (where d.location_id = ${locationId}::bigint)::float8 / nullif(sum(d.units), 0)
        from demand_day d
        where d.shop_id = ${shopId} and d.variant_id = c.variant_id and d.day >= shop.today - ${shareDays}::int
      ), 0)
    end as share
`

/** SQL: the units that candidate `c` sold in the days of the basis, and the days without stock; none beside a forecast. */
export const pastUnits = (
  shopId: number,
  basis: ReplenishmentBasis,
  locationId: number | null,
) => sql.fragment`
  select coalesce(case when shop.is_rolled_up then sum(d.units) else ${velocityOf(basisDays[basis]).units} end, 0) as units,
    count(distinct d.day) filter (where ${isEmpty(locationId)}) as empty_days
  from demand_day d
  where shop.is_rolled_up and (not ${basis === 'forecast'} or c.week is null)
    and d.shop_id = ${shopId} and d.variant_id = c.variant_id
    and d.day >= shop.today - ${basisDays[basis]}::int and d.day < shop.today and ${isAt('d', locationId)}
`

/** SQL: the units and the days without stock of candidate `c` in each week of the last 364 days, for the basis `last_year`. */
export const lastYearUnits = (
  shopId: number,
  basis: ReplenishmentBasis,
  locationId: number | null,
) => sql.fragment`
  select coalesce(array_agg(w.week order by w.week), '{}') as weeks,
    coalesce(array_agg(w.units::float8 order by w.week), '{}') as units,
    coalesce(array_agg(w.empty_days::int order by w.week), '{}') as empty_days
  from (
    select (d.day - (shop.today - 364)) / 7 as week, sum(d.units) as units,
      count(distinct d.day) filter (where ${isEmpty(locationId)}) as empty_days
    from demand_day d
    where ${basis === 'last_year'} and d.shop_id = ${shopId} and d.variant_id = c.variant_id
      and d.day >= shop.today - 364 and d.day < shop.today and ${isAt('d', locationId)}
    group by 1
  ) w
`

/** The sales velocity that stands for the units of a basis before the first roll-up. */
export const velocityOf = (days: number) =>
  days > 30 ? { days: 90, units: sql.fragment`c.units_90d` } : { days: 30, units: sql.fragment`c.units_30d` }

/** SQL condition: the variant had no stock on the day of demand `d`, at the location or at all. */
const isEmpty = (locationId: number | null) =>
  locationId === null ? sql.fragment`d.is_sold_out` : sql.fragment`not d.in_stock`

/** SQL condition: the row is of the location, or of any if there is none. */
export const isAt = (table: string, locationId: number | null) =>
  sql.fragment`(${locationId === null} or ${sql.identifier([table, 'location_id'])} = ${locationId}::bigint)`
