-- Transfers of goods from one location of the shop to another.

create table stock_transfer (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  source_location_id bigint not null,
  destination_location_id bigint not null,
  status text not null default 'pending' check (status in ('pending', 'in_transit', 'completed', 'cancelled')),
  notes text not null default '',
  item_count int not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  shipped_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  version int not null default 1,
  primary key (shop_id, id),
  foreign key (shop_id, source_location_id) references location (shop_id, id),
  foreign key (shop_id, destination_location_id) references location (shop_id, id),
  check (source_location_id <> destination_location_id)
);

create index on stock_transfer (shop_id, status, id desc);

create table stock_transfer_item (
  shop_id bigint not null,
  transfer_id bigint not null,
  position int not null,
  variant_id bigint not null,
  quantity int not null check (quantity > 0),
  primary key (shop_id, transfer_id, position),
  foreign key (shop_id, transfer_id) references stock_transfer (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on stock_transfer_item (shop_id, variant_id);
