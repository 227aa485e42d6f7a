-- Stock counts of a location: counted and expected quantities.

create table stock_count (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  location_id bigint not null,
  status text not null default 'draft' check (status in ('draft', 'submitted', 'cancelled')),
  notes text not null default '',
  item_count int not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  submitted_by text,
  submitted_at timestamptz,
  cancelled_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

create index on stock_count (shop_id, status, id desc);

create table stock_count_item (
  shop_id bigint not null,
  count_id bigint not null,
  variant_id bigint not null,
  position int not null,
  -- null: not counted yet
  counted_quantity int check (counted_quantity >= 0),
  -- the level at the time of the count
  expected_quantity int not null,
  counted_at timestamptz,
  -- the level's last movement at that time; later movements happened during the count
  after_movement_id bigint not null default 0,
  -- the level that submitting the count has set
  submitted_quantity int,
  primary key (shop_id, count_id, variant_id),
  foreign key (shop_id, count_id) references stock_count (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on stock_count_item (shop_id, variant_id);
