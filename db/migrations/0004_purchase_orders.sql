-- Orders to suppliers. Unit costs have 4 decimals, totals 2. All sums are computed in SQL as numeric, never as floats.

-- The last order number. The transaction that creates an order increments it, so numbers have no gaps.
create table purchase_order_counter (
  shop_id bigint primary key references shop,
  last_number int not null
);

create table purchase_order (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  number int not null,
  po_number text not null
    generated always as ('PO-' || lpad(number::text, greatest(5, length(number::text)), '0')) stored,
  supplier_id bigint not null,
  status text not null default 'draft'
    check (status in ('draft', 'sent', 'partial', 'received', 'cancelled')),
  notes text not null default '',
  supplier_notes text not null default '',
  line_item_count int not null default 0,
  subtotal numeric(24, 2) not null default 0,
  tax numeric(24, 2) not null default 0 check (tax >= 0),
  total numeric(24, 2) not null generated always as (subtotal + tax) stored,
  expected_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  received_at timestamptz,
  -- counts the changes, so that an update can detect a concurrent change
  version int not null default 1,
  primary key (shop_id, id),
  unique (shop_id, number),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  -- keeps every amount exact when it is read as a JSON number
  constraint purchase_order_total_is_exact check (subtotal + tax < 10000000000000)
);

create index on purchase_order (shop_id, status, id desc);
create index on purchase_order (shop_id, supplier_id, id desc);

create table purchase_order_line (
  shop_id bigint not null,
  id bigint generated always as identity,
  purchase_order_id bigint not null,
  position int not null,
  variant_id bigint not null,
  sku text not null,
  title text not null,
  quantity int not null check (quantity > 0),
  accepted int not null default 0 check (accepted >= 0),
  cancelled int not null default 0 check (cancelled >= 0),
  cost_price numeric(19, 4) not null check (cost_price >= 0),
  line_total numeric(24, 2) not null generated always as (round(quantity * cost_price, 2)) stored,
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on purchase_order_line (shop_id, purchase_order_id, position);
create index on purchase_order_line (shop_id, variant_id);
