-- Inserts an order with its lines. Returns no row when the supplier is archived or not the shop's.
-- 1. Lock the supplier, so that an archived one gets no order, and the row with the shop's last number, so that numbers have no gaps.
-- 2. Insert the order and its lines. The tax is that of the lines unless the order has its own; the rate of another currency is the
--    given one, else the last typed one.
-- Example: the shop's last number is 41, and the lines come to 100.00 with 20.00 tax: the order 42, with the subtotal 100.00 and the tax 20.00.
-- Why SQL: a session keeps its plans, which saves half a millisecond of ten lines: less than twice (docs/performance.md, "The price of a write").
create or replace function insert_order(in_shop bigint, new_order jsonb, lines jsonb)
returns table (id bigint, po_number text, status text, supplier_id bigint, total numeric, created_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  order_number integer;
begin
  insert into purchase_order_counter as c (shop_id, last_number)
  select in_shop, 1
  from supplier s
  where s.shop_id = in_shop and s.id = (new_order->>'supplier_id')::bigint and s.archived_at is null
  for share of s
  on conflict (shop_id) do update set last_number = c.last_number + 1
  returning last_number into order_number;
  if order_number is null then
    return;
  end if;

  return query
  with line as materialized (select * from order_lines(lines)),
  sums as (
    select count(*) as lines, coalesce(sum(line_total), 0) as subtotal, coalesce(sum(line_tax), 0) as tax,
      coalesce(max(minor_digits)::integer, 0) as minor_digits
    from line
  ),
  created as (
    insert into purchase_order (
      shop_id, number, supplier_id, notes, supplier_notes, expected_at, due_at, destination_location_id, created_by,
      currency, rate, reference, supplier_reference, cc, discount, is_own_tax, tax, line_item_count, subtotal
    )
    select in_shop, order_number, o.supplier_id, o.notes, o.supplier_notes, o.expected_at, o.expected_at, o.destination_id, o.actor,
      o.currency,
      case when o.rate_currency is not null then coalesce(o.rate, (
        select r.rate from exchange_rate r where r.shop_id = in_shop and r.currency = o.rate_currency order by r.day desc limit 1
      )) end,
      o.reference, o.supplier_reference, o.cc, o.discount, o.tax is not null,
      coalesce(o.tax, tax_after_discount(sums.tax, sums.subtotal, o.discount, sums.minor_digits)), sums.lines, sums.subtotal
    from jsonb_to_record(new_order) as o (
      supplier_id bigint, notes text, supplier_notes text, expected_at timestamp with time zone, destination_id bigint, actor text,
      currency text, rate_currency text, rate numeric, reference text, supplier_reference text, cc text[], discount numeric, tax numeric
    ), sums
    returning id, po_number, status, supplier_id, total, created_at
  ),
  inserted as (
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, is_own_sku, is_own_title, quantity, cost_price,
      is_cost_known, supplier_sku, pack_size, discount_percent, tax_rate, rounded_up_by, minor_digits
    )
    select in_shop, created.id, l.position, l.variant_id, l.sku, l.title, l.is_own_sku, l.is_own_title, l.quantity, l.cost_price,
      l.is_cost_known, l.supplier_sku, l.pack_size, l.discount_percent, l.tax_rate, l.rounded_up_by, l.minor_digits
    from created, line l
  )
  select created.id, created.po_number, created.status, created.supplier_id, created.total, created.created_at
  from created;
end
$$;
