-- What the margin report shows of the periods that end today, so that it need not sum their sales.

create table margin_period (
  shop_id bigint not null references shop,
  -- 7, 30 or 90, and the first instant of the period, as of the last night
  days int not null,
  starts_at timestamptz not null,
  primary key (shop_id, days)
);

-- What the sales of a variant in a period earned, unrounded.
create table variant_margin (
  shop_id bigint not null,
  days int not null,
  variant_id bigint not null,
  -- without those that came back
  units bigint not null,
  revenue numeric not null,
  -- of the units with a cost; null: no unit has one
  cost numeric,
  costed_units bigint,
  costed_revenue numeric,
  -- the highest margin first, then those without a cost by revenue
  rank bigint not null,
  primary key (shop_id, days, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index variant_margin_list on variant_margin (shop_id, days, rank, variant_id) where units > 0;
create index on variant_margin (shop_id, variant_id);
