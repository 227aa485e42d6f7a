-- Goods that go back to a supplier, and files that belong to documents.

alter table stock_movement
  drop constraint stock_movement_kind_check,
  add constraint stock_movement_kind_check check (
    kind in (
      'platform', 'receipt', 'reversal', 'transfer', 'count', 'set', 'delta', 'discard', 'repair', 'supplier_return'
    )
  ) not valid;
alter table stock_movement validate constraint stock_movement_kind_check;

-- The last number of a return. The transaction that creates a return increments it, so numbers have no gaps.
create table supplier_return_counter (
  shop_id bigint primary key references shop,
  last_number int not null
);

create table supplier_return (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  serial int not null,
  number text not null
    generated always as ('RET-' || lpad(serial::text, greatest(5, length(serial::text)), '0')) stored,
  supplier_id bigint not null,
  -- the receipt that brought the goods; null: not known
  receipt_id bigint,
  -- where the goods are taken from
  location_id bigint not null,
  state text not null default 'draft' check (state in ('draft', 'shipped', 'credited', 'cancelled')),
  notes text not null default '',
  -- on the document for the supplier, such as the supplier's number of the return
  supplier_reference text not null default '',
  -- of the credit; null: the shop's
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- 1 of `currency` in the shop's currency; null while it is not known, and for the shop's own
  rate numeric(18, 8) check (rate > 0),
  credit_amount numeric(19, 4) check (credit_amount >= 0),
  credit_reference text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  shipped_at timestamptz,
  shipped_by text,
  credited_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  version int not null default 1,
  primary key (shop_id, id),
  unique (shop_id, serial),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  constraint supplier_return_credit_has_amount check ((state = 'credited') = (credit_amount is not null)),
  constraint supplier_return_credit_has_time check ((state = 'credited') = (credited_at is not null))
);

create index on supplier_return (shop_id, state, id desc);
create index on supplier_return (shop_id, supplier_id, id desc);
create index on supplier_return (shop_id, receipt_id) where receipt_id is not null;
create index on supplier_return (shop_id, credited_at) where credited_at is not null;
create index supplier_return_search on supplier_return
  using gin (shop_id, lower(number || ' ' || supplier_reference || ' ' || credit_reference) gin_trgm_ops);

