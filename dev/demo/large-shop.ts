import { createPool } from 'slonik'
import { sessionSettings, withSessionSettings } from '../../shared/config.ts'
import { type Db, sql } from '../../shared/db/db.ts'

export type Size = { variants: number; sales: number; orders: number }

const kinds = ['mug', 'bowl', 'plate', 'jug', 'vase', 'tray', 'pan', 'spoon', 'lamp', 'basket']
const materials = ['Oak', 'Walnut', 'Enamel', 'Linen', 'Cotton', 'Copper', 'Steel', 'Glass', 'Clay', 'Wool']

/**
 * Fills a shop with the same data at every run:
 * - products with two variants each, one product in ten a mug, one variant in fifty untracked; 20 vendors with as many
 *   products each, and one with a single product; ten product types; four tags;
 * - stock of each variant at two locations;
 * - sales of the last 100 days, most of them of few variants;
 * - orders of ten lines to 50 suppliers, most of them received;
 * - as many transfers, of one product each, all but one in a hundred completed;
 * - a cost of most variants, and another one for a tenth of them 20 days ago;
 * - products of the first supplier, four variants in five, every tenth of them also sold by a second supplier; prices from
 *   1 and from 48 pieces for three of four; an alias of each supplier;
 * - a reorder rule per variant, more than a quarter of them low.
 */
export async function growShop(db: Db, { shopId }: { shopId: number }, size: Size): Promise<void> {
  const run = (statement: ReturnType<typeof sql.fragment>) =>
    db.query(sql.typeAlias('void')`
    ${statement}
  `)
  await run(sql.fragment`select setseed(0.5)`)
  await run(sql.fragment`
    insert into product (shop_id, gid, title, status, vendor, product_type, tags)
    select ${shopId}, 'gid://platform/Product/' || n,
      concat_ws(' ', (${textArray(materials)})[1 + n / 10 % 10], (${textArray(kinds)})[1 + n % 10], n), 'active',
      'Vendor ' || case when n = 7 then 'of one' else (n % 20)::text end, (${textArray(kinds)})[1 + n % 10],
      array['season-' || n / 10 % 4]
    from generate_series(1, ${size.variants / 2}::int) n
  `)
  // without the size of the table, the foreign key of each variant may read all products
  await run(sql.fragment`analyze product`)
  await run(sql.fragment`
    insert into variant (
      shop_id, gid, product_id, sku, title, price, unit_cost, confirmed_at, is_tracked, search_text
    )
    select shop_id, 'gid://platform/ProductVariant/' || n, id, 'SKU-' || n, 'Size ' || n, 5 + n % 50,
      case when n % 5 > 0 then 2 + n % 20 end, now(), n % 50 > 0, lower(concat_ws(' ', product, 'size', n, 'sku-' || n))
    from (
      select p.shop_id, p.id, p.title as product, row_number() over (order by p.id, slot) as n
      from product p, generate_series(0, 1) slot
      where p.shop_id = ${shopId}
    ) numbered
    order by n
  `)
  // Autovacuum may have counted the table before it was filled, and the plans below would join row by row.
  await run(sql.fragment`analyze variant`)
  await run(sql.fragment`
    insert into location (shop_id, gid, name, is_primary)
    select ${shopId}, 'gid://platform/Location/' || n, 'Place ' || n, n = 1 from generate_series(1, 2) n
  `)
  await run(sql.fragment`
    insert into stock_level (shop_id, variant_id, location_id, quantity, platform_quantity)
    select v.shop_id, v.id, w.id, pieces, pieces
    from variant v
    join location w on w.shop_id = v.shop_id
    cross join lateral (select case when v.id % 4 = 0 then 0 else (v.id % 97)::int end as pieces) stock
    where v.shop_id = ${shopId}
    order by v.id, w.id
  `)
  await run(sql.fragment`
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
    )
    select shop_id, variant_id, location_id, 0, quantity, case when variant_id % 10 = 0 then 'set' else 'platform' end,
      now() - random() * interval '200 days'
    from stock_level
    where shop_id = ${shopId}
  `)
  await run(sql.fragment`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select ${shopId}, 'gid://platform/Order/' || n / 3, 'gid://platform/LineItem/' || n,
      'gid://platform/ProductVariant/' || 1 + floor(${size.variants}::int * random() ^ 3)::int, 1 + n % 3,
      now() - interval '100 days' * (1 - n / ${size.sales}::float)
    from generate_series(1, ${size.sales}::int) n
  `)
  await growOrders(run, shopId, size)
  await growTransfers(run, shopId, size)
  await growCosts(run, shopId)
  await growSupplierCatalogue(run, shopId)
  await run(sql.fragment`analyze stock_level`)
  await run(sql.fragment`
    insert into reorder_rule (
      shop_id, variant_id, supplier_id, reorder_point, reorder_quantity, current_stock, created_by
    )
    select v.shop_id, v.id, s.id, 10, 20, level.sum, 'alice-1'
    from variant v
    cross join lateral (
      select sum(quantity) as sum from stock_level where shop_id = v.shop_id and variant_id = v.id
    ) level
    cross join (select min(id) as id from supplier where shop_id = ${shopId}) s
    where v.shop_id = ${shopId}
    order by v.id
  `)
}

