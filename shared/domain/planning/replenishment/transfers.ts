import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { TransferSuggestion, type TransferSuggestionFilter } from '../../../schemas/transfer-suggestions.ts'
import { isPlanEnded } from '../../documents/stock-transfers/plan-end.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { knownDaysOf, periodDays } from '../../ledgers/demand/known-days.ts'
import { soldAtLocation } from '../../ledgers/demand/sold-at-location.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { isComputed } from '../reorder/suggestions.ts'
import { productOfRule } from '../supply/rule-supplier.ts'

/** The sales that say how fast a location sells, in days before today. */
const soldDays = 90

/**
 * What locations below their reorder point could get from others, by rule and source. In whole packs:
 *
 *   position  stock + on order + in transit + planned transfers, of the location that is low
 *   wanted    max(reorder quantity, point - position) while position <= point, as an order would be; in packs, rounded up
 *   spare     stock - own point - planned transfers, of another location; in packs, rounded down
 *
 *   lasts     spare / pieces that the source sells a day, of the sales of 90 days at its location; first those that sell
 *             none, and of equal ones the one with the most to spare
 *
 * The most urgent location gets its packs first, from the source that lasts longest: wants and spares are laid end to end,
 * and where they overlap is a suggestion. So no source goes below its own point.
 * Example, in packs: B wants 5 and C wants 4; A can spare 7 and sells 1 a day, D can spare 3 and sells 1 a day. A -> B 5,
 * A -> C 2, D -> C 2. If A sold 4 a day, D would last longer: D -> B 3, A -> B 2, A -> C 4.
 */
export async function listTransferSuggestions(
  db: Db,
  shopId: number,
  query: TransferSuggestionFilter,
): Promise<Page<TransferSuggestion>> {
  const after = readPair(query.cursor)
  const records = await db.any(sql.type(
    row(Type.Object({ ...TransferSuggestion.properties, ...PairKey.properties })),
  )`
    with shop as materialized (${knownDaysOf(shopId)}),
    -- of open transfers, what is still to ship
    planned as materialized (
      select i.variant_id, t.source_location_id as source_id, t.destination_location_id as destination_id,
        sum(i.quantity - i.shipped) as pieces
      from stock_transfer t
      join stock_transfer_item i on i.shop_id = ${shopId} and i.transfer_id = t.id
      where t.shop_id = ${shopId} and t.status in ('pending', 'in_transit', 'partial') and i.quantity > i.shipped
        and not ${isPlanEnded(shopId, sql.fragment`t.id`)}
      group by i.variant_id, t.source_location_id, t.destination_location_id
    )
    select r.id as rule_id, v.gid as variant_id, v.sku, v.title, s.gid as source_location_id,
      s.name as source_location_name, r.location_gid as destination_location_id, r.location_name as destination_location_name,
      move.packs * pack.size as quantity, pack.size as pack_size, r.current_stock, move.incoming, r.reorder_point,
      move.source_stock, move.source_point as source_reorder_point,
      floor(move.lasts) as source_lasts_days,
      r.id as rank, s.id as row_id
    from (${lowRules(shopId, query, after)}) r
    cross join shop
    cross join lateral (
      select coalesce((
        select greatest(product.pack_size, 1)
        from (values (r.variant_id, null::bigint)) as preferred (variant_id, supplier_id)
        cross join lateral (${productOfRule(shopId, 'preferred')}) product
      ), 1) as size
      offset 0 -- computed once
    ) pack
    cross join lateral (${moves(shopId)}) move
    cross join lateral (
      select id, gid, name from location where shop_id = ${shopId} and id = move.source_id offset 0
    ) s
    cross join lateral (
      select v.gid, v.sku, ${variantTitle('v', 'p')} as title
      from variant v
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where v.shop_id = ${shopId} and v.id = r.variant_id and move.packs > 0
      offset 0
    ) v
    where ${sql.and([
      sql.fragment`move.packs > 0`,
      query.sourceLocationId !== undefined && sql.fragment`s.gid = ${query.sourceLocationId}`,
      after !== null && sql.fragment`(r.id, s.id) > (${after.rank}::bigint, ${after.rowId}::bigint)`,
    ])}
    order by r.id, s.id
    limit ${pageSize(query) + 1}
  `)
  return toPairPage(records, query)
}

/**
 * SQL: the low rules of locations in use, in the order of their ids, so that a page ends the reading. Leaves out those whose
 * variant no other location has above its own point; a subquery in the condition keeps the order of the index.
 */
