-- Stock levels and the ledger of their movements. `shared/domain/ledgers/stock/move.ts` is the only writer.

create table stock_level (
  shop_id bigint not null references shop,
  variant_id bigint not null,
  location_id bigint not null,
  -- the level that the service shows
  quantity int not null default 0,
  -- the level that the platform last reported; the difference is in unconfirmed pushes
  platform_quantity int not null default 0,
  platform_updated_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (shop_id, variant_id, location_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

create index on stock_level (shop_id, location_id, variant_id);

-- Append-only. A level is the sum of its movements.
create table stock_movement (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint not null,
  previous_quantity int not null,
  new_quantity int not null,
  delta int not null generated always as (new_quantity - previous_quantity) stored,
  kind text not null check (kind in ('platform', 'receipt', 'reversal', 'transfer', 'count', 'set', 'delta')),
  reason text not null default '',
  -- the document that caused it, as in purchase_order/42
  reference text not null default '',
  actor text not null default '',
  occurred_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id, variant_id, location_id) references stock_level (shop_id, variant_id, location_id)
);

create index on stock_movement (shop_id, variant_id, location_id, id);
