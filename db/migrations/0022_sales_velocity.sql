-- How fast variants sell. Computed nightly for all, and soon after sales for those that were sold.

create table variant_velocity (
  shop_id bigint not null references shop,
  variant_id bigint not null,
  -- pieces sold in the last so many days of the shop's time zone, today included
  units_7d int not null default 0,
  units_30d int not null default 0,
  units_90d int not null default 0,
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

-- Variants that were sold since their velocity was computed.
create table velocity_mark (
  shop_id bigint not null references shop,
  variant_gid text not null,
  primary key (shop_id, variant_gid)
);