const textArray = (list: string[]) => sql.array(list, 'text')

async function growOrders(
  run: (statement: ReturnType<typeof sql.fragment>) => Promise<unknown>,
  shopId: number,
  { orders, variants }: Size,
): Promise<void> {
  await run(sql.fragment`
    insert into supplier (shop_id, name, lead_time_days)
    select ${shopId}, 'Supplier ' || n, case when n % 5 > 0 then 5 + n % 20 end from generate_series(1, 50) n
  `)
  await run(sql.fragment`
    insert into purchase_order (
      shop_id, number, supplier_id, status, created_by, created_at, sent_at, line_item_count, subtotal
    )
    select s.shop_id, n, s.id,
      case when n % 10 = 0 then 'cancelled' when n % 10 = 1 then 'draft' when n % 10 < 5 then 'sent' else 'received' end,
      'alice-1', at, case when n % 10 <> 1 then at end, 10, 100 + n % 900
    from generate_series(1, ${orders}::int) n
    join (
      select shop_id, id, row_number() over (order by id) as place from supplier where shop_id = ${shopId}
    ) s on s.place = 1 + n % 50
    cross join lateral (select now() - interval '400 days' * (1 - n / ${orders}::float) as at) created
    order by n
  `)
  await run(sql.fragment`analyze supplier, purchase_order`)
  await run(sql.fragment`
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, quantity, accepted, cost_price
    )
    select o.shop_id, o.id, position, v.id, v.sku, v.title, quantity,
      case when o.status = 'received' then quantity else 0 end, 1 + (o.number % 7) / 10.0
    from purchase_order o
    cross join generate_series(0, 9) position
    cross join lateral (select 1 + (o.number + position) % 9 as quantity) ordered
    join (
      select id, sku, title, row_number() over (order by id) as place from variant where shop_id = ${shopId}
    ) v on v.place = 1 + (o.number % 50 * 40 + o.number / 50 % 10 + position) % ${variants}::int
    where o.shop_id = ${shopId}
    order by o.id, position
  `)
  await run(sql.fragment`
    insert into receipt (shop_id, purchase_order_id, location_id, fingerprint, status_after, created_by, created_at)
    select o.shop_id, o.id, w.id, '', 'received', 'alice-1', o.sent_at + (2 + o.number % 15) * interval '1 day'
    from purchase_order o
    join location w on w.shop_id = o.shop_id and w.is_primary
    where o.shop_id = ${shopId} and o.status = 'received'
    order by o.id
  `)
  await run(sql.fragment`analyze receipt, purchase_order_line`)
  await run(sql.fragment`
    insert into receipt_line (shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked)
    select r.shop_id, r.id, l.id, l.quantity, true
    from receipt r
    join purchase_order_line l on l.shop_id = r.shop_id and l.purchase_order_id = r.purchase_order_id
    where r.shop_id = ${shopId}
  `)
}

