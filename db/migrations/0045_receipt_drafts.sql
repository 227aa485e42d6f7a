-- Receiving: drafts, rejected pieces, corrected costs, a tolerance, and goods without an order.

alter table receipt
  -- a draft moves no stock; the release before writes posted receipts only
  add column state text not null default 'posted' check (state in ('draft', 'posted')),
  -- of a receipt that was a draft; another one was posted when it was created, by `created_by`
  add column posted_at timestamptz,
  add column posted_by text,
  -- its place among the receipts, from the sequence of their ids; null: the id
  add column posting_no bigint,
  add column delivery_note text not null default '',
  -- of goods without an order; with an order, the order has the supplier
  add column supplier_id bigint,
  -- counts the changes of a draft
  add column version int not null default 1,
  alter column purchase_order_id drop not null,
  alter column status_after drop not null,
  drop constraint receipt_status_after_check,
  -- `sent`: all pieces were rejected, and the supplier replaces them
  add constraint receipt_status_after_check check (status_after in ('sent', 'partial', 'received')) not valid,
  -- keeps the release before, which knows no drafts, from reversing one
  add constraint receipt_reversed_is_posted check (state = 'posted' or reversed_at is null) not valid,
  add constraint receipt_supplier_fkey foreign key (shop_id, supplier_id) references supplier (shop_id, id) not valid;

alter table receipt validate constraint receipt_status_after_check;
alter table receipt validate constraint receipt_reversed_is_posted;
alter table receipt validate constraint receipt_supplier_fkey;

create index receipt_drafts on receipt (shop_id, id) where state = 'draft';
create index receipt_of_supplier on receipt (shop_id, supplier_id, id) where supplier_id is not null;
create index receipt_delivery_note on receipt using gin (shop_id, lower(delivery_note) gin_trgm_ops)
  where delivery_note <> '';

-- `quantity` is what was accepted.
alter table receipt_line
  add column rejected int not null default 0 check (rejected >= 0),
  add column reject_reason text not null default '',
  -- replace: the pieces stay outstanding; credit: they are closed
  add column reject_outcome text check (reject_outcome in ('replace', 'credit')),
  -- of a piece, in the order's currency, after discounts; null: the price of the order
  add column unit_cost numeric(19, 4) check (unit_cost >= 0),
  drop constraint receipt_line_quantity_check,
  add constraint receipt_line_quantity_check check (quantity >= 0) not valid,
  add constraint receipt_line_reject_check check ((rejected > 0) = (reject_outcome is not null)) not valid;

alter table receipt_line validate constraint receipt_line_quantity_check;
alter table receipt_line validate constraint receipt_line_reject_check;

-- How many of the `cancelled` pieces the supplier credits, since they were rejected.
alter table purchase_order_line add column credited int not null default 0 check (credited >= 0);

-- Goods that arrived without an order.
create table direct_receipt_line (
  shop_id bigint not null,
  receipt_id bigint not null,
  position int not null,
  variant_id bigint not null,
  -- of the product when the goods arrived
  sku text not null,
  title text not null,
  quantity int not null check (quantity > 0),
  -- of a piece, in the shop's currency; null: the average
  unit_cost numeric(19, 4) check (unit_cost >= 0),
  primary key (shop_id, receipt_id, position),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on direct_receipt_line (shop_id, variant_id, receipt_id);

-- What may arrive beyond the ordered quantity of a line.
alter table shop_setting
  add column over_receipt_percent int not null default 0 check (over_receipt_percent between 0 and 100);

-- 1 of the order's currency in the shop's; null when it is not known.
create function receipt_rate(in_shop bigint, in_order bigint) returns numeric
language plpgsql stable
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
begin
  return (
    select case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
    from purchase_order o
    left join shop_setting t on t.shop_id = o.shop_id
    where o.shop_id = in_shop and o.id = in_order
  );
end
$$;

-- What each receipt of an order is worth, by variant: posted receipts that are not reversed, and lines whose pieces moved stock.
-- A cost that was corrected at the receipt is the cost of its pieces, in place of price and discounts of the order.
-- Of a line, the first ordered pieces that arrive take the shares of the charges; pieces beyond the order take none.
-- Example: 100 ordered at 4.17, shares of 400; receipts of 60 and 40: 60 x 4.17 + 400 x 60 / 100 = 490.20, and 326.80.
-- With 5.00 as the corrected cost of the 40: 40 x 5.00 + 400 x 40 / 100 = 360.00.
create or replace function receipt_values(in_shop bigint, in_order bigint)
returns table (receipt_id bigint, variant_id bigint, quantity bigint, value numeric, last_cost numeric)
language plpgsql stable rows 20
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
#variable_conflict use_column
declare
  rate numeric := receipt_rate(in_shop, in_order);
begin
  return query
  select arrived.receipt_id, arrived.variant_id, sum(arrived.quantity)::bigint,
    sum(arrived.quantity * arrived.goods_cost + arrived.share * arrived.sharing / arrived.ordered),
    -- `least` leaves out null
    case when bool_and(arrived.goods_cost is not null)
      then least((array_agg(round(arrived.goods_cost + arrived.share / arrived.ordered, 4) order by arrived.position desc))[1], 1e14)
    end
  from (
    select x.receipt_id, l.variant_id, x.quantity, x.is_stocked, line.share,
      case when x.unit_cost is null then line.goods_cost else x.unit_cost * rate end as goods_cost,
      line.quantity::numeric(60, 30) as ordered, l.position,
      greatest(least(
        line.quantity - sum(x.quantity) over (partition by l.id order by coalesce(r.posting_no, r.id)) + x.quantity,
        x.quantity
      ), 0) as sharing
    from landed_lines(in_shop, in_order) line
    join purchase_order_line l on l.shop_id = in_shop and l.id = line.line_id
    join receipt_line x on x.shop_id = in_shop and x.purchase_order_line_id = l.id and x.quantity > 0
    join receipt r on r.shop_id = in_shop and r.id = x.receipt_id and r.purchase_order_id = in_order
      and r.reversed_at is null and r.state = 'posted'
  ) arrived
  where arrived.is_stocked
  group by arrived.receipt_id, arrived.variant_id;
end
$$;

-- Books a receipt before its stock moves: the new average and the last cost of each variant. `in_order` is null for goods
-- without an order, whose pieces cost what was entered.
create or replace function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text) returns void
language plpgsql
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
declare
  ids bigint[];
