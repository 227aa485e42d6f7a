import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Overstock, type OverstockFilter } from '../../../schemas/planning.ts'
import { postedAt } from '../../documents/receipts/of-order.ts'
import { returnedPieces } from '../../documents/supplier-returns/returnable.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage, withCount } from '../../kit/pages/pages.ts'
import { isFound } from '../../kit/search.ts'
import { isComputed } from '../../planning/reorder/suggestions.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const OverstockRow = Type.Composite([Overstock, PairKey])

/** Suppliers rarely take back what was received longer ago, in days. */
const returnDays = 90
const defaultDays = 90

/**
 * Lists pieces above the demand of a number of days, as of the last night: the highest value first, then those without a cost. The
 * advice is as of now, the first that is possible:
 *
 * 1. return: a supplier delivered the variant in the last 90 days, and pieces of that receipt are not returned yet; the newest such receipt
 * 2. transfer: another location is at or below its own reorder point; from the location with most pieces above its own
 * 3. mark down
 *
 * Example: 100 available, 30 expected in 30 days, a cost of 4: 70 pieces, 280 in money. The last receipt brought 50: return 50.
 */
export async function listOverstock(
  db: Db,
  shopId: number,
  filter: OverstockFilter,
): Promise<Page<Overstock>> {
  const after = readPair(filter.cursor)
  const conditions = [
    sql.fragment`o.cover_days = ${Number(filter.days ?? defaultDays)}`,
    isFound(sql.fragment`o.variant_id`, shopId, filter.search),
    isOfProduct(sql.fragment`o.variant_id`, shopId, filter),
  ]
  const rows = db.any(sql.type(row(OverstockRow))`
    with page as materialized (
      select o.*
      from overstock o
      where o.shop_id = ${shopId} and ${sql.and([
        ...conditions,
        after !== null &&
          sql.fragment`(o.rank, o.variant_id) > (${after.rank}::bigint, ${after.rowId}::bigint)`,
      ])}
      order by o.rank, o.variant_id
      limit ${pageSize(filter) + 1}
    )
    select v.gid as variant_id, v.sku, v.title, o.stock as current_stock, o.demand as forecast_units, o.pieces,
      o.unit_cost, o.value,
      case when r.receipt_id is not null then 'return' when m.source_gid is not null then 'transfer' else 'mark_down' end
        as action,
      least(o.pieces, coalesce(r.pieces, m.pieces, o.pieces)) as quantity,
      r.receipt_id, r.received_at, r.supplier_id, r.supplier_name,
      m.source_gid as source_location_id, m.source_name as source_location_name,
      m.destination_gid as destination_location_id, m.destination_name as destination_location_name,
      o.rank, o.variant_id as row_id
    from page o
    cross join lateral (
      select v.gid, v.sku, ${variantTitle('v', 'p')} as title
      from variant v
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where v.shop_id = ${shopId} and v.id = o.variant_id
      offset 0
    ) v
    left join lateral (${returnable(shopId)}) r on true
    left join lateral (${neededElsewhere(shopId)}) m on r.receipt_id is null
    order by o.rank, o.variant_id
  `)
  const page = rows.then((found) => toPairPage(found, filter))
  return withCount(
    db,
    filter,
    sql.fragment`from overstock o where o.shop_id = ${shopId} and ${sql.and(conditions)}`,
    page,
  )
}

/** SQL: the newest receipt of variant `o` that a supplier may take back pieces of. */
const returnable = (shopId: number) => sql.fragment`
  select x.receipt_id, x.received_at, s.id as supplier_id, s.name as supplier_name,
    (x.pieces - returned.pieces)::int as pieces
  from (
    select r.id as receipt_id, r.received_at, coalesce(b.supplier_id, r.supplier_id) as supplier_id,
      sum(l.quantity) as pieces
    from (
      select t.receipt_id, t.quantity
      from purchase_order_line n
      join receipt_line t on t.shop_id = ${shopId} and t.purchase_order_line_id = n.id
      where n.shop_id = ${shopId} and n.variant_id = o.variant_id and t.quantity > 0
      union all
      select d.receipt_id, d.quantity
      from direct_receipt_line d
      where d.shop_id = ${shopId} and d.variant_id = o.variant_id
    ) l
    cross join lateral (
      select r.id, r.purchase_order_id, r.supplier_id, ${postedAt('r')} as received_at
      from receipt r
      where r.shop_id = ${shopId} and r.id = l.receipt_id and r.state = 'posted' and r.reversed_at is null
        and not r.is_imported
        and ${postedAt('r')} >= now() - ${returnDays} * interval '1 day'
      offset 0
    ) r
    left join purchase_order b on b.shop_id = ${shopId} and b.id = r.purchase_order_id
    group by r.id, r.received_at, b.supplier_id, r.supplier_id
  ) x
  join supplier s on s.shop_id = ${shopId} and s.id = x.supplier_id
  cross join lateral (
    select ${returnedPieces(shopId, { receipt: sql.fragment`x.receipt_id`, variant: sql.fragment`o.variant_id` })} as pieces
  ) returned
  where x.pieces > returned.pieces
  order by x.received_at desc, x.receipt_id desc
  limit 1
`

/** SQL: the location that lacks most of variant `o`, and the one that can spare most, with the pieces of both. */
const neededElsewhere = (shopId: number) => sql.fragment`
  select f.gid as source_gid, f.name as source_name, t.gid as destination_gid, t.name as destination_name,
    least(t.wanted, f.spare)::int as pieces
  from (
    select w.id, w.gid, w.name, greatest(q.reorder_quantity, q.reorder_point - q.current_stock) as wanted
    from reorder_rule q
    join location w on w.shop_id = ${shopId} and w.id = q.location_id and w.is_active
    where q.shop_id = ${shopId} and q.variant_id = o.variant_id and q.is_low and ${isComputed('q')}
    order by q.reorder_point - q.current_stock desc, q.id
    limit 1
  ) t
  cross join lateral (
    select w.gid, w.name, l.quantity - coalesce(q.reorder_point, 0) as spare
    from stock_level l
    join location w on w.shop_id = ${shopId} and w.id = l.location_id and w.is_active
    left join reorder_rule q on q.shop_id = ${shopId} and q.variant_id = l.variant_id and q.location_id = l.location_id
    where l.shop_id = ${shopId} and l.variant_id = o.variant_id and l.location_id <> t.id
      and l.quantity > coalesce(q.reorder_point, 0) and (q.id is null or ${isComputed('q')})
    order by spare desc, w.id
    limit 1
  ) f
`
