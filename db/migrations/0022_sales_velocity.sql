-- How fast variants sell. Computed nightly for all, and soon after sales for those that were sold.

create table variant_velocity (
  shop_id bigint not null references shop,
  variant_id bigint not null,
  -- pieces sold in the last so many days of the shop's time zone, today included
  units_7d bigint not null default 0,
  units_30d bigint not null default 0,
  units_90d bigint not null default 0,
  -- units of 90 days at the variant's price, and its class by that: A sells most, C least
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
-- what was never sold comes before all that was
create index variant_velocity_last_sold
  on variant_velocity (shop_id, coalesce(last_sold_at, timestamptz 'epoch'), variant_id);

-- Variants that were sold since their velocity was computed, as often as they were. Only ever added to and emptied,
-- with no key but the row's own, so that orders which come together never wait for each other here.
create table velocity_mark (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  variant_gid text not null,
  primary key (shop_id, id)
);

-- One computation of a shop at a time: whoever computes holds this row.
create table velocity_run (
  shop_id bigint primary key references shop,
  ran_at timestamptz not null
);

-- A night reads the sales of 90 days and no older ones, without a look at their rows.
drop index sale_shop_id_ordered_at_idx;
create index on sale (shop_id, ordered_at) include (variant_gid, quantity);