create table supplier_return_line (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  supplier_return_id bigint not null,
  position int not null,
  variant_id bigint not null,
  quantity int not null check (quantity > 0),
  reason text not null,
  -- whether its pieces moved stock; null until the goods are shipped
  is_stocked boolean,
  primary key (shop_id, id),
  unique (shop_id, supplier_return_id, position),
  foreign key (shop_id, supplier_return_id) references supplier_return (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on supplier_return_line (shop_id, variant_id);

alter table cost_movement
  -- of the cause return
  add column supplier_return_id bigint,
  add constraint cost_movement_supplier_return_fkey
    foreign key (shop_id, supplier_return_id) references supplier_return (shop_id, id) not valid;
alter table cost_movement validate constraint cost_movement_supplier_return_fkey;

create index cost_movement_of_return on cost_movement (shop_id, supplier_return_id, variant_id)
  where supplier_return_id is not null;

-- Takes the cost of returned pieces out of the averages, before their stock moves.
--   value of a piece = what its receipt put into the average and earlier returns did not take out / the pieces that they left
--   without a booked receipt: the average
-- Where the remaining stock is not worth as much, the pieces leave at the average, and the rest is a variance.
-- Example: 5 of 10 received at 2.60 go back, 25 on hand at 2.24: (56 - 13) / 20 = 2.15.
create function book_supplier_return(in_shop bigint, in_return bigint, in_actor text) returns void
language plpgsql
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
declare
  ids bigint[];
  in_receipt bigint;
begin
  select array_agg(distinct l.variant_id) into ids
  from supplier_return_line l
  where l.shop_id = in_shop and l.supplier_return_id = in_return and l.is_stocked;
  if ids is null then
    return;
  end if;
  select receipt_id into in_receipt from supplier_return where shop_id = in_shop and id = in_return;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;

  with going as (
    select l.variant_id, sum(l.quantity)::bigint as quantity
    from supplier_return_line l
    where l.shop_id = in_shop and l.supplier_return_id = in_return and l.is_stocked
    group by l.variant_id
  ),
  put as (
    select m.variant_id, sum(m.quantity) as quantity, sum(m.value) as value
    from (
      select variant_id, quantity, value
      from cost_movement
      where shop_id = in_shop and receipt_id = in_receipt and variant_id = any(ids)
      union all
      select m.variant_id, m.quantity, m.value + m.variance
      from supplier_return r
      join cost_movement m on m.shop_id = in_shop and m.supplier_return_id = r.id and m.variant_id = any(ids)
      where r.shop_id = in_shop and r.receipt_id = in_receipt
    ) m
    group by m.variant_id
  ),
  leaving as (
    select g.variant_id, g.quantity, s.on_hand, c.average_cost, c.last_cost,
      case
        when put.quantity >= g.quantity then round(put.value::numeric(60, 30) * g.quantity / put.quantity, 18)
        else g.quantity * c.average_cost
      end as worth
    from going g
    join shop_stock(in_shop, ids) s on s.variant_id = g.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = g.variant_id and c.average_cost is not null
    left join put on put.variant_id = g.variant_id
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, supplier_return_id, reference, actor, quantity, unit_cost, value, variance,
      on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'return', in_return, 'supplier_return/' || in_return, in_actor, -l.quantity,
      round(l.worth / l.quantity, 18), -paid.out, paid.out - l.worth, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (
      select case
        when l.on_hand > l.quantity and l.on_hand * l.average_cost >= l.worth then l.worth
        else l.quantity * l.average_cost
      end as out
    ) paid
    order by l.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$$;

-- Puts the cost of returned pieces back, before their stock moves back: they come at the value at which they left.
create function book_undone_return(in_shop bigint, in_return bigint, variant_ids bigint[], in_actor text) returns void
language plpgsql
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with coming as (
    select m.variant_id, -sum(m.quantity)::bigint as quantity, -sum(m.value) as value, -sum(m.variance) as variance
    from cost_movement m
    where m.shop_id = in_shop and m.supplier_return_id = in_return and m.variant_id = any(variant_ids)
    group by m.variant_id
    having sum(m.quantity) < 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, supplier_return_id, reference, actor, quantity, unit_cost, value, variance,
      on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, g.variant_id, 'return', in_return, 'supplier_return/' || in_return, in_actor, g.quantity,
      round((g.value + g.variance) / g.quantity, 18), g.value, g.variance, s.on_hand, c.average_cost,
      average_after(s.on_hand, c.average_cost, g.quantity, g.value), c.last_cost, clock_timestamp()
    from coming g
    join shop_stock(in_shop, variant_ids) s on s.variant_id = g.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = g.variant_id
    order by g.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$$;

-- Files of documents. Each belongs to exactly one.
create table attachment (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  purchase_order_id bigint,
  receipt_id bigint,
  supplier_return_id bigint,
  stock_transfer_id bigint,
  stock_count_id bigint,
  name text not null check (name <> ''),
  media_type text not null
    check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf')),
  size int not null check (size between 1 and 2097152),
  sha256 bytea not null,
  bytes bytea not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade,
  foreign key (shop_id, receipt_id) references receipt (shop_id, id) on delete cascade,
  foreign key (shop_id, supplier_return_id) references supplier_return (shop_id, id) on delete cascade,
  foreign key (shop_id, stock_transfer_id) references stock_transfer (shop_id, id) on delete cascade,
  foreign key (shop_id, stock_count_id) references stock_count (shop_id, id) on delete cascade,
  constraint attachment_has_one_subject check (
    num_nonnulls(purchase_order_id, receipt_id, supplier_return_id, stock_transfer_id, stock_count_id) = 1
  ),
  constraint attachment_size_is_true check (size = octet_length(bytes))
);

-- images and PDFs are compressed already
alter table attachment alter column bytes set storage external;

create index on attachment (shop_id, purchase_order_id, id) where purchase_order_id is not null;
create index on attachment (shop_id, receipt_id, id) where receipt_id is not null;
create index on attachment (shop_id, supplier_return_id, id) where supplier_return_id is not null;
create index on attachment (shop_id, stock_transfer_id, id) where stock_transfer_id is not null;
create index on attachment (shop_id, stock_count_id, id) where stock_count_id is not null;
