-- Sales velocity of variants. Computed nightly for all variants, and soon after a sale for the sold ones.

create table variant_velocity (
  shop_id bigint not null references shop,
  variant_id bigint not null,
  -- pieces sold in the last 7, 30 and 90 days of the shop's time zone, including today
  units_7d bigint not null default 0,
  units_30d bigint not null default 0,
  units_90d bigint not null default 0,
  -- units of 90 days at the variant's price, and the class by that revenue: A is the highest, C the lowest
  revenue_90d numeric(24, 2) not null default 0,
  abc_class text not null default 'C' check (abc_class in ('A', 'B', 'C')),
  last_sold_at timestamptz,
  computed_at timestamptz not null default now(),
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on variant_velocity (shop_id, units_7d desc, variant_id desc);
create index on variant_velocity (shop_id, units_30d desc, variant_id desc);
create index on variant_velocity (shop_id, units_90d desc, variant_id desc);
create index on variant_velocity (shop_id, revenue_90d desc, variant_id desc);
-- variants without sales come first
create index variant_velocity_last_sold
  on variant_velocity (shop_id, coalesce(last_sold_at, timestamptz 'epoch'), variant_id);

-- One row for each sale since the velocity of the variant was computed. The table has no unique key on the variant, so
-- that concurrent orders never wait for each other here. The computation deletes the rows.
create table velocity_mark (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  variant_gid text not null,
  primary key (shop_id, id)
);

-- A lock row: the computation locks it, so that a shop has one computation at a time.
create table velocity_run (
  shop_id bigint primary key references shop,
  ran_at timestamptz not null
);

-- The nightly computation reads only the sales of 90 days, by an index-only scan.
drop index sale_shop_id_ordered_at_idx;
create index on sale (shop_id, ordered_at) include (variant_gid, quantity);
