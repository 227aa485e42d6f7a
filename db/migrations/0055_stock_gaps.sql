-- What the reports of gaps, lost sales and overstock show, computed every night, so that a list is read from an index.

-- Variants that run out before goods arrive, in total (null) or at a location with a reorder rule. The row keeps the place in
-- the list; the numbers are computed when it is read.
create table stock_gap (
  shop_id bigint not null,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint,
  gap_on date not null,
  -- null: nothing is on its way
  next_arrival_on date,
  -- the largest loss first, then those without a price
  rank bigint not null,
  primary key (shop_id, id),
  unique nulls not distinct (shop_id, variant_id, location_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

create index stock_gap_list on stock_gap (shop_id, rank, id);
create index stock_gap_before_arrival on stock_gap (shop_id, variant_id) where next_arrival_on is not null;

-- Pieces above the demand of so many days.
create table overstock (
  shop_id bigint not null,
  cover_days int not null,
  variant_id bigint not null,
  stock int not null,
  -- the demand of these days
  demand double precision not null,
  pieces int not null check (pieces > 0),
  unit_cost numeric(19, 4),
  -- in the currency of the shop; null: the cost is not known
  value numeric(24, 3),
  -- the most money first, then those without a cost
  rank bigint not null,
  primary key (shop_id, cover_days, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index overstock_list on overstock (shop_id, cover_days, rank, variant_id);
create index on overstock (shop_id, variant_id);

-- What was not sold in so many days before the night, since the variant had no stock at any location.
create table lost_sale (
  shop_id bigint not null,
  period_days int not null,
  variant_id bigint not null,
  days_without_stock int not null,
  days_known int not null,
  sold_units int not null,
  lost_units double precision not null,
  -- at the price of the night; null: the price is not known
  lost_revenue numeric(24, 3),
  -- the largest loss first, then those without a price
  rank bigint not null,
  primary key (shop_id, period_days, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index lost_sale_list on lost_sale (shop_id, period_days, rank, variant_id);
create index on lost_sale (shop_id, variant_id);

-- The forecast of all variants by week, at cost.
create table forecast_need (
  shop_id bigint not null references shop,
  -- its Monday
  week date not null,
  -- in the currency of the shop
  value numeric(24, 3) not null,
  -- units of variants without a known cost
  uncosted_units double precision not null,
  primary key (shop_id, week)
);
