import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Day, Id } from '../../../schemas/common.ts'
import { endOfToday, timeZoneOf } from '../../kit/date-range.ts'

/*
 * The time of a route is the mean of its last ten transfers that travelled, among its last 100 completed ones; with fewer than three
 * it is not known.
 */
const minTransfers = 3
const maxTransfers = 10
const maxReadTransfers = 100
/** How long goods travel on a route that is not known. */
const assumedTransitDays = 3

/** The condition of the index `stock_transfer_route`. */
const isTravelled = sql.fragment`t.status = 'completed' and t.shipped_at is not null and t.completed_at is not null`

/**
 * SQL: routes with `days`, the mean days of their last ten completed transfers, rounded. A transfer takes the days from shipping to its
 * receipts, by their pieces: pieces that are written off later did not travel longer. One that was shipped and received in one step did
 * not travel. Routes with fewer than three have no row.
 *
 * Example: of 10 pieces 8 are received after 2 days and 1 after 11, and 1 is closed as lost after 30: (8 * 2 + 1 * 11) / 9 = 3 days.
 */
export const transferRoutes = (shopId: number) => sql.fragment`
  with recursive pair as (
    (
      select t.source_location_id, t.destination_location_id
      from stock_transfer t
      where t.shop_id = ${shopId} and ${isTravelled}
      order by t.source_location_id, t.destination_location_id
      limit 1
    )
    union all
    -- reads one row of the index for each pair, not all transfers of the shop
    select next.source_location_id, next.destination_location_id
    from pair
    cross join lateral (
      select t.source_location_id, t.destination_location_id
      from stock_transfer t
      where t.shop_id = ${shopId} and ${isTravelled}
        and (t.source_location_id, t.destination_location_id) > (pair.source_location_id, pair.destination_location_id)
      order by t.source_location_id, t.destination_location_id
      limit 1
    ) next
  )
  select pair.source_location_id as source_id, pair.destination_location_id as destination_id,
    round(avg(past.days))::int as days
  from pair
  cross join lateral (
    select receipt.days
    from (
      select t.id, t.shipped_at, t.completed_at
      from stock_transfer t
      where t.shop_id = ${shopId} and ${isTravelled} and t.source_location_id = pair.source_location_id
        and t.destination_location_id = pair.destination_location_id
      order by t.completed_at desc, t.id desc
      limit ${maxReadTransfers} -- bounds the time for a route whose transfers did not travel
    ) t
    cross join lateral (
      select sum(i.received * extract(epoch from e.occurred_at - t.shipped_at)) / nullif(sum(i.received), 0) / 86400 as days
      from stock_transfer_event e
      join stock_transfer_event_item i on i.shop_id = ${shopId} and i.event_id = e.id
      where e.shop_id = ${shopId} and e.transfer_id = t.id and e.reversed_at is null
    ) receipt
    -- one step sets both times to the same instant
    where t.completed_at > t.shipped_at and receipt.days is not null
    order by t.completed_at desc, t.id desc
    limit ${maxTransfers}
  ) past
  group by pair.source_location_id, pair.destination_location_id
  having count(*) >= ${minTransfers}
`

/** SQL: when a transfer arrives, from the aliases of it and of its route: after the days of the route; tomorrow when that has passed. */
export const transferExpectedAt = (shopId: number, transfer: string, route: string) => sql.fragment`
  greatest(
    ${sql.identifier([transfer, 'shipped_at'])}
      + make_interval(days => coalesce(${sql.identifier([route, 'days'])}, ${assumedTransitDays})),
    ${endOfToday(shopId)}
  )
`

const Moving = Type.Object({
  variantId: Id,
  /** The destination (row id). */
  locationId: Id,
  quantity: Type.Integer(),
  day: Day,
})
/** Pieces of a variant (row id) that are on the way between two locations. */
export type Moving = Static<typeof Moving>

export function readMoving(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly Moving[]> {
  return db.any(sql.type(row(Moving))`
    with route as materialized (${transferRoutes(shopId)})
    select i.variant_id, t.destination_location_id as location_id, sum(i.in_transit)::int as quantity,
      (${transferExpectedAt(shopId, 't', 'r')} at time zone ${timeZoneOf(shopId)})::date::text as day
    from stock_transfer_item i
    join stock_transfer t on t.shop_id = ${shopId} and t.id = i.transfer_id
    left join route r on r.source_id = t.source_location_id and r.destination_id = t.destination_location_id
    where i.shop_id = ${shopId} and i.variant_id = any(${sql.array([...variantIds], 'int8')}) and i.in_transit > 0
    group by i.variant_id, t.id, t.destination_location_id, t.shipped_at, r.days
    order by i.variant_id, t.id
  `)
}

const Route = Type.Object({ sourceId: Id, destinationId: Id, days: Type.Integer() })

/** How many days goods travel from one location to another (row ids). */
export async function readTransitDays(
  db: Db,
  shopId: number,
): Promise<(sourceId: number, destinationId: number) => number> {
  const routes = await db.any(sql.type(row(Route))`${transferRoutes(shopId)}`)
  const known = new Map(
    routes.map(({ sourceId, destinationId, days }) => [`${sourceId} ${destinationId}`, days]),
  )
  return (sourceId, destinationId) => known.get(`${sourceId} ${destinationId}`) ?? assumedTransitDays
}
