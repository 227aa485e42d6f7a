import { sql } from '../../../db/db.ts'
import { timeZoneOf } from '../../kit/date-range.ts'

/** How long demand is kept, in days: two years and ten weeks. */
export const keptDays = 800
/** Days without stock are kept this long after the last sale of a variant. */
const maxIdleDays = 364
/** In days: a sale without a movement on its day counts at the locations where the platform lowered the variant in this period. */
const locatingDays = 28

/** SQL: the days to write (`shop`), and the variants with the first day of each (`v`). */
export const periodOf = (shopId: number, ids: readonly number[], isWhole: boolean) => sql.fragment`
  shop as materialized (
    select ${timeZoneOf(shopId)} as time_zone, r.rolling_to as to_day,
      greatest(
        r.rolling_to - ${keptDays}::int + 1, r.known_day,
        case when not ${isWhole} then r.rolled_until + 1 end
      ) as from_day,
      r.known_day, synced.at as first_synced_at, (synced.at at time zone ${timeZoneOf(shopId)})::date as synced_day,
      coalesce(
        (select id from location where shop_id = ${shopId} and is_primary),
        (select min(id) from location where shop_id = ${shopId})
      ) as primary_id
    from demand_roll_up r
    cross join (
      select min(finished_at) as at from catalog_sync where shop_id = ${shopId} and state = 'done'
    ) synced
    where r.shop_id = ${shopId}
  ),
  v as materialized (
    select v.id, v.gid, v.is_tracked, greatest(shop.from_day, y.first_day) as from_day,
      coalesce(v.created_at <= shop.first_synced_at, true) as existed_at_first_sync
    from shop
    cross join variant v
    left join lateral (
      select first_day from variant_velocity where shop_id = ${shopId} and variant_id = v.id offset 0
    ) y on true
    where v.shop_id = ${shopId} and v.id = any(${sql.array([...ids], 'int8')}) and v.deleted_at is null
  )
`

/** SQL, step 1 of `writeDays`: the units of a variant by day (`sold`). */
export const soldUnits = (shopId: number) => sql.fragment`
  sold as materialized (
    select v.id as variant_id, s.day, s.units
    from shop
    cross join v
    cross join lateral (
      select (ordered_at at time zone shop.time_zone)::date as day, sum(quantity - cancelled) as units
      from sale
      where shop_id = ${shopId} and variant_gid = v.gid and quantity > cancelled
        and ordered_at >= v.from_day::timestamp at time zone shop.time_zone
        and ordered_at < (shop.to_day + 1)::timestamp at time zone shop.time_zone
      group by 1
    ) s
  )
`

/** SQL, step 2: the units of a variant by location and day (`located`). */
export const unitsByLocation = (shopId: number) => sql.fragment`
  movement as materialized (
    select v.id as variant_id, m.location_id, m.day, v.from_day, m.delta, m.lowered
    from shop
    cross join v
    cross join lateral (
      select location_id, (occurred_at at time zone shop.time_zone)::date as day, delta,
        case when kind = 'platform' then greatest(-delta, 0) else 0 end as lowered
      from stock_movement
      where shop_id = ${shopId} and variant_id = v.id
        and occurred_at >= (v.from_day - ${locatingDays}::int)::timestamp at time zone shop.time_zone
      offset 0
    ) m
  ),
  lowered as (
    select variant_id, location_id, day, sum(lowered) as units
    from movement
    where lowered > 0
    group by 1, 2, 3
  ),
  of_day as materialized (
    select s.variant_id, s.day, s.units, l.location_id, l.units as weight
    from sold s
    join lowered l on l.variant_id = s.variant_id and l.day = s.day
  ),
  other as (
    select s.variant_id, s.day, s.units
    from sold s
    where not exists (select from of_day d where d.variant_id = s.variant_id and d.day = s.day)
  ),
  of_weeks as materialized (
    select o.variant_id, o.day, o.units, l.location_id, sum(l.units) as weight
    from other o
    join lowered l on l.variant_id = o.variant_id and l.day > o.day - ${locatingDays}::int and l.day < o.day
    group by 1, 2, 3, 4
  ),
  weighted as (
    select * from of_day
    union all
    select * from of_weeks
    union all
    select o.variant_id, o.day, o.units, shop.primary_id, 1
    from shop
    cross join other o
    where shop.primary_id is not null
      and not exists (select from of_weeks w where w.variant_id = o.variant_id and w.day = o.day)
  ),
  shared as (
    select variant_id, location_id, day,
      round(units * sum(weight) over upto / sum(weight) over whole)
        - round(units * (sum(weight) over upto - weight) / sum(weight) over whole) as units
    from weighted
    window whole as (partition by variant_id, day),
      upto as (partition by variant_id, day order by location_id)
  ),
  located as materialized (
    select variant_id, location_id, day, units::int as units from shared where units > 0
  )
`