const lowRules = (shopId: number, query: TransferSuggestionFilter, after: PairKey | null) => sql.fragment`
  select r.id, r.variant_id, r.reorder_point, r.current_stock, w.gid as location_gid, w.name as location_name
  from reorder_rule r
  cross join lateral (
    select w.gid, w.name from location w where w.shop_id = ${shopId} and w.id = r.location_id and w.is_active offset 0
  ) w
  where ${sql.and([
    sql.fragment`r.shop_id = ${shopId} and r.is_low and r.location_id is not null and ${isComputed('r')}`,
    query.destinationLocationId !== undefined && sql.fragment`w.gid = ${query.destinationLocationId}`,
    after !== null && sql.fragment`r.id >= ${after.rank}::bigint`,
    sql.fragment`coalesce((
      select true
      from stock_level l
      left join reorder_rule own on own.shop_id = ${shopId} and own.variant_id = l.variant_id
        and own.location_id = l.location_id
      where l.shop_id = ${shopId} and l.variant_id = r.variant_id and l.location_id <> r.location_id
        and l.quantity > coalesce(own.reorder_point, 0)
      limit 1
    ), false)`,
    sql.fragment`(
      select v.is_tracked and v.deleted_at is null from variant v where v.shop_id = ${shopId} and v.id = r.variant_id
    )`,
  ])}
  order by r.id
  offset 0
`

/** SQL: the packs that each source gives to the location of rule `r`, when all low locations of its variant are served. */
const moves = (shopId: number) => sql.fragment`
  with source as (
    select l.variant_id, l.location_id, l.quantity - leaving.pieces as stock, own.reorder_point as point,
      l.quantity - leaving.pieces - coalesce(own.reorder_point, 0) as spare
    from stock_level l
    join location w on w.shop_id = ${shopId} and w.id = l.location_id and w.is_active
    left join reorder_rule own on own.shop_id = ${shopId} and own.variant_id = l.variant_id
      and own.location_id = l.location_id
    cross join lateral (
      select coalesce(sum(n.pieces), 0) as pieces
      from planned n
      where n.variant_id = l.variant_id and n.source_id = l.location_id
      offset 0
    ) leaving
    where l.shop_id = ${shopId} and l.variant_id = r.variant_id and l.quantity > 0
      -- the point of an automatic rule that is not computed yet is not known
      and (own.id is null or (${isComputed('own')} and not own.is_low))
  ),
  give as (
    select location_id, stock, point, spare, lasts, sum(packs) over lasting - packs as from_pack,
      sum(packs) over lasting as to_pack
    from (
      select source.*, floor(source.spare::numeric / pack.size) as packs,
        source.spare * sold.days / nullif(sold.units, 0)::numeric as lasts
      from source
      cross join lateral (
        select ${soldAtLocation(shopId, sql.fragment`source.variant_id`, sql.fragment`source.location_id`, soldDays)} as units,
          ${periodDays('shop', 'y', soldDays)} as days
        from (values (1)) as always (one)
        left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = source.variant_id
        offset 0
      ) sold
      where source.spare >= pack.size
    ) spared
    window lasting as (order by lasts desc nulls first, spare desc, location_id)
  ),
  low as (
    select x.id, x.reorder_point, x.reorder_quantity, x.current_stock, coming.pieces as incoming,
      x.current_stock + coming.pieces as position
    from reorder_rule x
    join location w on w.shop_id = ${shopId} and w.id = x.location_id and w.is_active
    cross join lateral (
      select coalesce((
          select sum(greatest(l.quantity - l.accepted - l.cancelled, 0))
          from purchase_order_line l
          join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
          where l.shop_id = ${shopId} and l.variant_id = x.variant_id and o.status in ('sent', 'partial')
            and (
              o.destination_location_id = x.location_id or (o.destination_location_id is null and w.is_primary)
            )
        ), 0)
        + coalesce((
          select sum(i.in_transit)
          from stock_transfer_item i
          join stock_transfer t on t.shop_id = ${shopId} and t.id = i.transfer_id
          where i.shop_id = ${shopId} and i.variant_id = x.variant_id and i.in_transit > 0
            and t.destination_location_id = x.location_id
        ), 0)
        + coalesce((
          select sum(n.pieces) from planned n where n.variant_id = x.variant_id and n.destination_id = x.location_id
        ), 0) as pieces
      offset 0 -- computed once
    ) coming
    where x.shop_id = ${shopId} and x.variant_id = r.variant_id and x.is_low and x.location_id is not null
      and ${isComputed('x')}
  ),
  want as (
    select id, incoming, sum(packs) over urgency - packs as from_pack, sum(packs) over urgency as to_pack
    from (
      select *, ceil(greatest(reorder_quantity, reorder_point - position)::numeric / pack.size) as packs
      from low
      where position <= reorder_point and exists (select from give)
    ) wanted
    window urgency as (order by position - reorder_point, id)
  )
  select g.location_id as source_id, g.stock as source_stock, g.point as source_point, g.lasts, w.incoming,
    least(w.to_pack, g.to_pack) - greatest(w.from_pack, g.from_pack) as packs
  from want w
  join give g on least(w.to_pack, g.to_pack) > greatest(w.from_pack, g.from_pack)
  where w.id = r.id
`
