-- When to order a variant again, and how much.

create table reorder_rule (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  variant_id bigint not null,
  -- null: the stock of all locations together
  location_id bigint,
  supplier_id bigint,
  -- auto: point and quantity are computed every night from what was sold
  mode text not null default 'manual' check (mode in ('manual', 'auto')),
  reorder_point int not null check (reorder_point >= 0),
  reorder_quantity int not null check (reorder_quantity > 0),
  -- of auto: how often stock is to last until the next delivery, in percent, and how often one orders
  service_level int not null default 95 check (service_level between 90 and 99),
  review_days int not null default 7 check (review_days between 1 and 90),
  -- what auto was computed from, for people to check
  inputs jsonb,
  computed_at timestamptz,
  -- kept by shared/domain/reorder/low-stock.ts with every change of the levels, so that lists stay fast
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