async function growTransfers(
  run: (statement: ReturnType<typeof sql.fragment>) => Promise<unknown>,
  shopId: number,
  { orders }: Size,
): Promise<void> {
  await run(sql.fragment`
    insert into stock_transfer (
      shop_id, source_location_id, destination_location_id, status, item_count, created_by, created_at, shipped_at, completed_at
    )
    select ${shopId}, case when n % 3 = 0 then w.ids[2] else w.ids[1] end, case when n % 3 = 0 then w.ids[1] else w.ids[2] end,
      case when n % 100 = 0 then 'in_transit' else 'completed' end, 1, 'alice-1', at, at,
      case when n % 100 > 0 then at + (1 + n % 6) * interval '1 day' end
    from generate_series(1, ${orders}::int) n
    cross join (select array_agg(id order by id) as ids from location where shop_id = ${shopId}) w
    cross join lateral (select now() - interval '400 days' * (1 - n / ${orders}::float) as at) created
    order by n
  `)
  await run(sql.fragment`analyze stock_transfer`)
  await run(sql.fragment`
    insert into stock_transfer_item (shop_id, transfer_id, position, variant_id, quantity, shipped, received)
    select t.shop_id, t.id, 0, v.id, 5, 5, case when t.status = 'completed' then 5 else 0 end
    from stock_transfer t
    join (
      select id, row_number() over (order by id) as place, count(*) over () as count from variant where shop_id = ${shopId}
    ) v on v.place = 1 + t.id % v.count
    where t.shop_id = ${shopId}
  `)
  await run(sql.fragment`analyze stock_transfer_item`)
}

async function growCosts(
  run: (statement: ReturnType<typeof sql.fragment>) => Promise<unknown>,
  shopId: number,
): Promise<void> {
  await run(sql.fragment`
    insert into cost_movement (
      shop_id, variant_id, cause, unit_cost, on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select shop_id, id, case when n = 0 then 'opening' else 'manual' end, unit_cost + n, 0,
      case when n = 1 then unit_cost end, unit_cost + n, unit_cost + n,
      now() - case when n = 0 then interval '200 days' else interval '20 days' end
    from variant
    cross join generate_series(0, 1) n
    where shop_id = ${shopId} and unit_cost is not null and (n = 0 or id % 10 = 1)
    order by n, id
  `)
  await run(sql.fragment`
    insert into variant_cost (shop_id, variant_id, average_cost, last_cost, source, updated_at)
    select shop_id, variant_id, max(average_after), max(last_cost_after), 'manual', max(occurred_at)
    from cost_movement
    where shop_id = ${shopId}
    group by shop_id, variant_id
  `)
  await run(sql.fragment`analyze cost_movement, variant_cost`)
}

async function growSupplierCatalogue(
  run: (statement: ReturnType<typeof sql.fragment>) => Promise<unknown>,
  shopId: number,
): Promise<void> {
  await run(sql.fragment`
    insert into supplier_alias (shop_id, supplier_id, vendor_name)
    select shop_id, id, 'Vendor of ' || name from supplier where shop_id = ${shopId}
  `)
  await run(sql.fragment`
    insert into supplier_product (shop_id, supplier_id, variant_id, supplier_sku, pack_size, rank)
    select v.shop_id, s.id, v.id, 'S' || s.place || '-' || v.sku, (array[1, 6, 12])[1 + v.place % 3], s.place
    from (
      select shop_id, id, sku, row_number() over (order by id) as place from variant where shop_id = ${shopId}
    ) v
    join (
      select id, row_number() over (order by id) as place from supplier where shop_id = ${shopId}
    ) s on s.place = 1 and v.place % 5 > 0 or s.place = 2 and v.place % 10 = 1
    order by v.id, s.place
  `)
  await run(sql.fragment`analyze supplier_product, supplier_alias`)
  await run(sql.fragment`
    insert into supplier_price (shop_id, supplier_product_id, min_quantity, price, currency, source)
    select x.shop_id, x.id, from_quantity, 2 + x.id % 20 - from_quantity / 100.0, 'USD', 'typed'
    from supplier_product x
    cross join (values (1), (48)) as break (from_quantity)
    where x.shop_id = ${shopId} and x.id % 4 > 0
    order by x.id, from_quantity
  `)
  await run(sql.fragment`analyze supplier_price`)
}

/** Runs `use` on a connection without timeouts, for statements that fill shops and are not measured. */
export async function withoutTimeouts(url: string, use: (db: Db) => Promise<void>): Promise<void> {
  const pool = await createPool(withSessionSettings({ url, ssl: false }, sessionSettings).url, {
    statementTimeout: 'DISABLE_TIMEOUT',
  })
  try {
    await pool.connect(use)
  } finally {
    await pool.end()
  }
}
