-- Reorder rules: when to reorder a variant, and how many pieces.

create table reorder_rule (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  variant_id bigint not null,
  -- null: the total of all locations
  location_id bigint,
  supplier_id bigint,
  -- auto: point and quantity are computed every night from the sales
  mode text not null default 'manual' check (mode in ('manual', 'auto')),
  reorder_point int not null check (reorder_point >= 0),
  reorder_quantity int not null check (reorder_quantity > 0),
  -- for auto: the probability in percent that stock lasts until the next delivery, and the days between two orders
  service_level int not null default 95 check (service_level between 90 and 99),
  review_days int not null default 7 check (review_days between 1 and 90),
  -- the input of the computation, shown so that people can check it
  inputs jsonb,
  computed_at timestamptz,
  -- a copy for fast lists; shared/domain/ledgers/stock/low-stock.ts updates it with every change of the levels
  current_stock bigint not null default 0,
  is_low boolean not null generated always as (current_stock <= reorder_point) stored,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  unique nulls not distinct (shop_id, variant_id, location_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id)
);

create index on reorder_rule (shop_id, id desc) where is_low;
create index on reorder_rule (shop_id, supplier_id, id desc);
create index on reorder_rule (shop_id, id) where mode = 'auto';