/** SQL, step 3: the locations that sell a variant (`seller`), and their stock at the start of the days of a `span`. */
export const stockByDay = (shopId: number) => sql.fragment`
  stored as materialized (
    select v.id as variant_id, d.location_id, d.day
    from shop
    cross join v
    cross join lateral (
      select location_id, max(day) as day
      from demand_day
      where shop_id = ${shopId} and variant_id = v.id and units > 0
        and day > shop.to_day - ${keptDays}::int and day < v.from_day
      group by 1
    ) d
  ),
  seller as (
    select variant_id, location_id from located
    union
    select variant_id, location_id from stored
  ),
  moved as (
    select variant_id, location_id, day, sum(delta) as delta
    from movement
    where day >= from_day
    group by 1, 2, 3
  ),
  -- only the levels of variants that sell
  pair as materialized (
    select v.id as variant_id, l.location_id, l.quantity, v.from_day, v.existed_at_first_sync, m.first_day, shop.synced_day
    from shop
    cross join v
    cross join lateral (
      select location_id, quantity from stock_level where shop_id = ${shopId} and variant_id = v.id offset 0
    ) l
    left join lateral (
      select (occurred_at at time zone shop.time_zone)::date as first_day
      from stock_movement
      where shop_id = ${shopId} and variant_id = v.id and location_id = l.location_id
      order by id
      limit 1
    ) m on true
    where v.is_tracked and exists (select from seller s where s.variant_id = v.id)
      and (m.first_day is not null or l.quantity <> 0 or not v.existed_at_first_sync or shop.synced_day is null)
  ),
  -- the stock after a day with movements, at the start of the first day, and after the first sync
  point as (
    select p.variant_id, p.location_id, p.from_day - 1 as day,
      case
        when least(p.first_day, p.synced_day) < p.from_day then p.quantity - coalesce(sum(m.delta), 0)
        when not p.existed_at_first_sync then 0
        else 1
      end as stock
    from pair p
    left join moved m on m.variant_id = p.variant_id and m.location_id = p.location_id
    group by p.variant_id, p.location_id, p.from_day, p.quantity, p.first_day, p.synced_day, p.existed_at_first_sync
    union all
    select p.variant_id, p.location_id, p.synced_day, p.quantity - coalesce(sum(m.delta), 0)
    from pair p
    left join moved m on m.variant_id = p.variant_id and m.location_id = p.location_id
    where p.existed_at_first_sync and p.synced_day >= p.from_day and coalesce(p.first_day > p.synced_day, true)
    group by p.variant_id, p.location_id, p.synced_day, p.quantity
    union all
    select m.variant_id, m.location_id, m.day,
      p.quantity - sum(m.delta) over (
        partition by m.variant_id, m.location_id order by m.day desc rows unbounded preceding
      ) + m.delta as stock
    from moved m
    join pair p on p.variant_id = m.variant_id and p.location_id = m.location_id
  ),
  span as (
    select variant_id, location_id, stock, day + 1 as from_day,
      lead(day) over (partition by variant_id, location_id order by day) as to_day
    from point
  )
`

/** SQL, step 4: the days with units and those without stock (`fresh`). */
export const daysToKeep = sql.fragment`
  sale_day as (
    select variant_id, day from located
    union
    select variant_id, day from stored
  ),
  empty as (
    select s.variant_id, s.location_id, d.day::date as day
    from shop
    cross join span s
    cross join lateral generate_series(
      s.from_day::timestamp, least(coalesce(s.to_day, shop.to_day), shop.to_day)::timestamp, interval '1 day'
    ) as d (day)
    where s.stock <= 0
  ),
  -- the last sale of the variant up to each of these days
  timeline as (
    select variant_id, location_id, day,
      max(sale) over (partition by variant_id order by day) as last_sale,
      count(location_id) over (partition by variant_id, day) as empty_locations
    from (
      select variant_id, location_id, day, null::date as sale from empty
      union all
      select variant_id, null, day, day from sale_day
    ) days
  ),
  locations as (
    select variant_id, count(*) as count from pair group by 1
  ),
  fresh as materialized (
    select variant_id, location_id, day, units, true as in_stock, false as is_sold_out from located
    union all
    select i.variant_id, i.location_id, i.day, 0, false,
      i.empty_locations = c.count and i.last_sale < i.day
    from timeline i
    join seller s on s.variant_id = i.variant_id and s.location_id = i.location_id
    join locations c on c.variant_id = i.variant_id
    where i.last_sale >= i.day - ${maxIdleDays}::int
      and not exists (
        select from located l
        where l.variant_id = i.variant_id and l.location_id = i.location_id and l.day = i.day
      )
  )
`