begin
  if in_order is null then
    select array_agg(distinct x.variant_id) into ids
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt;
  else
    select array_agg(distinct l.variant_id) into ids
    from receipt_line x
    join purchase_order_line l on l.shop_id = x.shop_id and l.id = x.purchase_order_line_id
    where x.shop_id = in_shop and x.receipt_id = in_receipt and x.quantity > 0;
  end if;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;

  with arrived as (
    select r.variant_id, r.quantity, r.value, r.last_cost
    from receipt_values(in_shop, in_order) r
    where r.receipt_id = in_receipt
    union all
    -- a line without a cost has that of the average, like an order without a rate
    select x.variant_id, sum(x.quantity)::bigint,
      case when bool_and(x.unit_cost is not null) then sum(x.quantity * x.unit_cost) end,
      case when bool_and(x.unit_cost is not null) then (array_agg(x.unit_cost order by x.position desc))[1] end
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt
    group by x.variant_id
  ),
  priced as materialized (
    select r.variant_id, r.quantity, r.last_cost, s.on_hand, c.average_cost, c.last_cost as cost_before,
      -- while the rate of the order is not known, its pieces cost the average; `book_late_costs` corrects that
      round(coalesce(r.value, r.quantity * c.average_cost), 18) as value
    from arrived r
    join shop_stock(in_shop, ids) s on s.variant_id = r.variant_id
    left join variant_cost c on c.shop_id = in_shop and c.variant_id = r.variant_id
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, variant_id, 'receipt', in_receipt,
      coalesce('purchase_order/' || in_order, 'receipt/' || in_receipt), in_actor, quantity,
      round(value / quantity, 18), value, on_hand, average_cost, average_after(on_hand, average_cost, quantity, value),
      coalesce(last_cost, cost_before), clock_timestamp()
    from priced
    where value is not null
    order by variant_id
    returning variant_id, average_after, last_cost_after, occurred_at
  ),
  stored as (
    insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
    select in_shop, variant_id, average_after, last_cost_after, 'receipt', occurred_at from written
    on conflict (shop_id, variant_id) do update
    set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = 'receipt',
      updated_at = excluded.updated_at
  )
  update variant v
  set unit_cost = priced.last_cost, cost_source = 'receipt', cost_at = now()
  from priced
  where v.shop_id = in_shop and v.id = priced.variant_id and priced.last_cost is not null;

  -- variants without stock have no average, only a last cost
  if exists (
    select from receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
  ) then
    update variant v
    set unit_cost = paid.cost, cost_source = 'receipt', cost_at = now()
    from (
      select distinct on (l.variant_id) l.variant_id,
        least(round(
          case when x.unit_cost is null then line.goods_cost else x.unit_cost * receipt_rate(in_shop, in_order) end
            + line.share / line.quantity, 4
        ), 1e14) as cost
      from receipt_line x
      join purchase_order_line l on l.shop_id = x.shop_id and l.id = x.purchase_order_line_id
      join landed_lines(in_shop, in_order) line on line.line_id = l.id
      where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
        and line.goods_cost is not null
      order by l.variant_id, l.position desc
    ) paid
    where v.shop_id = in_shop and v.id = paid.variant_id;
  end if;
end
$$;
